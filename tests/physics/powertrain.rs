//! Engines, gearboxes and differentials under whole vehicles: against closed forms, quadrature and balances.

use super::common::*;
use skidpad::world::{VehicleFrame, World};

/// A car of 1000 kg on four discs of 0.3 m and 1 kg·m², nothing but its powertrain acting on it.
struct Car {
    drivetrain: String,
    powertrain: String,
    controller: String,
    friction: String,
    velocity: String,
    /// What else stands in the world.
    around: String,
    step: f64,
}

const CAR_MASS: f64 = 1000.0;
const WHEEL_INERTIA: f64 = 1.0;
const CAR_RADIUS: f64 = 0.3;

impl Default for Car {
    fn default() -> Car {
        Car {
            drivetrain: r#"<drivetrain type="open_rear"/>"#.into(),
            powertrain: String::new(),
            controller: r#"<controller class="pedals"><throttle>1</throttle></controller>"#.into(),
            friction: r#"<friction class="default"><mu>1.5</mu><C_damping>0</C_damping></friction>"#.into(),
            velocity: "0 0 0".into(),
            around: String::new(),
            step: 0.005,
        }
    }
}

impl Car {
    fn text(&self) -> String {
        let Car { drivetrain, powertrain, controller, friction, velocity, around, step } = self;
        let wheel = format!(r#"mass="20" width="0.2" diameter="0.6" inertia="{WHEEL_INERTIA}""#);
        format!(
            r#"<mvsim_world><simul_timestep>{step}</simul_timestep>{around}
            <vehicle name="car"><init_pose>0 0 0</init_pose><init_vel>{velocity}</init_vel>
            <dynamics class="ackermann_drivetrain">
            <rl_wheel pos="0 0.7" {wheel}/><rr_wheel pos="0 -0.7" {wheel}/><fl_wheel {wheel}/><fr_wheel {wheel}/>
            <f_wheels_x>2.5</f_wheels_x><f_wheels_d>1.4</f_wheels_d>
            <chassis mass="920" linear_damping="0" angular_damping="0">
            <shape><pt>-0.8 -0.8</pt><pt>-0.8 0.8</pt><pt>3.3 0.8</pt><pt>3.3 -0.8</pt></shape></chassis>
            {drivetrain}{powertrain}{controller}</dynamics>{friction}</vehicle></mvsim_world>"#
        )
    }

    fn world(&self) -> World {
        load(&self.text(), None)
    }
}

/// Ice under everything left of the x axis.
const ICE_LEFT: &str = r#"<element class="property_region"><property_name>friction_mu</property_name>
    <value_double>0.05</value_double><x_min>-1e5</x_min><x_max>1e5</x_max><y_min>0</y_min><y_max>1e5</y_max></element>"#;

fn spins(vehicle: &VehicleFrame) -> [f64; 4] {
    [0, 1, 2, 3].map(|i| vehicle.wheels[i].spin)
}

/// The rear left wheel on ice, a motor of 600 N·m: how far apart the rear spins are after a second, and how fast it is.
fn on_ice(drivetrain: &str) -> ([f64; 2], f64) {
    let car = Car {
        drivetrain: drivetrain.into(),
        controller: r#"<controller class="raw"><torque>600</torque></controller>"#.into(),
        around: ICE_LEFT.into(),
        ..Car::default()
    };
    let mut world = car.world();
    run(&mut world, 1.0);
    let spin = spins(first(&world));
    ([spin[0], spin[1]], first(&world).velocity_in_body.vx)
}

#[test]
fn differentials_on_ice() {
    for kind in ["open_rear", "viscous_rear", "locked_rear", "torsen_rear"] {
        eprintln!("{kind}: {:?}", on_ice(&format!(r#"<drivetrain type="{kind}"/>"#)));
    }
    panic!();
}
