//! Worlds written in place, and how to run them.

use std::path::{Path, PathBuf};

use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{Frame, LoadOptions, PhysicsRules, VehicleFrame, World};

/// A file or a folder of the repository, by its path from the root.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("this crate is in src/sim").join(path)
}

/// Loads what stands between `<mvsim_world>` and its end.
pub fn world(inner: &str) -> World {
    world_with(inner, None)
}

/// The same under these rules.
pub fn world_with(inner: &str, physics: Option<PhysicsRules>) -> World {
    load(&format!("<mvsim_world>{inner}</mvsim_world>"), physics)
}

/// Loads the whole text of a world, which names files by their paths from the root of the repository.
pub fn load(text: &str, physics: Option<PhysicsRules>) -> World {
    let options = LoadOptions { physics, ..LoadOptions::default() };
    match World::load_text("test.xml", &repository(""), text, &options) {
        Ok((world, _)) => world,
        Err(problems) => panic!("{problems}\nin\n{text}"),
    }
}

/// The messages of a world that must not load.
pub fn problems(text: &str) -> Vec<String> {
    match World::load_text("bad.xml", Path::new("."), text, &LoadOptions::default()) {
        Ok(_) => panic!("loads although it is wrong:\n{text}"),
        Err(problems) => problems.0.iter().map(ToString::to_string).collect(),
    }
}

/// Steps until `seconds` more have passed.
pub fn run(world: &mut World, seconds: f64) {
    let steps = (seconds / world.scene().step.secs()).round() as usize;
    for _ in 0..steps {
        world.step().expect("finite numbers");
    }
}

/// Steps once and gives the frame.
pub fn step(world: &mut World) -> &Frame {
    world.step().expect("finite numbers")
}

/// The first vehicle.
pub fn first(world: &World) -> &VehicleFrame {
    &world.frame().vehicles[0]
}

/// Commands a velocity.
pub fn twist(world: &mut World, vehicle: usize, vx: f64, wz: f64) {
    let action = Action::Twist(Twist2::new(vx, 0.0, wz));
    world.command(Command { vehicle, action }).expect("takes velocities");
}

/// A test vehicle of 100 kg with four discs of 5 kg and 0.3 m radius at x = 0 and 1, y = ±0.5, its centre of mass amid
/// them: equal loads under every weight rule, rolling inertia ΣI/R² = 10 kg.
pub struct Cart {
    pub drive: &'static str,
    pub inside: String,
    pub friction: String,
    pub pose: &'static str,
    pub velocity: String,
}

/// Wheels of steered and of four-wheeled omnidirectional drives.
const FOUR: [&str; 4] = ["rl_wheel", "rr_wheel", "fl_wheel", "fr_wheel"];

/// Mass of the cart [kg].
pub const MASS: f64 = 120.0;
/// ΣI/R² of its wheels [kg].
pub const ROLLING_MASS: f64 = 10.0;
/// Radius of its wheels [m].
pub const RADIUS: f64 = 0.3;
/// Standard gravity of a world [m/s²].
pub const GRAVITY: f64 = 9.81;

impl Default for Cart {
    fn default() -> Cart {
        Cart {
            drive: "differential_4_wheels",
            inside: String::new(),
            friction: r#"<friction class="default"><mu>0.8</mu><C_damping>0</C_damping></friction>"#.to_string(),
            pose: "0 0 0",
            velocity: "0 0 0".to_string(),
        }
    }
}

impl Cart {
    /// The cart as a `<vehicle>` called `name`.
    pub fn named(&self, name: &str) -> String {
        let Cart { drive, inside, friction, pose, velocity } = self;
        let common = r#"mass="5" width="0.1" diameter="0.6""#;
        let corners = ["0 0.5", "0 -0.5", "1 0.5", "1 -0.5"];
        let (names, places): (&[&str], &[&str]) = match *drive {
            "omni_3_wheels" => (&["fl_wheel", "fr_wheel", "rear_wheel"], &["1 0.5 150", "1 -0.5 30", "-0.1 0 270"]),
            "omni_4_wheels" => (&FOUR, &["0 0.5 225", "0 -0.5 315", "1 0.5 135", "1 -0.5 45"]),
            "tricycle" => (&["rl_wheel", "rr_wheel", "f_wheel"], &["0 0.5", "0 -0.5", "1 0"]),
            drive if drive.starts_with("ackermann") || ["mecanum", "articulated"].contains(&drive) => (&FOUR, &corners),
            _ => (&["lr_wheel", "rr_wheel", "lf_wheel", "rf_wheel"], &corners),
        };
        let wheels: String =
            names.iter().zip(places).map(|(name, pos)| format!(r#"<{name} pos="{pos}" {common}/>"#)).collect();
        let wheels = if *drive == "tracked" {
            ["l_track", "r_track"]
                .iter()
                .zip(["0.5 0.5", "0.5 -0.5"])
                .map(|(name, pos)| {
                    format!(r#"<{name} pos="{pos}" length="1.2" mass="10" width="0.1" diameter="0.6"/>"#)
                })
                .collect()
        } else {
            wheels
        };
        let geometry = match *drive {
            "articulated" => r#"<front_chassis mass="50" linear_damping="0" angular_damping="0"/>"#,
            drive if drive.starts_with("ackermann") => "<f_wheels_x>1</f_wheels_x><f_wheels_d>1</f_wheels_d>",
            _ => "",
        };
        format!(
            r#"<vehicle name="{name}"><init_pose>{pose}</init_pose><init_vel>{velocity}</init_vel>
            <dynamics class="{drive}">{wheels}{geometry}
            <chassis mass="100" linear_damping="0" angular_damping="0">
            <shape><pt>-0.2 -0.4</pt><pt>-0.2 0.4</pt><pt>1.2 0.4</pt><pt>1.2 -0.4</pt></shape></chassis>
            {inside}</dynamics>{friction}</vehicle>"#
        )
    }

    /// The cart alone in a world with this step [s].
    pub fn world(&self, step: f64) -> World {
        world(&format!("<simul_timestep>{step}</simul_timestep>{}", self.named("cart")))
    }
}

/// A plane that rises by `grade` [-] along x and reaches `reach` [m] from the origin along each axis.
pub fn plane(grade: f64, reach: f64) -> String {
    let height = reach * grade;
    format!(
        r#"<element class="elevation_map"><resolution>{}</resolution>
        <elevation_data_matrix>[{} {}; {height} {height}]</elevation_data_matrix>
        <corner_min_x>{}</corner_min_x><corner_min_y>{}</corner_min_y></element>"#,
        2.0 * reach,
        -height,
        -height,
        -reach,
        -reach
    )
}
