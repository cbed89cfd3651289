//! Where rays begin and where they lead: the way of the sensor during a look.

use std::ops::Range;

use skidpad_math::time::SimTime;

use super::Lidar3dParameters;
use super::pattern::PatternRay;
use crate::raycast::space::{Looker, PACKET, Ray};
use crate::sensor::turn::Way;

/// The rays of one look, during which the sensor moves evenly.
pub(super) struct Aim<'a> {
    /// In the order of their times.
    pub rays: &'a [PatternRay],
    /// When the turn began [ns].
    pub start: SimTime,
    /// The way of the vehicle.
    pub way: Way,
    pub parameters: &'a Lidar3dParameters,
    /// Index of a vehicle that is not seen.
    pub hidden: Option<usize>,
}

impl Aim<'_> {
    /// Calls `each` with the rays of this part of them, up to [`PACKET`] at a time that run along each other, the index of the first, and how far
    /// it is from each index to the next.
    ///
    /// Those of a lidar with few rings are of one ring and columns beside each other: rings are farther apart.
    #[inline]
    pub(super) fn packets(&self, part: Range<usize>, mut each: impl FnMut(usize, usize, &[Ray])) {
        /// Most rings that are far apart.
        const FEW_RINGS: usize = 32;
        /// Fewer columns are no packet.
        const MIN_COLUMNS: usize = 3;
        let rings = self.parameters.pattern.rings_of_a_column();
        let rings = if rings <= FEW_RINGS { rings } else { 1 };
        let (mut block, mut count, mut first) = ([Ray::NOWHERE; PACKET * FEW_RINGS], 0, part.start);
        let mut packets = |first: usize, block: &[Ray]| {
            if rings == 1 || block.len() < MIN_COLUMNS * rings {
                block.chunks(PACKET).enumerate().for_each(|(packet, rays)| each(first + PACKET * packet, 1, rays));
                return;
            }
            for ring in 0..rings {
                let (mut packet, mut lanes) = ([block[ring]; PACKET], 0);
                for (ray, of_ring) in packet.iter_mut().zip(block[ring..].iter().step_by(rings)) {
                    *ray = *of_ring;
                    lanes += 1;
                }
                each(first + ring, rings, &packet[..lanes]);
            }
        };
        self.rays(part, |ray| {
            block[count] = ray;
            count += 1;
            if count == PACKET * rings {
                packets(first, &block[..count]);
                (first, count) = (first + count, 0);
            }
        });
        packets(first, &block[..count]);
    }

    /// Calls `each` with each ray of this part of them, in order.
    #[inline]
    pub(super) fn rays(&self, part: Range<usize>, mut each: impl FnMut(Ray)) {
        let Lidar3dParameters { range: [_, far], body_from_sensor, .. } = *self.parameters;
        let mut at = None;
        for ray in &self.rays[part] {
            let time = self.start + SimTime(i64::from(ray.since_start));
            let (origin, rotation) = match at {
                Some((of, origin, rotation)) if of == time => (origin, rotation),
                _ => {
                    let world_from_sensor = self.way.at(time) * body_from_sensor;
                    (world_from_sensor.position(), world_from_sensor.rotation())
                }
            };
            at = Some((time, origin, rotation));
            each(Ray {
                origin,
                direction: rotation * ray.direction,
                near: Ray::START,
                far,
                hidden: self.hidden,
                looker: Looker::Lidar,
            });
        }
    }
}
