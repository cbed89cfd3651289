//! What carries and presses a vehicle: which vehicles can have springs, `<suspension>` in `<dynamics>`, and forces of the air,
//! `<aerodynamics>`: rigid bodies of one frame on wheels.

use skidpad_xml::Reader;

use crate::vehicle::air::Air;
use crate::vehicle::drive::DriveParts;
use crate::vehicle::resistance::Resistance;
use crate::vehicle::suspension::SuspensionParameters;
use crate::vehicle::{DriveEntry, WeightRule};

/// Reads `<suspension>`, `<resistance>` and `<aerodynamics>` of a vehicle, whose loads follow this rule.
pub(super) fn read_carrying(
    dynamics: &Reader<'_>,
    drive: &DriveEntry,
    parts: &DriveParts,
    weight: WeightRule,
) -> (Option<SuspensionParameters>, Resistance, Option<Box<Air>>) {
    let mut resistance = Resistance::read(dynamics);
    let air = read_air(dynamics, drive, parts, &mut resistance);
    (read_suspension(dynamics, drive, parts, weight), resistance, air)
}

fn read_air(
    dynamics: &Reader<'_>,
    drive: &DriveEntry,
    parts: &DriveParts,
    resistance: &mut Resistance,
) -> Option<Box<Air>> {
    let tag = dynamics.child("aerodynamics")?;
    let reason = if parts.motion.is_some() {
        "the class is a model of the whole vehicle, without forces at its wheels"
    } else if parts.front.is_some() {
        "its body has two frames, and the air would act on one"
    } else {
        return Air::read(dynamics, &parts.wheels, resistance);
    };
    tag.error(format!("<aerodynamics> in <dynamics class=\"{}\">", drive.name)).hint(reason);
    None
}

fn read_suspension(
    dynamics: &Reader<'_>,
    drive: &DriveEntry,
    parts: &DriveParts,
    weight: WeightRule,
) -> Option<SuspensionParameters> {
    let tag = dynamics.child("suspension")?;
    let reason = if parts.motion.is_some() {
        Some("the class is a model of the whole vehicle, without loads of its own")
    } else if parts.front.is_some() {
        Some("its body has two frames, and springs carry one")
    } else if parts.drive.tracks().is_some() {
        Some("its road wheels are parts of tracks")
    } else if weight == WeightRule::Uniform {
        Some("loads are uniform here; give <weight>static</weight>")
    } else {
        None
    };
    if let Some(reason) = reason {
        tag.error(format!("<suspension> in <dynamics class=\"{}\">", drive.name)).hint(reason);
        return None;
    }
    SuspensionParameters::read(dynamics, &parts.chassis, &parts.wheels)
}
