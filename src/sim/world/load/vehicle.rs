//! `<vehicle:class>` and `<vehicle>`. Values are looked up in the files that the instance includes, in the instance, and in its
//! class, in this order. Each of the tags below is read by the table entry named by its `class`.
//!
//! ```xml
//! <vehicle name="r1" class="car">                 name: veh1, veh2, … where absent; names are unique
//!   <init_pose>x y yaw</init_pose>                [m], [deg]; or <init_pose3d>x y z yaw pitch roll</init_pose3d>
//!   <init_vel>vx vy w</init_vel>                  of the reference point, body frame [m/s], [deg/s]; default 0 0 0
//!   <dynamics class="…">…</dynamics>              see the drives and controllers
//!   <friction class="default">…</friction>        see the friction laws
//!   <odometry …/>                                 see odometry
//!   <sensor class="laser" name="scan">…</sensor>  see the sensors
//!   <visual>…</visual>                            see visuals
//!   <intangible>false</intangible>                true: passes through everything, and only what is seen of it is there
//!   <label>vehicle</label>                        class in labels
//!   <log_path>…</log_path> <auto_start_recording>false</auto_start_recording>   CSV log
//! </vehicle>
//! ```

use skidpad_math::Twist2;
use skidpad_math::time::SimTime;
use skidpad_xml::{Accept, Element, Place, Reader};

use super::carrying::read_carrying;
use super::georeference::place_of_receiver;
use super::label::read_label;
use super::plausibility;
use super::simulable::{PoseIs, Start, StartHeight, read_start};
use super::visual::read_visuals;
use super::{Builder, one_named, with_class};
use crate::friction::rollers::{OnRollers, Rollers};
use crate::friction::{ByWheel, FRICTION_LAWS, FrictionLaw, named_wheels};
use crate::raycast::Obstacles;
use crate::sensor::Sensor;
use crate::vehicle::chassis::Chassis;
use crate::vehicle::drive::{DriveParts, FrontFrame, REAR_WHEELS, TRACK_TAGS};
use crate::vehicle::inputs::{Commands, Inputs};
use crate::vehicle::loads::LoadTransfer;
use crate::vehicle::powertrain::Powertrain;
use crate::vehicle::service_brakes::ServiceBrakes;
use crate::vehicle::steering_actuator::SteeringActuator;
use crate::vehicle::tracks::Tracks;
use crate::vehicle::{
    Accepts, CONTROLLERS, Controller, DRIVES, DriveEntry, Odometry, OdometryNoise, Piece, Vehicle, VehicleParts,
    WeightRule, Wheel, WheelParameters, collision_pieces, total_inertia, wheel_outline,
};
use crate::world::animation::Keyframes;
use crate::world::drawing::{self, FRONT_FRAME};
use crate::world::label;
use crate::world::visual::Visual;
use crate::world::{
    BeltInfo, BodyIndex, BodyRef, ChassisMass, EntityId, FrontFrameInfo, Physics, VehicleInfo, WheelInfo,
};

/// A vehicle as read, before it is placed in the world.
pub(in crate::world) struct Loaded {
    pub info: VehicleInfo,
    pub vehicle: Vehicle,
    pub chassis: Chassis,
    /// That of the front frame of an articulated vehicle.
    pub front_chassis: Option<Chassis>,
    pub sensors: Vec<Box<dyn Sensor>>,
    pub start_velocity_in_body: Twist2,
    /// What the z of its start pose means.
    pub height: StartHeight,
    pub animation: Option<Keyframes>,
    /// Where its start pose is in the file.
    pub start_place: Place,
}

impl Loaded {
    /// What collides of a chassis of this vehicle with its wheels: nothing if it is intangible.
    pub(in crate::world) fn pieces(&self, chassis: &Chassis, wheels: &[Wheel]) -> Vec<Piece> {
        if self.info.is_intangible { Vec::new() } else { collision_pieces(chassis, wheels) }
    }

    /// Adds the vehicle, but not its front frame, to the physics and to the shapes for lidars. Returns its body and the
    /// indices of its shapes.
    pub(in crate::world) fn place(
        &self,
        owner: usize,
        physics: &mut Physics,
        obstacles: &mut Obstacles,
    ) -> (BodyIndex, Vec<usize>) {
        let wheels = self.vehicle.wheels();
        let wheels = if self.front_chassis.is_some() { &wheels[..REAR_WHEELS] } else { wheels };
        let body = physics.add_body(
            &self.pieces(&self.chassis, wheels),
            total_inertia(&self.chassis, wheels),
            self.info.world_from_start.planar(),
            [self.chassis.linear_damping, self.chassis.angular_damping],
        );
        physics.place(body, self.info.world_from_start.planar(), self.start_velocity_in_body);
        if self.animation.is_some() {
            physics.prescribe(body);
        }
        let is_clear = drawing::is_clear(&self.info.visuals, self.info.color);
        (body, add_shapes(owner, &self.chassis, is_clear, wheels.iter().zip(&self.info.wheels), obstacles))
    }
}

/// Adds a chassis and wheels to the shapes for lidars; `is_clear`: the chassis is of glass. Returns their indices.
pub(in crate::world) fn add_shapes<'a>(
    owner: usize,
    chassis: &Chassis,
    is_clear: bool,
    wheels: impl Iterator<Item = (&'a Wheel, &'a WheelInfo)>,
    obstacles: &mut Obstacles,
) -> Vec<usize> {
    let wheels = wheels.map(|(wheel, info)| (wheel_outline(wheel), drawing::is_clear(&info.visuals, info.color)));
    let outlines = std::iter::once((chassis.outline.clone(), is_clear)).chain(wheels);
    outlines
        .map(|(outline, is_clear)| {
            let shape = obstacles.add_mover(Some(owner), &outline);
            obstacles.set_mover_clear(shape, is_clear);
            shape
        })
        .collect()
}

impl Builder<'_> {
    pub(super) fn vehicle(&mut self, element: &Element) {
        let context = self.context;
        let instance = context.expand_body(element);
        let plain = Reader::new(context, &instance);
        let class = plain.attribute_or_written("class").unwrap_or_default();
        let name = match plain.attribute_or_default("name").filter(|name| !name.is_empty()) {
            Some(name) => self.name_vehicle(&plain, name),
            None => self.names.numbered("veh", 1, |stem, number| format!("{stem}{number}")),
        };
        let Some(layers) = with_class(&plain, &instance, &self.vehicle_classes) else {
            return self.names.note_unread(name);
        };
        let reader = Reader::layered(context, layers).with_name("NAME", name.clone());
        let Some(loaded) = self.read_vehicle(&reader, name.clone(), class.clone()) else {
            return self.names.note_unread(name);
        };
        self.names.give(&name, BodyRef::Vehicle(self.vehicles.len()));
        self.vehicles.push(loaded);
        self.first_receiver = self.first_receiver.take().or_else(|| place_of_receiver(&reader));
        self.note_candidate(&instance, &class, &name);
    }

    /// Claims a name for a vehicle. The name is also its ROS namespace, so a block with the same name is renamed.
    fn name_vehicle(&mut self, plain: &Reader<'_>, name: String) -> String {
        if !self.names.has(&name) {
            return self.names.unique(&name);
        }
        let other = self.names.unique(&name);
        match self.names.body(&name) {
            Some(BodyRef::Vehicle(_)) => {
                plain.error(format!("a second vehicle called \"{name}\"")).hint("names must be unique");
                return other;
            }
            Some(block @ BodyRef::Block(index)) => {
                plain.warn(format!("the block \"{name}\" is renamed \"{other}\": a vehicle has its name"));
                self.names.give(&other, block);
                self.blocks[index].info.name = other;
            }
            None => {
                plain.error(format!("the name \"{name}\" of this vehicle is taken")).hint("names must be unique");
            }
        }
        name
    }

    /// Reads a vehicle, and warns of everything in it that is unknown. None where a part is missing that others are
    /// read with, which is an error; these others are not read then.
    pub(super) fn read_vehicle(&self, reader: &Reader<'_>, name: String, class: String) -> Option<Loaded> {
        let loaded = self.read_parts(reader, name, class);
        if loaded.is_none() {
            reader.ignore(&["sensor", "odometry", "intangible", "label", "log_path", "auto_start_recording"]);
        }
        reader.finish();
        loaded
    }

    fn read_parts(&self, reader: &Reader<'_>, name: String, class: String) -> Option<Loaded> {
        reader.ignore(&["class", "name"]);
        let Start { pose, height, velocity_in_body, animation, publish } = read_start(reader, PoseIs::Needed);
        let visuals = read_visuals(reader, &self.meshes);
        let laws = self.read_friction(reader);
        let Some(dynamics) = reader.child("dynamics") else {
            reader.missing("<dynamics>");
            return None;
        };
        let entry = one_named(&dynamics, "class", DRIVES, |entry| entry.name)?;
        let mut parts = (entry.read)(&dynamics);
        if parts.chassis.shape_from_visual
            && let Some(tag) = dynamics.child("chassis")
        {
            self.shape_chassis(reader, &tag, &visuals, &mut parts);
        }
        // Other drives know no such tag.
        let front_tag = parts.front.as_ref().and_then(|_| dynamics.child("front_chassis"));
        let front_visuals = front_tag.map_or_else(Vec::new, |tag| read_visuals(&tag, &self.meshes));
        if parts.front.is_some() && animation.is_some() {
            reader.error("an articulated vehicle cannot have a prescribed motion");
        }
        // Road wheels have no tags of their own: theirs are those of the tracks, left and right by turns.
        let tags = parts.drive.tracks().map(|_| TRACK_TAGS);
        let tags = parts.wheels.iter().enumerate().map(|(i, wheel)| tags.map_or(wheel.name, |tags| tags[i % 2]));
        let wheel_visuals: Vec<WheelVisuals> =
            tags.map(|tag| self.read_wheel_visuals(&dynamics, tag, &visuals)).collect();
        let law = on_rollers(self.law_of_wheels(laws, &parts.wheels), &parts.wheels);
        let steering = parts.drive.steering();
        let controller = read_controller(&dynamics, entry, &parts)?;
        let weight = dynamics.choice(
            "weight",
            if dynamics.has("suspension") { WeightRule::Static } else { self.scalars.rules.weight() },
            &[("static", WeightRule::Static), ("uniform", WeightRule::Uniform)],
        );
        let load_transfer = LoadTransfer::read(&dynamics, &parts.wheels, parts.chassis.center_of_mass_height);
        let (suspension, resistance, air) = read_carrying(&dynamics, entry, &parts, weight);
        let commands = Commands::new(&*controller, steering.is_some(), parts.motion.is_some());
        let inputs = Inputs::read(&dynamics, &commands, (self.scalars.seed, &name));
        let steering_actuator = SteeringActuator::read(&dynamics, steering);
        let powertrain = Powertrain::read(&dynamics);
        if powertrain.is_some() {
            check_powertrain(&dynamics, entry, &parts, &*controller);
        }
        if parts.motion.as_ref().is_some_and(|motion| !motion.takes_powertrain()) {
            warn_of_unused(reader, &dynamics, entry);
        }
        let has_pedals = controller.accepts().pedals;
        let front_mass = parts.front.as_ref().map_or(0.0, |front| front.chassis.mass);
        let service_brakes = ServiceBrakes::read(&dynamics, &parts.wheels, parts.chassis.mass + front_mass, has_pedals);
        // Two wheels side by side, left and right: their speeds determine the motion of the body.
        let turns_by_sides = steering.is_none()
            && controller.accepts().twist
            && parts.wheels.iter().all(|wheel| wheel.rollers.is_none())
            && matches!(&parts.wheels[..], [left, right, ..] if left.position.y > right.position.y);
        plausibility::check_dynamics(&dynamics, &parts.chassis, &parts.wheels, steering);
        let dynamics_place = dynamics.place();
        dynamics.finish();
        let wheels: Vec<Wheel> = parts.wheels.into_iter().map(Wheel::new).collect();
        let (sensors, sensor_frames) = self.read_sensors(reader, &name, &wheels);
        let is_intangible = reader.bool("intangible", false);
        if is_intangible && sensors.iter().any(|sensor| sensor.feels()) {
            reader.warn_at("intangible", "an intangible vehicle touches nothing: its contact sensors have no effect");
        }
        let inertia = total_inertia(&parts.chassis, &wheels);
        let mass = inertia.mass + front_mass;
        let source = self.scalars.rules.odometry();
        let odometry = reader.read_child("odometry", |tag| {
            let odometry = Odometry::read(tag, source, &wheels, &inertia);
            match tag.read_child("noise", OdometryNoise::read) {
                Some(noise) => odometry.with_noise(noise, self.scalars.seed, &name),
                None => odometry,
            }
        });
        let odometry = odometry.unwrap_or_else(|| Odometry::new(source)).on_wheels(&wheels);
        let rotary: f64 = wheels.iter().map(|w| w.parameters.inertia / w.parameters.radius.powi(2)).sum();
        if rotary > mass {
            self.context
                .warn(
                    dynamics_place,
                    format!("the wheels weigh {rotary:.3} kg in rotation (Σ I/R²), the vehicle {mass:.3} kg"),
                )
                .hint("its speed will oscillate from step to step; check the inertia of the wheels");
        }
        let info = VehicleInfo {
            id: EntityId::default(),
            name,
            class,
            label: read_label(reader, label::VEHICLE),
            is_animated: animation.is_some(),
            is_intangible,
            outline: parts.chassis.outline.clone(),
            chassis_z: parts.chassis.z,
            color: parts.chassis.color,
            wheels: wheels
                .iter()
                .zip(wheel_visuals)
                .enumerate()
                .map(|(i, (wheel, wheel_visuals))| {
                    let info = wheel_info(wheel, parts.drive.is_steered(i), wheel_visuals);
                    match &parts.front {
                        Some(front) if i >= REAR_WHEELS => on_front(front, info),
                        _ => info,
                    }
                })
                .collect(),
            belts: parts.drive.tracks().map_or_else(Vec::new, |tracks| belts(tracks, &wheels)),
            front: parts.front.as_ref().map(|front| front_info(front, front_visuals)),
            sensors: sensors
                .iter()
                .map(|sensor| sensor.info().in_steps_of(SimTime::from_secs(self.scalars.step)))
                .collect(),
            sensor_frames,
            world_from_start: pose,
            visuals,
            publish,
            accepts: Accepts { side_spins: turns_by_sides, ..controller.accepts() },
            is_on_springs: false,
            moves_sideways: false,
            top_velocity: [None; 2],
            tunables: controller.tunables(),
            mass,
            chassis: chassis_mass(&parts.chassis),
            wheelbase: steering.map(|s| s.wheelbase),
            max_steer: steering.map(|s| s.max_angle),
            acceleration_input: parts.motion.as_ref().and_then(|motion| motion.acceleration_input()),
            steering_bias: parts.motion.as_ref().map_or(0.0, |motion| motion.steering_bias()),
            dynamics: entry.name.to_string(),
            reference_path: Vec::new(),
            track_borders: None,
            log_path: reader.text("log_path").unwrap_or_default(),
            auto_start_recording: reader.bool("auto_start_recording", false),
        };
        let chassis = parts.chassis.clone();
        let front_chassis = parts.front.as_ref().map(|front| front.chassis.clone());
        let parts = VehicleParts {
            drive: parts.drive,
            controller,
            law,
            wheels,
            chassis: parts.chassis,
            front: parts.front,
            weight,
            load_transfer,
            suspension,
            slope: self.scalars.rules.slope(),
            force_frame: self.scalars.rules.force_frame(),
            odometry,
            inputs: inputs.map(Box::new),
            steering_actuator,
            powertrain: powertrain.map(Box::new),
            service_brakes,
            resistance,
            air,
            motion: parts.motion,
        };
        let vehicle = Vehicle::new(parts, self.scalars.gravity);
        Some(Loaded {
            info: VehicleInfo {
                is_on_springs: vehicle.lean().is_some(),
                moves_sideways: vehicle.limits().moves_sideways,
                top_velocity: vehicle.top_velocity(),
                ..info
            },
            chassis,
            front_chassis,
            sensors,
            start_velocity_in_body: vehicle.start_velocity().unwrap_or(velocity_in_body),
            vehicle,
            height,
            animation,
            start_place: reader.place_of(if reader.has("init_pose") { "init_pose" } else { "init_pose3d" }).clone(),
        })
    }

    /// Visuals of the wheel with this tag name, and the visual of the vehicle that turns with it.
    fn read_wheel_visuals(&self, dynamics: &Reader<'_>, name: &str, visuals: &[Visual]) -> WheelVisuals {
        let Some(tag) = dynamics.child(name) else { return WheelVisuals::default() };
        let offset = tag.attribute_degrees("linked_yaw_offset_deg", 0.0, Accept::any());
        let linked = tag.attribute("linked_yaw").filter(|linked| !linked.is_empty());
        let is_there = |linked: &String| visuals.iter().any(|visual| visual.name == *linked);
        if let Some(linked) = linked.as_ref().filter(|linked| !is_there(linked)) {
            let names = visuals.iter().map(|visual| &visual.name).filter(|name| !name.is_empty());
            self.context
                .warn(tag.place_of("linked_yaw"), format!("no <visual> of the vehicle is called \"{linked}\""))
                .one_of(linked, names);
        }
        let linked_yaw = linked.filter(is_there).map(|linked| (linked, offset));
        WheelVisuals { visuals: read_visuals(&tag, &self.meshes), linked_yaw }
    }

    /// The first law for all wheels, and those for some of them, each with its tag.
    fn read_friction<'r>(&self, reader: &Reader<'r>) -> Vec<(Reader<'r>, Box<dyn FrictionLaw>)> {
        let mut has_one_for_all = false;
        let mut laws: Vec<(Reader<'r>, Box<dyn FrictionLaw>)> = Vec::new();
        for tag in reader.children("friction") {
            let is_for_all = tag.attribute("wheels").is_none();
            // Of several for all wheels the first counts, as of any tag.
            if is_for_all && std::mem::replace(&mut has_one_for_all, true) {
                continue;
            }
            let Some(entry) = one_named(&tag, "class", FRICTION_LAWS, |entry| entry.name) else { continue };
            let law = (entry.read)(&tag, &self.scalars.rules.friction());
            tag.finish();
            laws.push((tag, law));
        }
        laws
    }

    /// The law of all wheels, or that of each.
    fn law_of_wheels(
        &self,
        mut tags: Vec<(Reader<'_>, Box<dyn FrictionLaw>)>,
        wheels: &[WheelParameters],
    ) -> Box<dyn FrictionLaw> {
        let places: Vec<_> = wheels.iter().map(|wheel| (wheel.name, wheel.position)).collect();
        let mut of_wheel: Vec<Option<usize>> = vec![None; wheels.len()];
        let mut of_others = None;
        for (law, (tag, _)) in tags.iter().enumerate() {
            match named_wheels(tag, &places) {
                Some(named) => named.into_iter().for_each(|wheel| {
                    of_wheel[wheel].get_or_insert(law);
                }),
                None => of_others = Some(law),
            }
        }
        let default = || {
            let rules = self.scalars.rules.friction();
            (FRICTION_LAWS[0].read)(&Reader::new(self.context, Element::empty()), &rules)
        };
        if of_wheel.iter().all(Option::is_none) {
            return of_others.map_or_else(default, |law| tags.swap_remove(law).1);
        }
        let mut laws: Vec<Box<dyn FrictionLaw>> = tags.into_iter().map(|(_, law)| law).collect();
        let law_of_others = of_others.unwrap_or_else(|| {
            laws.push(default());
            laws.len() - 1
        });
        Box::new(ByWheel::new(laws, of_wheel.into_iter().map(|law| law.unwrap_or(law_of_others)).collect()))
    }
}

/// The controller named in `<dynamics>`, among those that fit the drive. Without one: `raw`, or the first that fits.
fn read_controller(dynamics: &Reader<'_>, drive: &DriveEntry, parts: &DriveParts) -> Option<Box<dyn Controller>> {
    let kind = parts.kind.unwrap_or(drive.kind);
    let fitting = || CONTROLLERS.iter().filter_map(|entry| Some((entry.name, entry.read_for(kind)?)));
    let empty = Reader::new(dynamics.context(), Element::empty());
    let Some(tag) = dynamics.child("controller") else {
        let (_, read) = fitting().find(|(name, _)| *name == "raw").or_else(|| fitting().next())?;
        return Some(read(&empty, parts.drive.steering()));
    };
    let Some(class) = tag.attribute("class") else {
        tag.missing("class");
        return None;
    };
    let Some((_, read)) = fitting().find(|(name, _)| *name == class) else {
        tag.error(format!("unknown class \"{class}\" in <controller> of <dynamics class=\"{}\">", drive.name))
            .one_of(&class, fitting().map(|(name, _)| name));
        return None;
    };
    let controller = read(&tag, parts.drive.steering());
    tag.finish();
    Some(controller)
}

/// Checks that a powertrain has pedals as its input, and differentials or a model that takes its force as its output.
fn check_powertrain(dynamics: &Reader<'_>, drive: &DriveEntry, parts: &DriveParts, controller: &dyn Controller) {
    let Some(tag) = dynamics.child("powertrain") else { return };
    let motion_takes_it = parts.motion.as_ref().is_some_and(|motion| motion.takes_powertrain());
    if parts.drive.drivetrain().is_none() && !motion_takes_it {
        tag.error(format!("<powertrain> in <dynamics class=\"{}\">", drive.name))
            .accepted(["ackermann_drivetrain", "longitudinal"].map(|name| format!("<dynamics class=\"{name}\">")));
    } else if !controller.accepts().pedals {
        let empty = Reader::new(dynamics.context(), Element::empty());
        let with_pedals = CONTROLLERS.iter().filter(|entry| {
            let read = entry.read_for(drive.kind);
            read.is_some_and(|read| read(&empty, parts.drive.steering()).accepts().pedals)
        });
        let named = dynamics.child("controller");
        named
            .as_ref()
            .unwrap_or(&tag)
            .error("the controller has no pedals, which a <powertrain> needs")
            .accepted(with_pedals.map(|entry| format!("<controller class=\"{}\">", entry.name)));
    }
}

/// The shapes of the left and the right track around these road wheels.
fn belts(tracks: &Tracks, wheels: &[Wheel]) -> Vec<BeltInfo> {
    let belt = |middle: &Wheel| {
        let p = &middle.parameters;
        let length = tracks.segment * tracks.road_wheels as f64;
        BeltInfo { position: p.position, length, radius: p.radius, width: p.width, color: p.color }
    };
    wheels.iter().take(2).map(belt).collect()
}

/// The front frame of an articulated vehicle with these visuals.
fn front_info(front: &FrontFrame, visuals: Vec<Visual>) -> FrontFrameInfo {
    let chassis = &front.chassis;
    FrontFrameInfo {
        hinge: front.hinge.position,
        outline: chassis.outline.clone(),
        z: chassis.z,
        color: chassis.color,
        chassis: chassis_mass(chassis),
        visuals,
    }
}

/// A wheel of the front frame, with which the drawings of the frame turn.
fn on_front(front: &FrontFrame, wheel: WheelInfo) -> WheelInfo {
    WheelInfo { pivot: Some(front.hinge.position), linked_yaw: Some((FRONT_FRAME.to_owned(), 0.0)), ..wheel }
}

/// The law `law` under these wheels, if they have rollers.
fn on_rollers(law: Box<dyn FrictionLaw>, wheels: &[WheelParameters]) -> Box<dyn FrictionLaw> {
    let rollers: Vec<Rollers> = wheels.iter().filter_map(|wheel| wheel.rollers).collect();
    if rollers.len() == wheels.len() { Box::new(OnRollers::new(law, rollers)) } else { law }
}

/// Warns of tags for rigid bodies that have no effect in a model of the whole vehicle without longitudinal forces.
fn warn_of_unused(reader: &Reader<'_>, dynamics: &Reader<'_>, drive: &DriveEntry) {
    for (parent, name) in [(reader, "friction"), (dynamics, "brakes"), (dynamics, "resistance")] {
        if let Some(tag) = parent.child(name) {
            tag.warn(format!("<{name}> has no effect with <dynamics class=\"{}\">", drive.name));
        }
    }
}

/// Visuals of a wheel, and the visual of the vehicle that turns with it.
#[derive(Default)]
struct WheelVisuals {
    visuals: Vec<Visual>,
    linked_yaw: Option<(String, f64)>,
}

fn chassis_mass(chassis: &Chassis) -> ChassisMass {
    let height = match chassis.center_of_mass_height {
        height if height > 0.0 => height,
        _ => 0.5 * (chassis.z[0] + chassis.z[1]),
    };
    let center = [chassis.center_of_mass.x, chassis.center_of_mass.y, height];
    ChassisMass { mass: chassis.mass, center, yaw_inertia: chassis.inertia }
}

fn wheel_info(wheel: &Wheel, steered: bool, wheel_visuals: WheelVisuals) -> WheelInfo {
    let p = &wheel.parameters;
    WheelInfo {
        name: p.name.to_string(),
        position: p.position,
        pivot: None,
        radius: p.radius,
        width: p.width,
        mass: p.mass,
        inertia: p.inertia,
        steered,
        mount_yaw: p.mount_yaw,
        color: p.color,
        visuals: wheel_visuals.visuals,
        linked_yaw: wheel_visuals.linked_yaw,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use skidpad_math::Twist2;

    use crate::vehicle::{Action, Command};
    use crate::world::{LoadOptions, World};

    /// A vehicle that goes where it is told to.
    fn robot(name: &str, x: f64, inside: &str) -> String {
        format!(
            "<vehicle name=\"{name}\"><init_pose>{x} 0 0</init_pose>{inside}
            <dynamics class=\"differential\"><controller class=\"twist_ideal\"/></dynamics></vehicle>"
        )
    }

    /// Where a robot from x = 0 gets with 1 m/s in 8 s, whether it has touched anything, the shortest range of another
    /// robot at x = 6, and the warnings.
    fn driven(inside: &str) -> (f64, bool, f32, Vec<String>) {
        let lidar =
            "<sensor class=\"laser\"><fov_degrees>360</fov_degrees><range_std_noise>0</range_std_noise></sensor>";
        let text = format!(
            "<mvsim_world version=\"1.0\">{}{}<block><static>true</static><init_pose>2 0 0</init_pose></block>
            <walls><shape><pt>4 -1</pt><pt>4 1</pt></shape></walls></mvsim_world>",
            robot("ghost", 0.0, inside),
            robot("other", 6.0, lidar)
        );
        let (mut world, warnings) = World::load_text("w", Path::new("."), &text, &LoadOptions::default()).unwrap();
        world.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(1.0, 0.0, 0.0)) }).unwrap();
        let (mut has_touched, mut nearest) = (false, f32::INFINITY);
        for _ in 0..1600 {
            world.step().unwrap();
            has_touched |= world.frame().vehicles.iter().any(|vehicle| vehicle.colliding);
            let scan = world.frame().readings.last().unwrap().data.scan().unwrap();
            nearest = scan.ranges.iter().copied().filter(|range| *range > 0.0).fold(nearest, f32::min);
        }
        let place = |vehicle: usize| world.frame().vehicles[vehicle].world_from_body;
        assert_eq!(place(1).x, 6.0, "nobody pushes the other");
        (place(0).x, has_touched, nearest, warnings.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn an_intangible_vehicle_passes_through_everything_and_is_seen() {
        let (x, has_touched, nearest, warnings) = driven("<intangible>true</intangible>");
        assert!((x - 8.0).abs() < 0.02, "{x}");
        assert!(!has_touched && nearest < 0.5, "{nearest} m from its outline");
        assert_eq!(warnings, [] as [String; 0]);
        let (x, has_touched, nearest, _) = driven("");
        assert!(x < 2.0 && has_touched && nearest > 1.5, "{x} {nearest}: others are stopped by the block");
    }

    #[test]
    fn a_contact_sensor_that_feels_nothing_is_told() {
        let (_, _, _, warnings) = driven("<intangible>true</intangible><sensor class=\"contact\" name=\"bumper\"/>");
        let expected = "an intangible vehicle touches nothing: its contact sensors have no effect";
        assert!(warnings.len() == 1 && warnings[0].ends_with(expected), "{warnings:?}");
    }
}
