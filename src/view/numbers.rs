//! Which numbers of states a viewer gets: all, or those of one vehicle and what pictures show of the others.

use super::channels::{Channel, SEEN, VEHICLE, WHEEL};
use super::messages::OfVehicles;
use super::scene::SceneView;

/// Index that stands for no vehicle.
pub const NOBODY: u16 = u16::MAX;

/// A selection of the numbers of a scene's states; by default all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Index of the vehicle of which all numbers are selected, [`NOBODY`] for none; none: of all vehicles.
    only: Option<u16>,
    /// Whether each number is left out, in the order of states up to the last vehicle; later ones are not.
    left_out: Vec<bool>,
}

impl Numbers {
    /// All numbers of these vehicles, and what pictures show.
    pub fn new(scene: &SceneView, of: OfVehicles) -> Numbers {
        let only = match of {
            OfVehicles::All => return Numbers::default(),
            OfVehicles::None => None,
            OfVehicles::Vehicle(id) => scene.vehicles.iter().position(|vehicle| vehicle.id == id),
        };
        let is_left_out = |channel: &Channel| !SEEN.contains(&channel.name);
        let (vehicle_channels, wheel_channels) =
            (VEHICLE.each_ref().map(is_left_out), WHEEL.each_ref().map(is_left_out));
        let mut left_out = Vec::new();
        for (index, vehicle) in scene.vehicles.iter().enumerate() {
            let tables = std::iter::once(vehicle_channels.as_slice())
                .chain(std::iter::repeat_n(wheel_channels.as_slice(), vehicle.wheels.len()));
            left_out.extend(tables.flatten().map(|is_left_out| *is_left_out && Some(index) != only));
        }
        Numbers { only: Some(only.and_then(|index| u16::try_from(index).ok()).unwrap_or(NOBODY)), left_out }
    }

    /// Index of the only vehicle of which all numbers are selected, [`NOBODY`] for none; none: of all vehicles.
    pub fn only(&self) -> Option<u16> {
        self.only
    }

    /// Whether all numbers of the vehicle with this index are selected.
    pub fn has_all_of(&self, vehicle: usize) -> bool {
        self.only.is_none_or(|only| usize::from(only) == vehicle)
    }

    /// Whether the number at this place of a state is left out.
    #[inline]
    pub(crate) fn leaves_out(&self, index: usize) -> bool {
        self.left_out.get(index).copied().unwrap_or(false)
    }
}
