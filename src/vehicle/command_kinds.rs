//! The kinds of command, each in one row: how every sender spells it. Commands files, viewers, the types of the page, Python, the check of
//! numbers and the stop of a vehicle follow from [`COMMANDS`]; what a command does is in `orders.rs`.

use skidpad_math::Twist2;

use super::command::{Accepts, Action, CommandFault, GearLever, Pedals, RateLimits, WheelTargets};

/// Most numbers of a command: four spins, two hinges and four torques.
pub const MAX_NUMBERS: usize = 10;

/// The numbers of a command in the order of its fields, a field of several numbers taking as many places; none: omitted. A gear lever is
/// its place in [`GearLever::POSITIONS`].
pub type CommandNumbers = [Option<f64>; MAX_NUMBERS];

/// What a number of a command may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandRange {
    /// Up to [`Action::MAX_NUMBER`] in both directions.
    Any,
    /// A limit: as `Any`, but not negative.
    Limit,
    /// A share of the travel of a pedal, 0 to 1.
    Share,
    /// A position of the gear lever.
    Gear,
}

/// What an omitted number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omitted {
    /// It must be given.
    Refused,
    /// Zero, and the forward gears.
    Zero,
    /// Nothing: no limit, or a wheel that stays as it is.
    Open,
}

/// A field of a command: a number, or several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandField {
    /// Its name.
    pub name: &'static str,
    /// Meaning, unit and sign, in a sentence.
    pub help: &'static str,
    /// How many numbers it has.
    pub count: usize,
    /// What each may be.
    pub range: CommandRange,
    /// What an omitted one stands for.
    pub omitted: Omitted,
}

impl CommandField {
    /// A number in any direction, zero if it is omitted.
    const fn new(name: &'static str, help: &'static str) -> CommandField {
        CommandField { name, help, count: 1, range: CommandRange::Any, omitted: Omitted::Zero }
    }

    const fn within(self, range: CommandRange) -> CommandField {
        CommandField { range, ..self }
    }

    const fn omitted(self, omitted: Omitted) -> CommandField {
        CommandField { omitted, ..self }
    }

    const fn times(self, count: usize) -> CommandField {
        CommandField { count, ..self }
    }
}

/// A kind of command.
#[derive(Debug)]
pub struct CommandKind {
    /// Its name for viewers.
    pub name: &'static str,
    /// Its fields.
    pub fields: &'static [CommandField],
    /// The columns that a commands file may have for it, separated by commas. `v` is `vx` and `omega` is `yaw_rate`; what is not among
    /// them is zero.
    pub columns: &'static [&'static str],
    /// Whether a controller takes it.
    pub accepted: fn(&Accepts) -> bool,
    /// Whether viewers choose by it what to offer for a vehicle; otherwise it goes with another kind that the same controllers take.
    pub is_offered: bool,
    /// The command of the same kind, or of the next, that stops a vehicle; steering hinges stay.
    pub stop: Action,
    /// The command with these numbers.
    pub action: fn(&CommandNumbers) -> Action,
    /// The numbers of a command of this kind; none for others.
    pub numbers: fn(&Action) -> Option<CommandNumbers>,
}

/// All kinds that senders may choose. Teleports and the set-points of motor controllers have senders of their own.
///
/// Where the kind is not named, a command is of the first kind that knows all given fields and lacks none.
pub const COMMANDS: [CommandKind; 6] = [
    CommandKind {
        name: "twist",
        fields: &[
            CommandField::new("vx", "Ahead [m/s]"),
            CommandField::new("vy", "To the left [m/s]"),
            CommandField::new("yaw_rate", "Yaw rate [rad/s]"),
        ],
        columns: &["v,omega", "vx,vy,omega"],
        accepted: |accepts| accepts.twist,
        is_offered: true,
        stop: Action::Twist(Twist2::ZERO),
        action: |numbers| {
            let [vx, vy, wz, ..] = numbers.map(Option::unwrap_or_default);
            Action::Twist(Twist2::new(vx, vy, wz))
        },
        numbers: |action| match *action {
            Action::Twist(Twist2 { vx, vy, wz }) => Some(filled([vx, vy, wz])),
            _ => None,
        },
    },
    CommandKind {
        name: "steering_rate",
        fields: &[
            CommandField::new("speed", "Speed [m/s], negative: backwards"),
            CommandField::new(
                "steering_rate",
                "Rate of the steering angle [rad/s] until the lock, positive to the left",
            )
            .omitted(Omitted::Refused),
        ],
        columns: &["speed,steering_rate"],
        accepted: |accepts| accepts.ackermann,
        is_offered: false,
        stop: STANDING,
        action: |numbers| {
            let [speed, steering_rate, ..] = numbers.map(Option::unwrap_or_default);
            Action::SteeringRate { speed, steering_rate }
        },
        numbers: |action| match *action {
            Action::SteeringRate { speed, steering_rate } => Some(filled([speed, steering_rate])),
            _ => None,
        },
    },
    CommandKind {
        name: "ackermann",
        fields: &[
            CommandField::new("speed", "Speed [m/s], negative: backwards"),
            CommandField::new("steering_angle", "Steering angle [rad], positive to the left"),
            CommandField::new("acceleration", "Largest change of the speed [m/s²]; none or 0: as fast as possible")
                .within(CommandRange::Limit)
                .omitted(Omitted::Open),
            CommandField::new(
                "steering_rate",
                "Largest change of the steering angle [rad/s]; none or 0: as fast as possible",
            )
            .within(CommandRange::Limit)
            .omitted(Omitted::Open),
        ],
        columns: &["speed,steering_angle", "speed,steering_angle,acceleration,steering_rate"],
        accepted: |accepts| accepts.ackermann,
        is_offered: true,
        stop: STANDING,
        action: |&[speed, steering_angle, acceleration, steering_rate, ..]| {
            let (speed, steering_angle) = (speed.unwrap_or_default(), steering_angle.unwrap_or_default());
            if acceleration.is_none() && steering_rate.is_none() {
                return Action::Ackermann { speed, steering_angle };
            }
            let limits = RateLimits {
                acceleration: acceleration.unwrap_or_default(),
                steering_rate: steering_rate.unwrap_or_default(),
            };
            Action::LimitedAckermann { speed, steering_angle, limits }
        },
        numbers: |action| match *action {
            Action::Ackermann { speed, steering_angle } => Some(filled([speed, steering_angle])),
            Action::LimitedAckermann { speed, steering_angle, limits: RateLimits { acceleration, steering_rate } } => {
                Some(filled([speed, steering_angle, acceleration, steering_rate]))
            }
            _ => None,
        },
    },
    CommandKind {
        name: "wheel_speeds",
        fields: &[
            CommandField::new("left", "Spin of the left wheels [rad/s], forward positive").omitted(Omitted::Refused),
            CommandField::new("right", "Spin of the right wheels [rad/s], forward positive").omitted(Omitted::Refused),
        ],
        columns: &["left,right"],
        accepted: |accepts| accepts.side_spins,
        is_offered: true,
        stop: Action::SideSpins([0.0; 2]),
        action: |numbers| {
            let [left, right, ..] = numbers.map(Option::unwrap_or_default);
            Action::SideSpins([left, right])
        },
        numbers: |action| match *action {
            Action::SideSpins(spins) => Some(filled(spins)),
            _ => None,
        },
    },
    CommandKind {
        name: "pedals",
        fields: &[
            CommandField::new("throttle", "Throttle, 0 to 1").within(CommandRange::Share),
            CommandField::new("brake", "Brake, 0 to 1").within(CommandRange::Share),
            CommandField::new("gear", "Gear lever").within(CommandRange::Gear),
            CommandField::new("steering_angle", "Steering angle [rad], positive to the left"),
        ],
        columns: &["throttle,brake,gear,steering_angle"],
        accepted: |accepts| accepts.pedals,
        is_offered: true,
        stop: Action::Pedals {
            pedals: Pedals { throttle: 0.0, brake: 1.0, gear: GearLever::Drive },
            steering_angle: 0.0,
        },
        action: |numbers| {
            let [throttle, brake, gear, steering_angle, ..] = numbers.map(Option::unwrap_or_default);
            Action::Pedals { pedals: Pedals { throttle, brake, gear: GearLever::at(gear) }, steering_angle }
        },
        numbers: |action| match *action {
            Action::Pedals { pedals: Pedals { throttle, brake, gear }, steering_angle } => {
                Some(filled([throttle, brake, gear.place() as f64, steering_angle]))
            }
            _ => None,
        },
    },
    CommandKind {
        name: "wheels",
        fields: &[
            CommandField::new(
                "spin",
                "Spins [rad/s], forward positive: rear left, rear right, front left, front right",
            )
            .omitted(Omitted::Open)
            .times(4),
            CommandField::new("hinge", "Angles of the front wheels [rad], positive to the left: left, right")
                .omitted(Omitted::Open)
                .times(2),
            CommandField::new("torque", "Torques of motors [N·m] in place of spins, forward positive, as `spin`")
                .omitted(Omitted::Open)
                .times(4),
        ],
        columns: &[],
        accepted: |accepts| accepts.wheels,
        is_offered: true,
        stop: Action::Wheels(WheelTargets { spin: [Some(0.0); 4], torque: [None; 4], hinge: [None; 2] }),
        action: |&[a, b, c, d, left, right, e, f, g, h]| {
            Action::Wheels(WheelTargets { spin: [a, b, c, d], torque: [e, f, g, h], hinge: [left, right] })
        },
        numbers: |action| match *action {
            Action::Wheels(WheelTargets { spin: [a, b, c, d], torque: [e, f, g, h], hinge: [left, right] }) => {
                Some([a, b, c, d, left, right, e, f, g, h])
            }
            _ => None,
        },
    },
];

/// Stops a vehicle that takes a speed and a steering angle.
const STANDING: Action = Action::Ackermann { speed: 0.0, steering_angle: 0.0 };

/// These numbers, all given.
fn filled<const N: usize>(numbers: [f64; N]) -> CommandNumbers {
    let mut all = CommandNumbers::default();
    for (place, number) in all.iter_mut().zip(numbers) {
        *place = Some(number);
    }
    all
}

impl CommandKind {
    /// The kind with this name.
    pub fn named(name: &str) -> Option<&'static CommandKind> {
        COMMANDS.iter().find(|kind| kind.name == name)
    }

    /// The first kind that knows all of these fields and lacks none.
    pub fn with_fields(given: &[&str]) -> Option<&'static CommandKind> {
        let fits = |kind: &&CommandKind| kind.knows(given) && kind.lacks(given).next().is_none();
        COMMANDS.iter().find(fits).filter(|_| !given.is_empty())
    }

    /// Whether it has all of these fields.
    pub fn knows(&self, given: &[&str]) -> bool {
        given.iter().all(|name| self.fields.iter().any(|field| field.name == *name))
    }

    /// The fields that must be given and are not.
    pub fn lacks(&self, given: &[&str]) -> impl Iterator<Item = &'static str> {
        let fields = self.fields.iter().filter(|field| field.omitted == Omitted::Refused);
        fields.map(|field| field.name).filter(|name| !given.contains(name))
    }

    /// Each field with the place of its first number.
    pub fn places(&self) -> impl Iterator<Item = (usize, &'static CommandField)> {
        self.fields.iter().scan(0, |next, field| {
            let place = *next;
            *next += field.count;
            Some((place, field))
        })
    }

    /// Each number with its field.
    fn field_numbers<'a>(
        &self,
        numbers: &'a CommandNumbers,
    ) -> impl Iterator<Item = (&'static CommandField, f64)> + 'a {
        let fields = self.fields.iter().flat_map(|field| std::iter::repeat_n(field, field.count));
        fields.zip(numbers).filter_map(|(field, number)| Some((field, (*number)?)))
    }

    /// What is wrong with these numbers, whichever vehicle they are for.
    pub(super) fn fault(&self, numbers: &CommandNumbers) -> Option<CommandFault> {
        let is_bounded = |field: &CommandField| matches!(field.range, CommandRange::Any | CommandRange::Limit);
        if self.field_numbers(numbers).any(|(_, number)| !number.is_finite()) {
            return Some(CommandFault::NotFinite);
        }
        if self.field_numbers(numbers).any(|(field, number)| is_bounded(field) && number.abs() > Action::MAX_NUMBER) {
            return Some(CommandFault::TooLarge);
        }
        self.field_numbers(numbers).find_map(|(field, number)| match field.range {
            CommandRange::Limit if number < 0.0 => {
                Some(CommandFault::NegativeLimit { limit: field.name, value: number })
            }
            CommandRange::Share if !(0.0..=1.0).contains(&number) => {
                Some(CommandFault::PedalRange { pedal: field.name, position: number })
            }
            _ => None,
        })
    }
}

impl Action {
    /// The kind of a command and its numbers; none for teleports and set-points.
    pub fn kind(&self) -> Option<(&'static CommandKind, CommandNumbers)> {
        COMMANDS.iter().find_map(|kind| Some((kind, (kind.numbers)(self)?)))
    }
}

impl GearLever {
    /// The positions with their names, in the order of their numbers in commands.
    pub const POSITIONS: [(&'static str, GearLever); 3] =
        [("drive", GearLever::Drive), ("neutral", GearLever::Neutral), ("reverse", GearLever::Reverse)];

    /// Its place in [`GearLever::POSITIONS`].
    pub fn place(self) -> usize {
        Self::POSITIONS.iter().position(|(_, gear)| *gear == self).unwrap_or_default()
    }

    /// The place of the position with this name.
    pub fn place_of(name: &str) -> Option<usize> {
        Self::POSITIONS.iter().position(|(known, _)| *known == name)
    }

    /// The position at this place; the forward gears if there is none.
    fn at(place: f64) -> GearLever {
        Self::POSITIONS.get(place as usize).map_or(GearLever::Drive, |(_, gear)| *gear)
    }

    /// Whether a number is the place of a position.
    pub(super) fn is_place(number: f64) -> bool {
        (0..Self::POSITIONS.len()).any(|place| place as f64 == number)
    }

    /// The names of all positions, for messages.
    pub fn names() -> String {
        Self::POSITIONS.map(|(name, _)| name).join(", ")
    }
}

/// The field that a column of a commands file holds.
pub fn field_of_column(column: &str) -> &str {
    match column {
        "v" => "vx",
        "omega" => "yaw_rate",
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_command_make_it_again() {
        for kind in &COMMANDS {
            let count: usize = kind.fields.iter().map(|field| field.count).sum();
            assert!(count <= MAX_NUMBERS, "{}", kind.name);
            let mut numbers = CommandNumbers::default();
            // A gear has three positions.
            numbers.iter_mut().take(count).zip(1..).for_each(|(place, number)| *place = Some(f64::from(number % 3)));
            let action = (kind.action)(&numbers);
            assert_eq!(action.kind().map(|(kind, numbers)| (kind.name, numbers)), Some((kind.name, numbers)));
            assert!(kind.stop.fault().is_none() && kind.stop.kind().is_some(), "{}", kind.name);
        }
    }

    #[test]
    fn every_command_that_a_controller_takes_has_a_kind_to_offer() {
        let all =
            Accepts { twist: true, ackermann: true, pedals: true, wheels: true, wheel_torques: true, side_spins: true };
        let offered: Vec<&str> =
            COMMANDS.iter().filter(|kind| kind.is_offered && (kind.accepted)(&all)).map(|kind| kind.name).collect();
        assert_eq!(offered, ["twist", "ackermann", "wheel_speeds", "pedals", "wheels"]);
    }

    #[test]
    fn fields_choose_the_kind() {
        let of = |given: &[&str]| CommandKind::with_fields(given).map(|kind| kind.name);
        assert_eq!(of(&["vx"]), Some("twist"));
        assert_eq!(of(&["speed"]), Some("ackermann"));
        assert_eq!(of(&["speed", "steering_rate"]), Some("steering_rate"));
        assert_eq!(of(&["speed", "steering_angle", "steering_rate"]), Some("ackermann"));
        assert_eq!(of(&["left", "right"]), Some("wheel_speeds"));
        assert_eq!(of(&["gear"]), Some("pedals"));
        assert_eq!(of(&["steering_angle", "brake"]), Some("pedals"));
        assert_eq!(of(&["hinge"]), Some("wheels"));
        assert_eq!([of(&["left"]), of(&["vx", "speed"]), of(&["up"]), of(&[])], [None; 4]);
    }

    #[test]
    fn columns_are_fields_of_their_kind() {
        for kind in &COMMANDS {
            for columns in kind.columns {
                let names: Vec<&str> = columns.split(',').map(field_of_column).collect();
                assert!(kind.knows(&names) && kind.lacks(&names).next().is_none(), "{columns}");
            }
        }
    }
}
