//! Rays through a hall of shelves in three dimensions, without a sensor around them: those of a camera and their ways to the sun, those of a
//! lidar, and rays in all directions one by one.

use std::hint::black_box;
use std::sync::Arc;

use rand::Rng as _;
use skidpad_math::{Pose3, Vec3, rng};
use skidpad_sim::raycast::space::{Looker, Model, PACKET, Ray, Space, Surface};

use super::cases::count;

/// Farthest distance [m].
const FAR: f64 = 60.0;

/// Counts rays of each kind.
pub(super) fn rays() {
    let space = hall();
    let camera: Vec<Ray> =
        [(-14.0, -6.0, 0.5), (2.0, 0.0, -1.2), (11.0, 7.0, 3.0)].into_iter().flat_map(pixels).collect();
    let ends = |ray: &Ray| space.cast(ray).map(|hit| ray.origin + hit.range * ray.direction + 1e-3 * hit.normal);
    let to_sun = Vec3::new(0.4, 0.3, 0.85).normalize();
    let shadows: Vec<Ray> = camera.iter().filter_map(ends).map(|end| ray(end, to_sun)).collect();
    packets("camera rays in packets", &space, &camera);
    count("ways to the sun in packets", shadows.len(), "a ray", || {
        for rays in shadows.chunks(PACKET) {
            black_box(space.is_packet_blocked(black_box(rays)));
        }
    });
    packets("lidar rays in packets", &space, &firings(Vec3::new(-3.0, 1.0, 1.2)));
    let mut rng = rng::stream(2, "hall");
    let anywhere = |end: Vec3| {
        let [x, y, z] = [0; 3].map(|_| rng.random_range(-1.0..1.0));
        ray(end, Vec3::new(x, y, z + 1e-3).normalize())
    };
    let anywhere: Vec<Ray> = camera.iter().step_by(8).filter_map(ends).map(anywhere).collect();
    count("rays in all directions one by one", anywhere.len(), "a ray", || {
        for ray in &anywhere {
            black_box(space.cast(black_box(ray)));
        }
    });
}

fn packets(name: &str, space: &Space, rays: &[Ray]) {
    count(name, rays.len(), "a ray", || {
        for rays in rays.chunks(PACKET) {
            black_box(space.cast_packet(black_box(rays)));
        }
    });
}

fn ray(origin: Vec3, direction: Vec3) -> Ray {
    Ray { origin, direction, near: Ray::START, far: FAR, hidden: None, looker: Looker::Camera }
}

/// Rays of a picture of 160 × 120 pixels, from a place 1.2 m above the floor, towards this azimuth [rad], in the order in which cameras take
/// them: four columns of two rows after each other.
fn pixels((x, y, azimuth): (f64, f64, f64)) -> Vec<Ray> {
    let pose = Pose3 { x, y, z: 1.2, yaw: azimuth, pitch: 0.05, roll: 0.02 };
    let along = |row: i32, column: i32| {
        Vec3::new(1.0, (79.5 - f64::from(column)) / 131.0, (59.5 - f64::from(row)) / 131.0).normalize()
    };
    let tiles = (0..120).step_by(2).flat_map(|row| (0..160).step_by(4).map(move |column| (row, column)));
    let places = tiles.flat_map(|(row, column)| (0..8).map(move |lane| (row + lane / 4, column + lane % 4)));
    places.map(|(row, column)| ray(pose.position(), pose.rotation() * along(row, column))).collect()
}

/// Rays of a lidar of 64 rings over 45° and 256 columns, in the order of its columns.
fn firings(origin: Vec3) -> Vec<Ray> {
    let places = (0..256).flat_map(|column| (0..64).map(move |ring| (column, ring)));
    let along = |(column, ring): (i32, i32)| {
        let (sin, cos) = libm::sincos(-std::f64::consts::TAU * f64::from(column) / 256.0);
        let (up, level) = libm::sincos((f64::from(ring) / 63.0 - 0.5) * 45_f64.to_radians());
        ray(origin, Vec3::new(level * cos, level * sin, up))
    };
    places.map(along).collect()
}

/// A hall of 40 m × 24 m with ten rows of shelves, what lies in them, and two vehicles.
fn hall() -> Space {
    let mut rng = rng::stream(1, "hall");
    let mut still = Vec::new();
    still.extend(cuboid([0.0, 0.0, -0.1], [20.0, 12.0, 0.1]));
    for (x, y) in [(-20.0, 0.0), (20.0, 0.0), (0.0, -12.0), (0.0, 12.0)] {
        let half = if y == 0.0 { [0.1, 12.0, 3.0] } else { [20.0, 0.1, 3.0] };
        still.extend(cuboid([x, y, 3.0], half));
    }
    for (row, bay) in (0..10).flat_map(|row| (0..6).map(move |bay| (row, bay))) {
        let (x, y) = (-17.0 + 3.7 * f64::from(row), -8.5 + 2.8 * f64::from(bay));
        for level in 0..4 {
            let z = 0.2 + 0.9 * f64::from(level);
            still.extend(cuboid([x, y, z], [0.5, 1.35, 0.02]));
            for place in 0..4 {
                let [depth, width, height] = [0.4, 0.3, 0.35].map(|most| most * rng.random_range(0.3..1.0));
                let across = -1.0 + 0.66 * f64::from(place);
                still.extend(cuboid([x, y + across, z + 0.02 + height], [depth, width, height]));
            }
        }
        for (side, end) in [(-0.48, -1.33), (0.48, -1.33), (-0.48, 1.33), (0.48, 1.33)] {
            still.extend(cuboid([x + side, y + end, 1.7], [0.03, 0.03, 1.7]));
        }
    }
    let vehicle: Vec<Vec3> = (0..40)
        .flat_map(|_| {
            let [x, y, z] = [0.5, 0.3, 0.25].map(|reach| rng.random_range(-reach..reach));
            cuboid([x, y, 0.4 + z], [0.12, 0.08, 0.06])
        })
        .collect();
    let mut space = Space::new(Vec3::zeros());
    let surfaces: Arc<[Surface]> = [Surface::default()].into();
    space.add(Arc::new(Model::new(&still)), Arc::clone(&surfaces), None, Pose3::default());
    let model = Arc::new(Model::new(&vehicle));
    for (x, y, yaw) in [(-13.3, -4.5, 0.7), (5.2, 1.0, -2.0)] {
        space.add(Arc::clone(&model), Arc::clone(&surfaces), None, Pose3 { x, y, yaw, ..Pose3::default() });
    }
    space.finish();
    space
}

/// The twelve triangles of a box with this middle and these half sides [m].
fn cuboid(middle: [f64; 3], half: [f64; 3]) -> Vec<Vec3> {
    let corner = |bits: usize| {
        let at = |axis: usize| middle[axis] + if bits >> axis & 1 == 1 { half[axis] } else { -half[axis] };
        Vec3::new(at(0), at(1), at(2))
    };
    let faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    faces.into_iter().flat_map(|[a, b, c, d]| [a, b, c, a, c, d].map(corner)).collect()
}
