//! A few of a sensor's rays, to find out at load whether it sees anything but the vehicle that carries it.

use skidpad_math::{Pose3, Vec3};

use crate::raycast::space::{Looker, Ray};

/// Most rays of a probe.
const MAX_RAYS: usize = 64;
/// The golden ratio less one, whose multiples spread over any number of rays, rows or columns (H. Weyl 1916).
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Indices of up to 64 of `count` rays, spread over all of them.
pub(super) fn spread(count: usize) -> impl Iterator<Item = usize> {
    let index =
        move |k: usize| if count <= MAX_RAYS { k } else { ((GOLDEN * k as f64).fract() * count as f64) as usize };
    (0..count.min(MAX_RAYS)).map(index)
}

/// Up to 64 of the `count` rays of a lidar or range finder mounted at this pose [m, rad], spread over all of them. `direction` is the unit
/// vector of each ray in the sensor's frame, `far` how far it sees [m].
pub(super) fn rays(body_from_sensor: &Pose3, count: usize, direction: impl Fn(usize) -> Vec3, far: f64) -> Vec<Ray> {
    let (origin, rotation) = (body_from_sensor.position(), body_from_sensor.rotation());
    let ray = |index| Ray {
        origin,
        direction: rotation * direction(index),
        near: Ray::START,
        far,
        hidden: None,
        looker: Looker::Lidar,
    };
    spread(count).map(ray).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_those_of_rays_and_reach_every_part() {
        assert_eq!(spread(3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(0).count(), 0);
        // A picture of 640 by 480: each quarter of the rows and of the columns has its share.
        let actual: Vec<usize> = spread(640 * 480).collect();
        for quarter in 0..4 {
            let rows = actual.iter().filter(|index| *index / 640 / 120 == quarter).count();
            let columns = actual.iter().filter(|index| *index % 640 / 160 == quarter).count();
            assert!((12..=20).contains(&rows) && (8..=24).contains(&columns), "{quarter}: {rows} {columns}");
        }
    }
}
