//! Loads a world, drives its robot in a circle and prints where it is: `cargo run -p skidpad-sim --example drive`.
#![allow(clippy::print_stdout, reason = "a program that prints")]

use std::error::Error;
use std::path::Path;

use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};

fn main() -> Result<(), Box<dyn Error>> {
    let text = r#"<mvsim_world><vehicle name="r1">
        <init_pose>0 0 0</init_pose>
        <dynamics class="differential"><controller class="twist_ideal"/></dynamics>
    </vehicle></mvsim_world>"#;
    let (mut world, _) = World::load_text("example", Path::new("."), text, &LoadOptions::default())?;
    world.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(0.5, 0.0, 0.5)) })?;
    while world.frame().time.secs() < 10.0 {
        world.step()?;
    }
    let pose = world.frame().vehicles[0].world_from_body;
    println!("after 10 s: x {:.3} m, y {:.3} m, yaw {:.3} rad", pose.x, pose.y, pose.yaw);
    Ok(())
}
