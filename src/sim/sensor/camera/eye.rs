//! Where the pixels of a camera look, and the colours that they see.

use std::ops::Range;

use rayon::prelude::*;
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Reader};

use super::camera_motion::{CameraMotion, Place, Rows, Scratch};
use super::lens::{Distortion, Lens};
use super::samples::{Pattern, SAMPLES};
use super::tiles::{ROWS, Tile};
use crate::raycast::space::batch::Batch;
use crate::raycast::space::{Hit, Looker, PACKET, Ray, Space};
use crate::sensor::{View, WhiteNoise, probe};

/// Most columns and rows of a picture, and most pixels.
const MAX_SIDE: f64 = 8192.0;
const MAX_PIXELS: usize = 1 << 24;

/// A lens, where each pixel looks, and the distances that it is for.
#[derive(Clone, Debug)]
pub(in crate::sensor) struct Eye {
    pub(in crate::sensor) lens: Lens,
    /// Unit vectors in camera axes [-], row by row; empty until [`Eye::open`].
    pub(super) directions: Vec<[f32; 3]>,
    /// Nearest and farthest distance along the z axis [m]; through a fisheye lens along the ray. Rays end at the
    /// farthest one. What is nearer than the nearest is on their way all the same: it hides what is behind.
    pub(in crate::sensor) clip: [f64; 2],
}

impl Eye {
    /// An eye with this lens; the first pixel that the distortion keeps from looking anywhere as an error, as column and row.
    pub(in crate::sensor) fn new(lens: Lens, clip: [f64; 2]) -> Result<Eye, [usize; 2]> {
        lens.check()?;
        Ok(Eye { directions: Vec::new(), lens, clip })
    }

    /// Finds where its pixels look, before the first picture, so that a camera at which nobody looks takes no memory for that.
    pub(in crate::sensor) fn open(&mut self) {
        if self.directions.is_empty() {
            self.directions.reserve_exact(self.pixels());
            // The lens was checked, so that there is one for every pixel.
            self.directions.extend(self.lens.directions().map(Option::unwrap_or_default));
        }
    }

    /// Reads size, camera matrix and distortion from the tags `<prefix>ncols` …, and the distances that it sees from `<prefix>clip_min`
    /// and `<prefix>clip_max`, over these defaults. After an error the eye has one pixel.
    pub(in crate::sensor) fn read(reader: &Reader<'_>, prefix: &str, d: &Lens, clip: [f64; 2]) -> Eye {
        let tag = |name: &str| format!("{prefix}{name}");
        let side = |name: &str, default: usize| {
            reader.integer(&tag(name), default as i64, Accept::range(1.0, MAX_SIDE)) as usize
        };
        let number = |name: &str, default, accept| reader.f64(&tag(name), default, accept);
        let lens = Lens {
            columns: side("ncols", d.columns),
            rows: side("nrows", d.rows),
            focal: [number("fx", d.focal[0], Accept::positive()), number("fy", d.focal[1], Accept::positive())],
            centre: [number("cx", d.centre[0], Accept::any()), number("cy", d.centre[1], Accept::any())],
            distortion: read_distortion(reader, prefix),
        };
        let near = number("clip_min", clip[0], Accept::positive());
        let far = number("clip_max", clip[1], Accept::positive());
        if far <= near {
            reader.error_at(
                &tag("clip_max"),
                format!("{prefix}clip_max {far} m is not beyond {prefix}clip_min {near} m"),
            );
        }
        if lens.columns * lens.rows > MAX_PIXELS {
            let (columns, rows) = (lens.columns, lens.rows);
            reader
                .error_at(&tag("ncols"), format!("{columns} x {rows} pixels are too many"))
                .accepted([format!("{prefix}ncols x {prefix}nrows up to {MAX_PIXELS}")]);
            return Eye::of_one_pixel();
        }
        Eye::new(lens, [near, far]).unwrap_or_else(|[column, row]| {
            let parameters: Vec<String> = lens.distortion.parameters().iter().map(f64::to_string).collect();
            let parameters = parameters.join(" ");
            reader
                .error_at(
                    &tag("distortion"),
                    format!("the distortion {parameters} has no inverse at the pixel in column {column}, row {row}"),
                )
                .hint("give parameters of a calibration of the whole picture, or fewer pixels");
            Eye::of_one_pixel()
        })
    }

    fn of_one_pixel() -> Eye {
        let lens = Lens { columns: 1, rows: 1, ..Lens::default() };
        Eye { lens, directions: Vec::new(), clip: [0.1, 1.0] }
    }

    /// Memory of a picture whose pixels take so many samples [bytes]: a direction for each pixel, and two triangles of a batch for each ray.
    pub(in crate::sensor) fn memory(&self, samples: usize) -> u64 {
        self.pixels() as u64 * (12 + 16 * samples as u64)
    }

    /// Number of rays of a picture on this film. `sees_middles`: of each pixel also what its middle sees is wanted.
    pub(in crate::sensor) fn rays_of(&self, film: &Film, sees_middles: bool) -> u64 {
        let more = sees_middles && film.samples > 1;
        (film.samples as u64 + u64::from(more)) * self.pixels() as u64
    }

    /// Number of pixels.
    pub(in crate::sensor) fn pixels(&self) -> usize {
        self.lens.columns * self.lens.rows
    }

    /// The ray of the pixel with this index, and how far it gets along the z axis with each metre.
    ///
    /// # Panics
    /// The eye is not open.
    #[inline]
    pub(in crate::sensor) fn ray(&self, pixel: usize, place: &Place) -> (Ray, f64) {
        self.ray_along(Vec3::from(self.directions[pixel].map(f64::from)), place)
    }

    /// The rays of the pixels of a tile of rows, of which each has its place.
    ///
    /// # Panics
    /// The eye is not open.
    #[inline]
    fn packet(&self, first_row: usize, tile: &Tile, places: &[Place; ROWS]) -> [Ray; PACKET] {
        tile.pixels.map(|(row, column)| self.ray((first_row + row) * self.lens.columns + column, &places[row]).0)
    }

    /// How far the ray of the pixel with this index gets along the z axis with each metre.
    ///
    /// # Panics
    /// The eye is not open.
    #[inline]
    pub(in crate::sensor) fn along(&self, pixel: usize) -> f64 {
        f64::from(self.directions[pixel][2])
    }

    /// The ray along a unit vector in camera axes [-], and how far it gets along the z axis with each metre.
    #[inline]
    pub(super) fn ray_along(&self, direction: Vec3, place: &Place) -> (Ray, f64) {
        let along = direction.z;
        let far = match self.lens.distortion {
            Distortion::PlumbBob(_) => self.clip[1] / along,
            Distortion::Equidistant(_) => self.clip[1],
        };
        let direction = place.rotation * direction;
        (
            Ray {
                origin: place.position,
                direction,
                near: Ray::START,
                far,
                hidden: place.hidden,
                looker: Looker::Camera,
            },
            along,
        )
    }

    /// A few of its rays in the frame of a vehicle on which it has this pose [m, rad].
    pub(in crate::sensor) fn probes(&self, body_from_camera: Pose3) -> impl Iterator<Item = Ray> {
        let place = Place::new(body_from_camera, None);
        probe::spread(self.pixels()).filter_map(move |pixel| {
            let at = [pixel % self.lens.columns, pixel / self.lens.columns].map(|index| index as f64);
            Some(self.ray_along(self.lens.direction(at)?, &place).0)
        })
    }

    /// Calls `each` with these rays of all, of which each pixel has as many as the pattern.
    fn rays(&self, pattern: &Pattern, rays: Range<usize>, at_row: impl Fn(usize) -> Place, each: &mut dyn FnMut(Ray)) {
        let of_row = pattern.count() * self.lens.columns;
        let mut rays = rays.peekable();
        while let Some(&first) = rays.peek() {
            let row = first / of_row;
            let place = at_row(row);
            while let Some(ray) = rays.next_if(|ray| ray / of_row == row) {
                each(self.ray_along(self.direction(pattern, ray), &place).0);
            }
        }
    }

    /// Fills `out` with what `value_of` makes of the index of each pixel, the place of the camera, the ray through the middle of the pixel,
    /// and what it meets. Pairs of rows are rendered in parallel.
    pub(in crate::sensor) fn measure<T: Send>(
        &self,
        view: &View<'_>,
        space: &Space,
        scratch: &mut Scratch,
        at_row: impl Fn(usize) -> Place + Sync,
        out: &mut [T],
        value_of: impl Fn(usize, &Place, &Ray, Option<Hit>) -> T + Sync,
    ) {
        let middles = Pattern::new(1);
        let (batch, hidden) = (&mut scratch.batch, at_row(0).hidden);
        batch.find(space, self.pixels(), hidden, |pixels, each| self.rays(&middles, pixels, &at_row, each));
        let batch = &*batch;
        out.par_chunks_mut(ROWS * self.lens.columns).enumerate().for_each(|(pair, out)| {
            if !view.is_cancelled() {
                self.measure_rows(space, batch, ROWS * pair, &at_row, out, &value_of);
            }
        });
    }

    /// The same of as many rows as there are in `out`, [`ROWS`] at most, from `first_row` on.
    fn measure_rows<T>(
        &self,
        space: &Space,
        batch: &Batch,
        first_row: usize,
        at_row: impl Fn(usize) -> Place,
        out: &mut [T],
        value_of: impl Fn(usize, &Place, &Ray, Option<Hit>) -> T,
    ) {
        let columns = self.lens.columns;
        let (first, rows) = (first_row * columns, out.len() / columns);
        let places = [at_row(first_row), at_row(first_row + rows - 1)];
        for tile in Tile::of_rows(rows, columns) {
            let index = tile.pixels.map(|(row, column)| row * columns + column);
            let rays = self.packet(first_row, &tile, &places);
            let hits = batch.cast_packet(space, |lane| first + index[lane], &rays[..tile.count]);
            for lane in 0..tile.count {
                let (row, pixel) = (tile.pixels[lane].0, index[lane]);
                out[pixel] = value_of(first + pixel, &places[row], &rays[lane], hits[lane]);
            }
        }
    }

    /// Writes the picture that a camera takes, row by row, three bytes a pixel. Pairs of rows are rendered in parallel.
    pub(in crate::sensor) fn photograph(&self, request: &PictureRequest<'_>, scratch: &mut Scratch, out: &mut [u8]) {
        // Values without size take no memory.
        let nothing = &mut vec![(); self.pixels()];
        self.photograph_and(request, scratch, out, nothing, |_, _, _| ());
    }

    /// The same, and fills a second picture with what `value_of` makes of the index of each pixel, the place of the camera, and what the
    /// middle of the pixel sees.
    pub(in crate::sensor) fn photograph_and<T: Send>(
        &self,
        request: &PictureRequest<'_>,
        scratch: &mut Scratch,
        out: &mut [u8],
        second: &mut [T],
        value_of: impl Fn(usize, &Place, Option<Hit>) -> T + Sync,
    ) {
        let PictureRequest { view, space, motion, film, noise } = *request;
        let Lens { columns, rows, .. } = self.lens;
        let at_row = |row| motion.at_row(row, rows);
        let pattern = Pattern::new(film.samples);
        // Of as many rows as the parts of the pictures have.
        let expose = |space: &Space, batch: &Batch, first_row: usize, pixels: &mut [u8], seconds: &mut [T]| {
            let pixels = pixels.as_chunks_mut::<3>().0;
            if pattern.count() > 1 {
                for (row, pixels) in pixels.chunks_mut(columns).enumerate() {
                    let mut noise = noise.of_row(first_row + row);
                    let place = at_row(first_row + row);
                    self.expose(space, batch, first_row + row, &place, &pattern, |pixel, color| {
                        pixels[pixel] = film.develop(color, &mut noise);
                    });
                }
                return;
            }
            let (first, rows) = (first_row * columns, pixels.len() / columns);
            let ends = [first_row, first_row + rows - 1];
            let (places, mut noises) = (ends.map(at_row), ends.map(|row| noise.of_row(row)));
            for tile in Tile::of_rows(rows, columns) {
                let index = tile.pixels.map(|(row, column)| row * columns + column);
                let rays = self.packet(first_row, &tile, &places);
                let spread = self.spread(space, first + index[0]);
                let seen = batch.look_packet(space, |lane| first + index[lane], &rays[..tile.count], spread);
                for lane in 0..tile.count {
                    let ((color, hit), row, pixel) = (seen[lane], tile.pixels[lane].0, index[lane]);
                    pixels[pixel] = film.develop(color, &mut noises[row]);
                    seconds[pixel] = value_of(first + pixel, &places[row], hit);
                }
            }
        };
        let of_middle = |pixel, place: &Place, _: &Ray, hit| value_of(pixel, place, hit);
        let looks_twice = pattern.count() > 1 && size_of::<T>() > 0;
        let bands = motion.bands(self, space);
        if bands > 1 {
            // Bands are too small for a batch caster.
            let one_by_one = Batch::default();
            let colors = Rows { numbers: out, per_row: 3 * columns };
            let seconds = Rows { numbers: second, per_row: columns };
            scratch.in_bands(request, rows, bands, colors, seconds, |space, row, pixels, seconds| {
                expose(space, &one_by_one, row, pixels, seconds);
                if looks_twice {
                    self.measure_rows(space, &one_by_one, row, at_row, seconds, of_middle);
                }
            });
            return;
        }
        let rays = pattern.count() * self.pixels();
        let batch = &mut scratch.batch;
        batch.find(space, rays, at_row(0).hidden, |rays, each| self.rays(&pattern, rays, at_row, each));
        batch.find_shadows(space, |rays, each| self.rays(&pattern, rays, at_row, each));
        let batch = &*batch;
        let both = out.par_chunks_mut(ROWS * 3 * columns).zip(second.par_chunks_mut(ROWS * columns));
        both.enumerate().for_each(|(pair, (pixels, seconds))| {
            if !view.is_cancelled() {
                expose(space, batch, ROWS * pair, pixels, seconds);
            }
        });
        if looks_twice {
            self.measure(view, space, scratch, at_row, second, of_middle);
        }
    }
}

/// Reads `<prefix>distortion_model` and `<prefix>distortion`.
fn read_distortion(reader: &Reader<'_>, prefix: &str) -> Distortion {
    let table = Distortion::NAMES.map(|name| (name.0, name));
    let (name, count) = reader.choice(&format!("{prefix}distortion_model"), Distortion::NAMES[0], &table);
    let parameters = reader.numbers(&format!("{prefix}distortion"), &[count]).unwrap_or_else(|| vec![0.0; count]);
    if name == Distortion::NAMES[0].0 {
        Distortion::PlumbBob(parameters.try_into().unwrap_or_default())
    } else {
        Distortion::Equidistant(parameters.try_into().unwrap_or_default())
    }
}

/// Order of the bytes of a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColorOrder {
    /// Blue, green, red: MVSim's.
    #[default]
    Bgr8,
    /// Red, green, blue.
    Rgb8,
}

impl ColorOrder {
    /// Their names in world files and in messages.
    pub const NAMES: &[(&str, ColorOrder)] = &[("bgr8", ColorOrder::Bgr8), ("rgb8", ColorOrder::Rgb8)];

    /// Name of the encoding in `sensor_msgs/Image`.
    pub fn name(self) -> &'static str {
        ColorOrder::NAMES[self as usize].0
    }
}

/// How light becomes bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Film {
    /// Factor of all colours [-].
    pub exposure: f64,
    /// Standard deviation of the noise of each channel of each pixel, as a share of the full scale [-].
    pub noise_std: f64,
    /// Order of the bytes.
    pub order: ColorOrder,
    /// Time from the first row to the last one [s]; 0: all at once.
    pub readout: f64,
    /// Rays of each pixel, whose colours are averaged: 1, 4, 9 or 16.
    pub samples: usize,
}

impl Default for Film {
    fn default() -> Film {
        Film { exposure: 1.0, noise_std: 0.0, order: ColorOrder::default(), readout: 0.0, samples: 1 }
    }
}

impl Film {
    /// Reads `<prefix>exposure`, `<prefix>noise_std`, `<prefix>encoding`, `<prefix>readout_time` and `<prefix>samples`.
    pub(in crate::sensor) fn read(reader: &Reader<'_>, prefix: &str) -> Film {
        let d = Film::default();
        Film {
            exposure: reader.f64(&format!("{prefix}exposure"), d.exposure, Accept::positive()),
            noise_std: reader.f64(&format!("{prefix}noise_std"), d.noise_std, Accept::range(0.0, 1.0)),
            order: reader.choice(&format!("{prefix}encoding"), d.order, ColorOrder::NAMES),
            readout: reader.f64(&format!("{prefix}readout_time"), d.readout, Accept::range(0.0, 1.0)),
            samples: reader.choice(&format!("{prefix}samples"), d.samples, SAMPLES),
        }
    }

    #[inline]
    fn develop(&self, [red, green, blue]: [f32; 3], noise: &mut WhiteNoise) -> [u8; 3] {
        let channels = match self.order {
            ColorOrder::Bgr8 => [blue, green, red],
            ColorOrder::Rgb8 => [red, green, blue],
        };
        channels.map(|channel| {
            let error = if self.noise_std > 0.0 { self.noise_std * noise.sample() } else { 0.0 };
            // To the nearest number; the conversion saturates.
            (255.0 * (self.exposure * f64::from(channel) + error) + 0.5) as u8
        })
    }
}

/// A picture that a camera is to take.
#[derive(Clone, Copy)]
pub(in crate::sensor) struct PictureRequest<'a> {
    /// The look of the vehicle that carries the camera.
    pub view: &'a View<'a>,
    /// What the camera sees.
    pub space: &'a Space,
    /// Where the camera is while the rows are taken.
    pub motion: CameraMotion,
    /// How light becomes bytes.
    pub film: &'a Film,
    /// The noise of the picture.
    pub noise: RowNoise,
}

/// The noise of one picture: a stream for each row, so that rows can be rendered in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sensor) struct RowNoise(pub(in crate::sensor) u64);

impl RowNoise {
    pub(in crate::sensor) fn of_row(self, row: usize) -> WhiteNoise {
        WhiteNoise::seeded(self.0 ^ (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_eye_takes_memory_when_it_opens_and_its_probes_are_rays_of_its_pixels() {
        let lens = Lens { distortion: Distortion::PlumbBob([-0.1, 0.01, 0.001, 0.0, 0.0]), ..Lens::default() };
        let mut eye = Eye::new(lens, [0.1, 10.0]).unwrap();
        let probes: Vec<Ray> = eye.probes(Pose3::default()).collect();
        assert_eq!(eye.directions.capacity(), 0);
        eye.open();
        assert_eq!(eye.directions.len(), eye.pixels());
        let place = Place::new(Pose3::default(), None);
        for (probe, pixel) in probes.iter().zip(probe::spread(eye.pixels())) {
            assert!((probe.direction - eye.ray(pixel, &place).0.direction).norm() < 1e-7, "pixel {pixel}");
        }
    }
}
