//! What the plugins of Gazebo and the joints and controllers of ros2_control say of a robot's drive.
//!
//! Source: the documentation of the plugins.
//!
//! | package | plugins |
//! |---|---|
//! | gz-sim | `DiffDrive`, `AckermannSteering`, `MecanumDrive`, `TrackedVehicle`, `TrackController`, `VelocityControl` |
//! | gazebo_ros_pkgs | `diff_drive`, `skid_steer_drive`, `ackermann_drive`, `tricycle_drive`, `omni_3wd_drive`, `planar_move` |
//! | hector_gazebo | `force_based_move` |
//! | Gazebo Classic | `SkidSteerDrivePlugin`, `SimpleTrackedVehiclePlugin` |

use skidpad_math::Vec3;
use skidpad_xml::{Accept, Context, Place, Reader};

use super::robot::{HINGE, Link, Robot};
use super::{controllers, text};

/// What is known of the drive beside its geometry. Empty lists and none: not stated.
#[derive(Debug, Default)]
pub(super) struct DriveHints {
    /// Joints of driven wheels.
    pub driven: Vec<String>,
    /// Joints of steering hinges.
    pub steered: Vec<String>,
    /// Those of them that are named left, and right, by what drives them.
    pub sides: [Vec<String>; 2],
    /// Whether these are only joints that something commands, which may be the swivel of a castor too.
    pub are_guessed: bool,
    /// Whether a plugin moves the robot without its wheels.
    pub moves_robot: bool,
    /// Whether the robot moves in any direction, also sideways, and where it is stated that it does so on wheels.
    pub any_direction: bool,
    pub roller_wheels: Option<Place>,
    /// Links that are tracks, on the left and on the right.
    pub tracks: [Vec<usize>; 2],
    /// [m]
    pub wheel_radius: Option<f64>,
    /// Distance of left and right wheels [m], and where it is stated.
    pub separation: Option<(f64, Place)>,
    /// Factor of it for robots that skid [-].
    pub separation_multiplier: Option<f64>,
    /// Largest torque of a wheel [N·m].
    pub wheel_torque: Option<f64>,
    /// Largest speed [m/s] and acceleration [m/s²].
    pub max_speed: Option<f64>,
    pub max_acceleration: Option<f64>,
    /// Largest yaw rate [rad/s] and its rate of change [rad/s²].
    pub max_yaw_rate: Option<f64>,
    pub max_yaw_acceleration: Option<f64>,
    /// Largest angle of the equivalent single track [rad].
    pub max_steer: Option<f64>,
    /// Largest rate of the steering [rad/s].
    pub max_steering_rate: Option<f64>,
}

/// Parts of the names of tags and parameters that name joints on the left and on the right.
pub(super) const SIDES: [&str; 2] = ["left", "right"];

/// What a plugin or a controller drives beside the joints that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Moves {
    /// Wheels, which say themselves what they can.
    Wheels,
    /// Wheels with rollers, on which the robot moves in any direction.
    RollerWheels,
    /// The whole robot in any direction, without its wheels.
    Robot,
    /// Tracks.
    Tracks,
}

/// A plugin or a type of controllers that drives robots: its name, and the tags or parameters that name its joints.
pub(super) struct DriveSource {
    /// Of a plugin without signs and capitals.
    pub name: &'static str,
    pub moves: Moves,
    pub driven: &'static [&'static str],
    pub steered: &'static [&'static str],
}

/// The plugins that are understood, of which the first counts whose name is in that of the plugin.
const DRIVE_PLUGINS: &[DriveSource] = &[
    DriveSource {
        name: "mecanum",
        moves: Moves::RollerWheels,
        driven: &["front_left_joint", "front_right_joint", "back_left_joint", "back_right_joint"],
        steered: &[],
    },
    DriveSource {
        name: "omni",
        moves: Moves::RollerWheels,
        driven: &["left_joint", "right_joint", "back_joint"],
        steered: &[],
    },
    DriveSource { name: "trackedvehicle", moves: Moves::Tracks, driven: &[], steered: &[] },
    DriveSource { name: "trackcontroller", moves: Moves::Tracks, driven: &[], steered: &[] },
    DriveSource { name: "planarmove", moves: Moves::Robot, driven: &[], steered: &[] },
    DriveSource { name: "forcebasedmove", moves: Moves::Robot, driven: &[], steered: &[] },
    DriveSource { name: "velocitycontrol", moves: Moves::Robot, driven: &[], steered: &[] },
    DriveSource {
        name: "skidsteer",
        moves: Moves::Wheels,
        driven: &[
            "leftFrontJoint",
            "rightFrontJoint",
            "leftRearJoint",
            "rightRearJoint",
            "left_joint",
            "right_joint",
            "left_front",
            "right_front",
            "left_rear",
            "right_rear",
        ],
        steered: &[],
    },
    DriveSource {
        name: "diffdrive",
        moves: Moves::Wheels,
        driven: &["left_joint", "right_joint", "leftJoint", "rightJoint"],
        steered: &[],
    },
    DriveSource {
        name: "tricycledrive",
        moves: Moves::Wheels,
        driven: &["actuated_wheel_joint", "actuatedWheelJoint"],
        steered: &["steering_joint", "steeringJoint"],
    },
    DriveSource {
        name: "ackermann",
        moves: Moves::Wheels,
        driven: &["left_joint", "right_joint", "rear_left_joint", "rear_right_joint"],
        steered: &["left_steering_joint", "right_steering_joint"],
    },
];

impl DriveHints {
    /// Reads them; a plugin that cannot be imitated is a warning.
    pub(super) fn read(context: &Context, robot: &Robot<'_>) -> DriveHints {
        let mut hints = DriveHints::default();
        for plugin in &robot.plugins {
            let text = |name: &str| plugin.attribute(name).unwrap_or_default();
            let name = plain(&format!("{}{}", text("filename"), text("name")));
            // Other plugins are called omni too, such as those of sensors that look to all sides.
            let is_it =
                |known: &&DriveSource| name.contains(known.name) && (known.name != "omni" || name.contains("drive"));
            if let Some(known) = DRIVE_PLUGINS.iter().find(is_it) {
                hints.read_plugin(context, plugin, known, robot);
            } else if name.contains("ros2control") {
                hints.read_controllers(context, plugin, robot);
            }
        }
        if hints.driven.is_empty() && hints.steered.is_empty() && !hints.has_tracks() {
            if robot.commanded.is_empty() {
                hints.tracks = tracks_by_name(robot);
            }
            let named = |by_position: bool| {
                let joints = robot.commanded.iter().filter(move |joint| joint.by_position == by_position);
                joints.map(|joint| joint.name.clone()).collect()
            };
            (hints.driven, hints.steered) = (named(false), named(true));
            hints.are_guessed = true;
            // Only joints that spin drive; others, such as hinges commanded by effort, are judged by their axes.
            hints.driven.retain(|name| robot.joints.iter().any(|joint| joint.name == *name && joint.spins()));
        }
        hints
    }

    /// Notes what a plugin or a controller at this place moves.
    fn note(&mut self, context: &Context, moves: Moves, place: &Place) {
        match moves {
            Moves::Wheels | Moves::Tracks => return,
            Moves::RollerWheels => drop(self.roller_wheels.get_or_insert_with(|| place.clone())),
            Moves::Robot => {
                let message =
                    "a plugin moves the robot without its wheels: here the wheels drive it, by their geometry";
                context.warn(place, message);
                self.moves_robot = true;
            }
        }
        self.any_direction = true;
    }

    /// Reads the controller that drives, of those in the files that a plugin of ros2_control names.
    fn read_controllers(&mut self, context: &Context, plugin: &Reader<'_>, robot: &Robot<'_>) {
        for tag in plugin.children("parameters") {
            let Some(controller) = controllers::read(&tag, robot) else { continue };
            self.note(context, controller.moves, tag.place());
            let joints = |names: &[String]| -> Vec<String> {
                names.iter().filter(|name| is_joint(context, robot, name, tag.place())).cloned().collect()
            };
            for (known, names) in self.sides.iter_mut().zip(&controller.sides) {
                known.extend(names.iter().cloned());
            }
            self.driven.extend(joints(&controller.driven));
            self.steered.extend(joints(&controller.steered));
            self.wheel_radius = self.wheel_radius.or(controller.wheel_radius);
            if let Some(separation) = controller.separation {
                self.separation.get_or_insert((separation, tag.place().clone()));
            }
            self.separation_multiplier = self.separation_multiplier.or(controller.separation_multiplier);
            self.max_speed = self.max_speed.or(controller.max_speed);
            self.max_acceleration = self.max_acceleration.or(controller.max_acceleration);
            self.max_yaw_rate = self.max_yaw_rate.or(controller.max_yaw_rate);
            self.max_yaw_acceleration = self.max_yaw_acceleration.or(controller.max_yaw_acceleration);
        }
    }

    /// Notes the links of `<left_track>` and `<right_track>`. gz-sim names them in a `<link>`, Gazebo Classic directly. The `<link>` of a
    /// controller of one track is on the side of its shapes.
    fn read_tracks(&mut self, context: &Context, plugin: &Reader<'_>, robot: &Robot<'_>) {
        for tag in ["left_track", "right_track", "link"] {
            for track in plugin.children(tag) {
                let Some(name) = track.text("link").or_else(|| track.own_text()) else {
                    track.missing("<link>");
                    continue;
                };
                let Some(link) = robot.links.iter().position(|link| link.name == name) else {
                    let names = robot.links.iter().map(|link| link.name.clone());
                    context.warn(track.place(), format!("no link \"{name}\"")).one_of(&name, names);
                    continue;
                };
                let side = match tag {
                    "left_track" => 0,
                    "right_track" => 1,
                    _ => usize::from(middle_of(&robot.links[link]).y < 0.0),
                };
                if !self.tracks[side].contains(&link) {
                    self.tracks[side].push(link);
                }
            }
        }
        let limit = |tag: &str, name: &str| plugin.child(tag)?.optional_f64(name, Accept::positive());
        self.max_speed = self.max_speed.or_else(|| limit("linear_velocity", "max_velocity"));
        self.max_acceleration = self.max_acceleration.or_else(|| limit("linear_velocity", "max_acceleration"));
        self.max_yaw_rate = self.max_yaw_rate.or_else(|| limit("angular_velocity", "max_velocity"));
        self.max_yaw_acceleration = self.max_yaw_acceleration.or_else(|| limit("angular_velocity", "max_acceleration"));
    }

    fn read_plugin(&mut self, context: &Context, plugin: &Reader<'_>, known: &DriveSource, robot: &Robot<'_>) {
        self.note(context, known.moves, plugin.place());
        if known.moves == Moves::Tracks {
            self.read_tracks(context, plugin, robot);
        }
        let joints = |tags: &[&str]| -> Vec<String> {
            let tags = tags.iter().flat_map(|tag| plugin.children(tag));
            let named =
                tags.filter_map(|tag| tag.own_text().filter(|name| is_joint(context, robot, name, tag.place())));
            named.collect()
        };
        for (side, names) in SIDES.iter().zip(&mut self.sides) {
            let tags: Vec<&str> = known.driven.iter().copied().filter(|tag| tag.contains(side)).collect();
            names.extend(joints(&tags));
        }
        self.driven.extend(joints(known.driven));
        self.steered.extend(joints(known.steered));
        let first = |tags: &[&str]| tags.iter().find_map(|tag| plugin.optional_f64(tag, Accept::positive()));
        let radius = first(&["wheel_radius", "wheelRadius"]);
        let diameters = ["wheel_diameter", "wheelDiameter", "actuated_wheel_diameter", "actuatedWheelDiameter"];
        let diameter = first(&diameters);
        self.wheel_radius = self.wheel_radius.or(radius).or(diameter.map(|diameter| 0.5 * diameter));
        for tag in ["wheel_separation", "wheelSeparation", "tracks_separation"] {
            if let Some(separation) = plugin.optional_f64(tag, Accept::positive()) {
                self.separation.get_or_insert((separation, plugin.place_of(tag).clone()));
            }
        }
        let torque = first(&["max_wheel_torque", "wheelTorque", "wheel_torque", "torque"]);
        self.wheel_torque = self.wheel_torque.or(torque);
        self.max_speed =
            self.max_speed.or(first(&["max_linear_velocity", "max_velocity", "max_speed", "max_linear_speed"]));
        self.max_acceleration = self.max_acceleration.or(first(&["max_linear_acceleration", "max_acceleration"]));
        self.max_yaw_rate = self.max_yaw_rate.or(first(&["max_angular_velocity", "max_angular_speed"]));
        self.max_yaw_acceleration = self.max_yaw_acceleration.or(first(&["max_angular_acceleration"]));
        self.max_steer = self.max_steer.or(first(&["steering_limit", "max_steer"]));
        self.max_steering_rate = self.max_steering_rate.or(first(&["max_steering_speed", "maxSteeringSpeed"]));
    }

    pub(super) fn has_tracks(&self) -> bool {
        self.tracks.iter().any(|links| !links.is_empty())
    }

    pub(super) fn drives(&self, joint: &str) -> bool {
        self.driven.iter().any(|name| name == joint)
    }

    /// Whether a hinge is named; that of a joint with two axes has the name of this joint before its own.
    pub(super) fn steers(&self, joint: &str) -> bool {
        let joint = joint.strip_suffix(HINGE).unwrap_or(joint);
        self.steered.iter().any(|name| name == joint)
    }
}

/// The links that are called a track of one side, such as `left_track`, where nothing says what drives the robot: one on each side, or none.
fn tracks_by_name(robot: &Robot<'_>) -> [Vec<usize>; 2] {
    let of_side = |side: &str| -> Vec<usize> {
        let is_track = |name: &str| {
            let words = text::words(name);
            let has = |word: &str| words.iter().any(|known| known == word);
            let is_known = |word: &String| [side, "track", "link"].contains(&word.as_str());
            has(side) && has("track") && words.iter().all(is_known)
        };
        let named = robot.links.iter().enumerate().filter(|(_, link)| is_track(&link.name));
        named.filter(|(_, link)| !link.collisions.is_empty()).map(|(index, _)| index).collect()
    };
    let tracks = SIDES.map(of_side);
    if tracks.iter().all(|links| links.len() == 1) { tracks } else { [Vec::new(), Vec::new()] }
}

/// The middle of the shapes of a link, in the frame of the robot [m]; its origin if it has none.
fn middle_of(link: &Link) -> Vec3 {
    let shapes = link.collisions.iter().chain(&link.visuals);
    let points: Vec<Vec3> = shapes.flat_map(|shape| shape.points(&link.robot_from_link)).collect();
    if points.is_empty() {
        return link.robot_from_link.position();
    }
    points.iter().sum::<Vec3>() / points.len() as f64
}

/// A name without signs and capitals.
pub(super) fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace(['-', '_', ':'], "")
}

/// Whether the robot has this joint; a warning at `place` where it has none.
fn is_joint(context: &Context, robot: &Robot<'_>, name: &str, place: &Place) -> bool {
    let has_joint = robot.joints.iter().any(|joint| joint.name == name);
    if !has_joint {
        let names = robot.joints.iter().map(|joint| joint.name.clone());
        context.warn(place, format!("no joint \"{name}\"")).one_of(name, names);
    }
    has_joint
}
