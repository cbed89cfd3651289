//! Differentials between one motor or powertrain and four wheels, `<drivetrain type="…">` of `ackermann_drivetrain`.
//!
//! ```xml
//! <drivetrain type="torsen_4wd">    open_, torsen_, locked_ or viscous_ with front, rear or 4wd
//!   <front_rear_split>0.5</front_rear_split>                   share of the front axle [-], 0 to 1
//!   <front_left_right_split>0.5</front_left_right_split>       share of the left wheel [-], 0 to 1
//!   <rear_left_right_split>0.5</rear_left_right_split>
//!   <front_rear_bias>1.5</front_rear_bias>                     Torsen bias ratio [-], ≥ 1
//!   <front_left_right_bias>1.5</front_left_right_bias>
//!   <rear_left_right_bias>1.5</rear_left_right_bias>
//!   <viscosity>100</viscosity>                                 of viscous ones [N·m·s/rad], ≥ 0
//!   <center type="open"/> <front type="locked"/> <rear type="viscous"><viscosity>50</viscosity></rear>
//!                                                              each differential may be of its own type
//! </drivetrain>
//! ```
//! With the speeds ω_1, ω_2 of its two shafts and the torque T on its case, which turns with σ·ω_1 + (1 − σ)·ω_2:
//!
//! * open: T_1 = σ·T, T_2 = (1 − σ)·T.
//! * locked: ω_1 = ω_2, with whatever torque that requires.
//! * viscous: T_1 = σ·T − c·(ω_1 − ω_2), T_2 the rest (a viscous coupling across an open differential).
//! * Torsen behind a motor: shares by the spins, after MVSim's manual (B. Tymchenko, "Multiple Vehicle Simulator", 2020), §4.3.4. It
//!   prints the locking as δ·ω_max; a share of torque has no unit, and MVSim divides: k = max(ω_max − b·ω_min, 0)/ω_max, which is used
//!   here.
//! * Torsen behind a `<powertrain>`: shares by friction that grows with the load of the gears. It stays locked as long as neither
//!   shaft needs more than b times the torque of the other; beyond that the slower one gets exactly b times (V. E. Gleasman's
//!   worm gear differential; the torque bias ratio of data sheets).
//!
//! Locked and viscous differentials and those of a powertrain are solved together with the response of the tyres, for the end
//! of the step: see `coupled`. Not modelled: shaft wind-up, backlash, preload, losses.

mod coupled;

use skidpad_xml::{Accept, Reader};

pub(crate) use coupled::{Axles, ShaftTorques, Source};

/// Split of an input torque between two shafts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differential {
    /// Share of the first shaft while it is not locking [-].
    pub split: f64,
    /// Effect besides the split.
    pub kind: DifferentialKind,
}

/// Effect of a differential besides the split of torque.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DifferentialKind {
    /// Open: none.
    Open,
    /// Favours the slower shaft.
    Torsen {
        /// Bias ratio [-], ≥ 1.
        bias: f64,
    },
    /// Both shafts turn as one.
    Locked,
    /// A fluid couples the shafts viscously.
    Viscous {
        /// Torque per speed difference [N·m·s/rad], ≥ 0.
        viscosity: f64,
    },
}

impl Differential {
    /// Shares of the two shafts [-], which sum to 1, at spins `first` and `second` [rad/s].
    ///
    /// A Torsen behind a motor sends more to the slower shaft once the faster one runs ahead by more than the bias ratio.
    #[inline]
    pub fn shares(&self, first: f64, second: f64) -> [f64; 2] {
        let open = [self.split, 1.0 - self.split];
        let DifferentialKind::Torsen { bias } = self.kind else { return open };
        if first == 0.0 || second == 0.0 {
            return open;
        }
        let (a, b) = (first.abs(), second.abs());
        let (fast, slow) = if a > b { (a, b) } else { (b, a) };
        let locking = (fast - bias * slow).max(0.0) / fast;
        let sign = if a > b { 1.0 } else { -1.0 };
        let f = [self.split * (1.0 - sign * locking), (1.0 - self.split) * (1.0 + sign * locking)];
        let sum = f[0] + f[1];
        if sum > 0.0 { [f[0] / sum, f[1] / sum] } else { open }
    }
}

/// Which axles are driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrivenAxles {
    /// The front axle only.
    Front,
    /// The rear axle only.
    Rear,
    /// Both, through a centre differential.
    Both,
}

/// One motor, up to three differentials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drivetrain {
    /// Which axles are driven.
    pub driven: DrivenAxles,
    /// Between the axles: first shaft front.
    pub center: Differential,
    /// Between the front wheels: first shaft left.
    pub front: Differential,
    /// Between the rear wheels: first shaft left.
    pub rear: Differential,
}

impl Default for Drivetrain {
    /// `torsen_4wd`, MVSim's default.
    fn default() -> Drivetrain {
        let torsen = Differential { split: 0.5, kind: DifferentialKind::Torsen { bias: 1.5 } };
        Drivetrain { driven: DrivenAxles::Both, center: torsen, front: torsen, rear: torsen }
    }
}

/// The layout of that name; an unknown name is a warning, and the default applies, as in MVSim.
fn read_layout(reader: &Reader<'_>) -> (DrivenAxles, Kind) {
    let default = (DrivenAxles::Both, Kind::Torsen);
    let Some(name) = reader.attribute("type") else { return default };
    let layout = LAYOUTS.iter().find(|(layout, _)| *layout == name);
    if layout.is_none() {
        reader
            .warn(format!("unknown type \"{name}\" in <drivetrain>: it is taken as torsen_4wd"))
            .one_of(&name, LAYOUTS.iter().map(|(layout, _)| *layout));
    }
    layout.map_or(default, |(_, layout)| *layout)
}

impl Drivetrain {
    /// Reads the XML block above.
    pub fn read(reader: &Reader<'_>) -> Drivetrain {
        let (driven, kind) = read_layout(reader);
        let share = Accept::range(0.0, 1.0);
        let viscosity = reader.f64("viscosity", 100.0, Accept::non_negative());
        let differential = |split: &str, bias: &str, own: &str| {
            let bias = reader.f64(bias, 1.5, Accept::range(1.0, 1e6));
            let (mut kind, mut viscosity) = (kind, viscosity);
            if let Some(tag) = reader.child(own) {
                kind = tag.attribute_choice("type", kind, KINDS);
                viscosity = tag.f64("viscosity", viscosity, Accept::non_negative());
                tag.finish();
            }
            let kind = match kind {
                Kind::Open => DifferentialKind::Open,
                Kind::Torsen => DifferentialKind::Torsen { bias },
                Kind::Locked => DifferentialKind::Locked,
                Kind::Viscous => DifferentialKind::Viscous { viscosity },
            };
            Differential { split: reader.f64(split, 0.5, share), kind }
        };
        Drivetrain {
            driven,
            center: differential("front_rear_split", "front_rear_bias", "center"),
            front: differential("front_left_right_split", "front_left_right_bias", "front"),
            rear: differential("rear_left_right_split", "rear_left_right_bias", "rear"),
        }
    }

    /// Whether its shafts are coupled, so that the wheel torques depend on the response of the tyres.
    #[inline]
    pub fn is_coupled(&self) -> bool {
        let holds = |d: &Differential| matches!(d.kind, DifferentialKind::Locked | DifferentialKind::Viscous { .. });
        match self.driven {
            DrivenAxles::Front => holds(&self.front),
            DrivenAxles::Rear => holds(&self.rear),
            DrivenAxles::Both => holds(&self.center) || holds(&self.front) || holds(&self.rear),
        }
    }

    /// Share of the motor's torque at each wheel [-], in the order rear left, rear right, front left, front right, for the
    /// wheels' `spin` [rad/s] in the same order.
    #[inline]
    pub fn wheel_shares(&self, spin: [f64; 4]) -> [f64; 4] {
        let [rl, rr, fl, fr] = spin;
        let [to_front, to_rear] = match self.driven {
            DrivenAxles::Front => [1.0, 0.0],
            DrivenAxles::Rear => [0.0, 1.0],
            DrivenAxles::Both => self.center.shares(fl + fr, rl + rr),
        };
        let front = if to_front > 0.0 { self.front.shares(fl, fr) } else { [0.0; 2] };
        let rear = if to_rear > 0.0 { self.rear.shares(rl, rr) } else { [0.0; 2] };
        [to_rear * rear[0], to_rear * rear[1], to_front * front[0], to_front * front[1]]
    }
}

/// The types, without their parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Open,
    Torsen,
    Locked,
    Viscous,
}

/// The types of one differential.
const KINDS: &[(&str, Kind)] =
    &[("open", Kind::Open), ("torsen", Kind::Torsen), ("locked", Kind::Locked), ("viscous", Kind::Viscous)];

/// Driven axles and type of the differentials by the name of the type.
const LAYOUTS: &[(&str, (DrivenAxles, Kind))] = &[
    ("open_front", (DrivenAxles::Front, Kind::Open)),
    ("open_rear", (DrivenAxles::Rear, Kind::Open)),
    ("open_4wd", (DrivenAxles::Both, Kind::Open)),
    ("torsen_front", (DrivenAxles::Front, Kind::Torsen)),
    ("torsen_rear", (DrivenAxles::Rear, Kind::Torsen)),
    ("torsen_4wd", (DrivenAxles::Both, Kind::Torsen)),
    ("locked_front", (DrivenAxles::Front, Kind::Locked)),
    ("locked_rear", (DrivenAxles::Rear, Kind::Locked)),
    ("locked_4wd", (DrivenAxles::Both, Kind::Locked)),
    ("viscous_front", (DrivenAxles::Front, Kind::Viscous)),
    ("viscous_rear", (DrivenAxles::Rear, Kind::Viscous)),
    ("viscous_4wd", (DrivenAxles::Both, Kind::Viscous)),
];

#[cfg(test)]
mod tests {
    use super::*;

    const TORSEN: DifferentialKind = DifferentialKind::Torsen { bias: 1.5 };

    #[test]
    fn an_open_differential_ignores_the_spins() {
        let open = Differential { split: 0.3, kind: DifferentialKind::Open };
        assert_eq!(open.shares(10.0, 1.0), [0.3, 0.7]);
    }

    #[test]
    fn a_torsen_locks_beyond_its_bias_towards_the_slower_shaft() {
        let torsen = Differential { split: 0.5, kind: TORSEN };
        assert_eq!(torsen.shares(1.4, 1.0), [0.5, 0.5]);
        // k = (3 - 1.5)/3 = 0.5: f = (0.25, 0.75).
        assert_eq!(torsen.shares(3.0, 1.0), [0.25, 0.75]);
        assert_eq!(torsen.shares(-1.0, -3.0), [0.75, 0.25]);
        assert_eq!(torsen.shares(3.0, 0.0), [0.5, 0.5]);
    }

    #[test]
    fn an_uneven_split_is_normalised_when_it_locks() {
        let torsen = Differential { split: 0.6, kind: DifferentialKind::Torsen { bias: 2.0 } };
        // k = (4 - 2)/4 = 0.5: f = (0.6·0.5, 0.4·1.5) = (0.3, 0.6).
        let shares = torsen.shares(4.0, 1.0);
        assert!((shares[0] - 1.0 / 3.0).abs() < 1e-15 && (shares[1] - 2.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn each_layout_drives_its_axles_and_loses_nothing() {
        for (name, expected) in [
            ("open_front", [0.0, 0.0, 0.5, 0.5]),
            ("open_rear", [0.5, 0.5, 0.0, 0.0]),
            ("open_4wd", [0.25; 4]),
            ("torsen_front", [0.0, 0.0, 0.25, 0.75]),
            ("torsen_rear", [0.5, 0.5, 0.0, 0.0]),
            ("torsen_4wd", [0.25, 0.25, 0.125, 0.375]),
        ] {
            // The front axle's mean equals the rear's, its left wheel spins three times as fast as the right.
            let (driven, kind) = LAYOUTS.iter().find(|layout| layout.0 == name).unwrap().1;
            let kind = if kind == Kind::Torsen { TORSEN } else { DifferentialKind::Open };
            let differential = Differential { split: 0.5, kind };
            let drivetrain = Drivetrain { driven, center: differential, front: differential, rear: differential };
            assert_eq!(drivetrain.wheel_shares([2.0, 2.0, 3.0, 1.0]), expected, "{name}");
        }
    }
}
