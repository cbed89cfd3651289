//! Pictures of a world from anywhere: a camera that no vehicle carries.

use std::ops::Range;

use skidpad_files::assets::Cancel;
use skidpad_math::{Pose3, Vec2, Vec3};

use super::World;
use super::surroundings::Surroundings;
use crate::raycast::Obstacles;
use crate::sensor::camera::Lens;
use crate::sensor::{Camera, CameraModel, CameraParameters, ReadingData, Sensor as _, SensorContext, View};

/// Pixels that are photographed at a time: what a camera keeps for each pixel is kept for so many only. A picture can
/// be cancelled between two rows.
const BAND: usize = 1 << 17;

/// Takes pictures of one world. It keeps what cameras see of that world, until bodies come or go.
#[derive(Default)]
pub struct Photographer {
    surroundings: Option<Surroundings>,
    revision: u64,
}

/// Where a picture is taken from, and how large it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewpoint {
    /// Where the camera is, in the world [m].
    pub eye: Vec3,
    /// What is in the middle of the picture [m].
    pub target: Vec3,
    /// Angle from the upper to the lower edge [rad], between 0 and π.
    pub field_of_view: f64,
    /// Columns and rows.
    pub size: [usize; 2],
}

impl Viewpoint {
    /// From above everything that `world` contains, north up, at this size.
    pub fn above(world: &World, size: [usize; 2]) -> Viewpoint {
        let field_of_view = 0.8_f64;
        let [low, high] = extent(world);
        let middle = 0.5 * (low + high);
        let aspect = size[0] as f64 / size[1].max(1) as f64;
        let half = (0.5 * (high.y - low.y)).max(0.5 * (high.x - low.x) / aspect).max(1.0);
        let distance = 1.05 * half / libm::tan(0.5 * field_of_view);
        Viewpoint { eye: Vec3::new(middle.x, middle.y, high.z + distance), target: middle, field_of_view, size }
    }

    /// Pose of the camera in the world [m, rad], in optical axes: z ahead, x to the right, y down. Straight down, x of
    /// the world is to the right.
    fn world_from_camera(&self) -> Pose3 {
        let ahead = (self.target - self.eye).try_normalize(1e-9).unwrap_or(-Vec3::z());
        let up = if ahead.z.abs() > 1.0 - 1e-6 { Vec3::y() } else { Vec3::z() };
        let right = ahead.cross(&up).normalize();
        let down = ahead.cross(&right);
        Pose3::from_parts(self.eye, &nalgebra::Matrix3::from_columns(&[right, down, ahead]))
    }

    fn lens(&self) -> Lens {
        let [columns, rows] = self.size;
        let focal = 0.5 * rows as f64 / libm::tan(0.5 * self.field_of_view);
        Lens { columns, rows, focal: [focal; 2], centre: [0.5 * columns as f64, 0.5 * rows as f64], ..Lens::default() }
    }
}

/// Lower and upper corner [m] of a box around vehicles, blocks and maps, with room around each vehicle.
fn extent(world: &World) -> [Vec3; 2] {
    const ROOM: f64 = 2.0;
    let (scene, frame) = (world.scene(), world.frame());
    let mut corners = Vec::new();
    for (vehicle, info) in frame.vehicles.iter().zip(&scene.vehicles) {
        let position = vehicle.world_from_body.position();
        corners.extend([position - Vec3::new(ROOM, ROOM, 0.0), position + Vec3::new(ROOM, ROOM, info.chassis_z[1])]);
    }
    for (pose, info) in frame.blocks.iter().zip(&scene.blocks) {
        let at = |z: f64| info.outline.iter().map(move |corner| pose.transform_point(Vec3::new(corner.x, corner.y, z)));
        corners.extend(info.z.into_iter().flat_map(at));
    }
    for map in &scene.maps {
        let [width, height] = [map.width, map.height].map(|cells| cells as f64 * map.resolution);
        let of_map = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
        corners.extend(
            of_map.map(|(x, y)| map.world_from_grid.transform_point(Vec2::new(x, y))).map(|p| Vec3::new(p.x, p.y, 0.0)),
        );
    }
    let Some(first) = corners.first().copied() else { return [Vec3::zeros(); 2] };
    corners.iter().fold([first; 2], |[low, high], corner| [low.inf(corner), high.sup(corner)])
}

impl Photographer {
    /// A picture of a world as its last frame shows it: three bytes a pixel, red green blue, row by row from the top.
    ///
    /// `cancel` ends it early in another thread, and what there is of the picture is then of no use.
    pub fn picture(&mut self, world: &World, from: &Viewpoint, cancel: Option<&Cancel>) -> Vec<u8> {
        if self.surroundings.is_none() || self.revision != world.scene().revision {
            self.surroundings = Some(Surroundings::in_color(world.scene(), self.surroundings.take()));
            self.revision = world.scene().revision;
        }
        let Some(surroundings) = &mut self.surroundings else { return Vec::new() };
        surroundings.place(world.frame());
        let obstacles = Obstacles::new();
        let (time, space) = (world.frame().time, Some(&surroundings.space));
        let view = View { time, space, cancel, ..View::at_rest(&obstacles) };
        let [columns, rows] = from.size;
        let band = (BAND / columns.max(1)).max(1);
        let mut picture = Vec::with_capacity(3 * columns * rows);
        for first in (0..rows).step_by(band) {
            if cancel.is_some_and(Cancel::is_cancelled) {
                break;
            }
            let Some(pixels) = photograph(from, first..rows.min(first + band), &view) else { return Vec::new() };
            picture.extend(pixels);
        }
        picture
    }
}

/// Takes these rows of a picture. The rays of its pixels are those of the whole picture, bit by bit: its middle is a
/// multiple of half a pixel.
fn photograph(from: &Viewpoint, rows: Range<usize>, view: &View<'_>) -> Option<Vec<u8>> {
    let whole = from.lens();
    let lens = Lens { rows: rows.len(), centre: [whole.centre[0], whole.centre[1] - rows.start as f64], ..whole };
    let mut model = CameraModel { lens, ..CameraParameters::default().model };
    model.film.order = crate::sensor::camera::ColorOrder::Rgb8;
    let parameters =
        CameraParameters { body_from_sensor: from.world_from_camera(), model, ..CameraParameters::default() };
    let context = SensorContext { seed: 0, vehicle: String::new(), name: "photographer".into(), wheels: Vec::new() };
    // Without distortion a lens can always be inverted.
    let mut camera = Camera::new(parameters, &context).ok()?;
    let mut reading = camera.new_reading();
    camera.sense(view, &mut reading);
    match reading {
        ReadingData::Photograph(photograph) => Some(photograph.pixels),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::world::LoadOptions;

    #[test]
    fn a_picture_from_above_shows_a_block_where_it_is() {
        let text = "<mvsim_world><block name=\"red\"><static>true</static><color>#ff0000</color><init_pose>3 2 0</init_pose>\
            <shape><pt>-1 -1</pt><pt>1 -1</pt><pt>1 1</pt><pt>-1 1</pt></shape></block>\
            <block name=\"far\"><static>true</static><color>#0000ff</color><init_pose>-3 -2 0</init_pose></block></mvsim_world>";
        let (world, _) = World::load_text("w", Path::new("."), text, &LoadOptions::default()).unwrap();
        let mut photographer = Photographer::default();
        let viewpoint =
            Viewpoint { eye: Vec3::new(0.0, 0.0, 20.0), target: Vec3::zeros(), field_of_view: 0.8, size: [60, 40] };
        let picture = photographer.picture(&world, &viewpoint, None);
        assert_eq!(picture.len(), 60 * 40 * 3);
        // Red pixels are to the right of the middle and above it, around the block's place.
        let is_red =
            |pixel: &[u8]| u16::from(pixel[0]) > 2 * u16::from(pixel[1]) + 40 && pixel[0] > 2 * (pixel[2] / 2 + 1);
        let red: Vec<[f64; 2]> = (picture.chunks(3).enumerate())
            .filter(|(_, pixel)| is_red(pixel))
            .map(|(index, _)| [(index % 60) as f64 + 0.5, (index / 60) as f64 + 0.5])
            .collect();
        assert!(red.len() > 15, "{}", red.len());
        let mean = [0, 1].map(|axis| red.iter().map(|place| place[axis]).sum::<f64>() / red.len() as f64);
        let focal = 20.0 / libm::tan(0.4);
        let expected = [30.0 + focal * 3.0 / 19.5, 20.0 - focal * 2.0 / 19.5];
        assert!((0..2).all(|axis| (mean[axis] - expected[axis]).abs() < 1.0), "{mean:?} {expected:?}");
        assert_eq!(picture, photographer.picture(&world, &viewpoint, None));
        // A large picture, which is taken in bands, has the pixels of a small one that shows its middle rows.
        let large = Viewpoint {
            size: [2048, 1536],
            field_of_view: 2.0 * libm::atan(libm::tan(0.4) * 1536.0 / 64.0),
            ..viewpoint
        };
        let whole = photographer.picture(&world, &large, None);
        let middle = Viewpoint { size: [2048, 64], ..viewpoint };
        let band = 3 * 2048 * 736..3 * 2048 * 800;
        assert!(photographer.picture(&world, &middle, None) == whole[band]);
        let cancel = Cancel::default();
        cancel.cancel();
        assert!(photographer.picture(&world, &large, Some(&cancel)).is_empty());
        let above = Viewpoint::above(&world, [60, 40]);
        assert!((above.target.x).abs() < 1.0 && above.eye.z > 5.0, "{above:?}");
    }
}
