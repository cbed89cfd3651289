//! Contacts that are felt in a known way.

use super::*;
use crate::raycast::Obstacles;

const STEP: f64 = 0.005;

fn sensor(parameters: ContactParameters) -> ContactSensor {
    let context = SensorContext { seed: 1, vehicle: "r1".into(), name: "bumper".into(), wheels: Vec::new() };
    ContactSensor::new(parameters, &context)
}

fn sample(sensor: &mut ContactSensor) -> Vec<Contact> {
    let obstacles = Obstacles::new();
    let mut reading = sensor.new_reading();
    sensor.sense(&View::at_rest(&obstacles), &mut reading);
    let ReadingData::Contacts(contacts) = reading else { panic!("{reading:?}") };
    contacts
}

/// A touch in the step with this number at `position` [m] in the world, of a body that pushes with `push` [N·s] towards −x.
fn touch<'a>(number: i64, other: &'a Arc<str>, position: [f64; 3], push: f64) -> Touch<'a> {
    let normal = Vec3::new(-1.0, 0.0, 0.0);
    Touch {
        time: SimTime(number * 5_000_000),
        step: STEP,
        world_from_body: Pose3::default(),
        other,
        position: Vec3::from(position),
        normal,
        push,
        impulse: push * normal,
    }
}

#[test]
fn the_points_of_a_face_are_one_contact_where_they_push() {
    let wall: Arc<str> = "wall".into();
    let mut sensor = sensor(ContactParameters::default());
    for (number, pushes) in [(1, [1.0, 3.0]), (2, [0.5, 1.5])] {
        sensor.feel(&touch(number, &wall, [0.5, 0.2, 0.1], pushes[0]));
        sensor.feel(&touch(number, &wall, [0.5, -0.2, 0.1], pushes[1]));
    }
    let contacts = sample(&mut sensor);
    assert_eq!(contacts.len(), 1);
    let contact = &contacts[0];
    assert_eq!(&*contact.other, "wall");
    assert!((contact.position - Vec3::new(0.5, -0.1, 0.1)).norm() < 1e-9, "{contact:?}");
    assert!((contact.force - 4.0 / STEP).abs() < 1e-9, "the first step pushes harder: {contact:?}");
    assert!((contact.impulse - Vec3::new(-6.0, 0.0, 0.0)).norm() < 1e-12, "{contact:?}");
    assert!(sample(&mut sensor).is_empty(), "a sample has what is new");
}

#[test]
fn bodies_and_sides_are_told_apart() {
    let (wall, block): (Arc<str>, Arc<str>) = ("wall".into(), "block".into());
    let mut sensor = sensor(ContactParameters::default());
    sensor.feel(&touch(1, &wall, [0.5, 0.0, 0.0], 1.0));
    sensor.feel(&touch(1, &block, [0.5, 0.1, 0.0], 1.0));
    let beside = Touch { normal: Vec3::new(0.0, -1.0, 0.0), ..touch(1, &wall, [0.0, 0.3, 0.0], 1.0) };
    sensor.feel(&beside);
    let names: Vec<String> = sample(&mut sensor).iter().map(|contact| contact.other.to_string()).collect();
    assert_eq!(names, ["wall", "block", "wall"]);
}

#[test]
fn everything_is_in_the_frame_of_the_sensor() {
    let wall: Arc<str> = "wall".into();
    // On its left side, half a metre ahead; the vehicle heads for +y of the world.
    let quarter = std::f64::consts::FRAC_PI_2;
    let body_from_sensor = Pose3 { x: 0.5, yaw: quarter, ..Pose3::default() };
    let mut sensor = sensor(ContactParameters { body_from_sensor, ..ContactParameters::default() });
    let world_from_body = Pose3 { x: 1.0, y: 2.0, yaw: quarter, ..Pose3::default() };
    sensor.feel(&Touch { world_from_body, ..touch(1, &wall, [1.3, 2.5, 0.0], 2.0) });
    let contact = sample(&mut sensor).remove(0);
    // The sensor looks towards −x of the world, where the impulse points too.
    assert!((contact.position - Vec3::new(-0.3, 0.0, 0.0)).norm() < 1e-12, "{contact:?}");
    assert!((contact.normal - Vec3::new(1.0, 0.0, 0.0)).norm() < 1e-12, "{contact:?}");
    assert!((contact.impulse - Vec3::new(2.0, 0.0, 0.0)).norm() < 1e-12, "{contact:?}");
}

#[test]
fn a_bumper_feels_its_sector_and_what_presses_hard_enough() {
    let wall: Arc<str> = "wall".into();
    let behind = ContactSector { from: 2.0, span: 2.3 };
    for (sector, expected) in [
        (ContactSector { from: -1.0, span: 2.0 }, [true, false, false]),
        (behind, [false, true, false]),
        (ContactSector::default(), [true, true, true]),
    ] {
        for (position, expected) in [[0.5, 0.1, 0.0], [-0.5, -0.1, 0.0], [0.0, 0.5, 0.0]].into_iter().zip(expected) {
            let mut sensor = sensor(ContactParameters { sector, ..ContactParameters::default() });
            sensor.feel(&touch(1, &wall, position, 0.0));
            assert_eq!(sample(&mut sensor).len(), usize::from(expected), "{sector:?} {position:?}");
        }
    }
    let mut sensor = sensor(ContactParameters { least_force: 10.0, ..ContactParameters::default() });
    sensor.feel(&touch(1, &wall, [0.5, 0.0, 0.0], 9.9 * STEP));
    assert!(sample(&mut sensor).is_empty());
    sensor.feel(&touch(2, &wall, [0.5, 0.0, 0.0], 10.1 * STEP));
    assert_eq!(sample(&mut sensor).len(), 1);
}

#[test]
fn a_sample_of_many_contacts_is_bounded() {
    let mut sensor = sensor(ContactParameters::default());
    let names: Vec<Arc<str>> = (0..100).map(|k| k.to_string().into()).collect();
    names.iter().for_each(|name| sensor.feel(&touch(1, name, [0.5, 0.0, 0.0], 1.0)));
    assert_eq!(sample(&mut sensor).len(), MAX_CONTACTS);
}
