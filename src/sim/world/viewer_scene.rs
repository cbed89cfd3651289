//! Elements for viewers only: camera, lights, sky, grids, lines and points. Physics and planar lidars ignore them. Defaults are MVSim's, where it has any.

use std::path::PathBuf;

use skidpad_math::{Pose3, Vec3};

/// Camera, lights, sky, grids, lines and points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewerScene {
    /// The camera and what it shows.
    pub gui: Gui,
    /// The sun and the sky.
    pub lights: Lights,
    /// Lines in the order of the file.
    pub markers: Vec<Marker>,
    /// Grids on the ground in the order of the file. A world without any element has the default one.
    pub grids: Vec<GroundGrid>,
    /// Point clouds in the order of the file.
    pub point_clouds: Vec<PointCloud>,
    /// The background; the last one of the file.
    pub sky: Option<Skybox>,
}

/// Initial state of a viewer: `<gui>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Gui {
    /// Frame rate [Hz].
    pub refresh_rate: f64,
    /// Orthographic instead of perspective.
    pub is_orthographic: bool,
    /// Whether the forces on wheels are drawn.
    pub show_forces: bool,
    /// Length of a force as drawn [m/N].
    pub force_scale: f64,
    /// Whether sensor readings are drawn.
    pub show_sensor_points: bool,
    /// Vertical field of view [rad].
    pub field_of_view: f64,
    /// Nearest and farthest distance drawn [m].
    pub clip: [f64; 2],
    /// Distance of the camera from its target [m].
    pub camera_distance: f64,
    /// Direction from the target to the camera [rad], counter-clockwise from the world's x axis.
    pub camera_azimuth: f64,
    /// Its elevation above the ground plane [rad].
    pub camera_elevation: f64,
    /// Target of the camera, in the world [m].
    pub camera_target: Vec3,
    /// Whether the world file sets the camera.
    pub has_camera: bool,
    /// Name of the vehicle that the camera follows; empty: none.
    pub follow_vehicle: String,
    /// Whether the world file requests no window.
    pub is_headless: bool,
}

impl Default for Gui {
    fn default() -> Gui {
        Gui {
            refresh_rate: 20.0,
            is_orthographic: false,
            show_forces: false,
            force_scale: 0.01,
            show_sensor_points: true,
            field_of_view: 60.0_f64.to_radians(),
            clip: [0.05, 1e4],
            camera_distance: 80.0,
            camera_azimuth: 45.0_f64.to_radians(),
            camera_elevation: 40.0_f64.to_radians(),
            camera_target: Vec3::new(0.0, 0.0, 0.0),
            has_camera: false,
            follow_vehicle: String::new(),
            is_headless: false,
        }
    }
}

/// The directional light and its shadows, and the light of the sky: `<lights>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Lights {
    /// Whether there are shadows.
    pub enable_shadows: bool,
    /// Side of the shadow map [pixels].
    pub shadow_map_size: u32,
    /// Direction to the sun [rad], counter-clockwise from the world's x axis.
    pub azimuth: f64,
    /// Elevation of the sun above the ground plane [rad].
    pub elevation: f64,
    /// Colour of the light, red green blue alpha.
    pub color: [u8; 4],
    /// Share of ambient light [-], 0 to 1: of what comes from sky and ground instead of from the sun.
    pub ambient: f64,
    /// Colours of the sky at the zenith and at the horizon, and of the ground around the world, red green blue alpha.
    /// The ground is seen below the horizon, and its light comes from below. None: the world file gives none of the three.
    pub sky: Option<[[u8; 4]; 3]>,
    /// Farthest distance of objects that cast shadows [m].
    pub shadow_range: f64,
}

impl Default for Lights {
    fn default() -> Lights {
        Lights {
            enable_shadows: true,
            shadow_map_size: 2048,
            azimuth: 45.0_f64.to_radians(),
            elevation: 70.0_f64.to_radians(),
            color: [0xff; 4],
            ambient: 0.5,
            sky: None,
            shadow_range: 900.0,
        }
    }
}

impl Lights {
    /// Unit vector [-] along which the light travels, in the world.
    pub fn direction(&self) -> Vec3 {
        let (sin_azimuth, cos_azimuth) = libm::sincos(self.azimuth);
        let (sin_elevation, cos_elevation) = libm::sincos(self.elevation);
        -Vec3::new(cos_azimuth * cos_elevation, sin_azimuth * cos_elevation, sin_elevation)
    }
}

/// A line through points: `<marker type="line_strip">`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marker {
    /// Unique name, a generated one.
    pub name: String,
    /// Colour, red green blue alpha.
    pub color: [u8; 4],
    /// Its points in the world [m], in order.
    pub points: Vec<Vec3>,
}

/// Lines on the ground: `<element class="ground_grid">`.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundGrid {
    /// Name of the vehicle that it moves with, in whole intervals. Empty: the first by name. None: it is fixed.
    pub follows: Option<String>,
    /// Colour, red green blue alpha.
    pub color: [u8; 4],
    /// Width of the lines [pixels].
    pub line_width: f64,
    /// Extent along x [m], in the world or from the vehicle.
    pub x: [f64; 2],
    /// Extent along y [m].
    pub y: [f64; 2],
    /// Distance between lines [m].
    pub interval: f64,
}

impl Default for GroundGrid {
    fn default() -> GroundGrid {
        GroundGrid {
            follows: Some(String::new()),
            color: [0xe0, 0xe0, 0xe0, 0xff],
            line_width: 1.0,
            x: [-25.0, 25.0],
            y: [-25.0, 25.0],
            interval: 5.0,
        }
    }
}

/// Points from a file: `<element class="pointcloud">`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointCloud {
    /// Unique name, a generated one.
    pub name: String,
    /// Source file.
    pub file: PathBuf,
    /// Pose of the points' frame in the world [m, rad].
    pub world_from_cloud: Pose3,
    /// The points in their frame [m].
    pub points: Vec<[f32; 3]>,
    /// Size of a point [pixels].
    pub point_size: f64,
}

/// Six pictures around the world: `<element class="skybox">`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skybox {
    /// The address as the world file gives it, with `%s` for the name of the side.
    pub uri: String,
    /// The local files in the order of [`Self::SIDES`]; none where one is not available.
    pub files: [Option<PathBuf>; 6],
}

impl Skybox {
    /// The values of `%s`.
    pub const SIDES: [&str; 6] = ["Front", "Back", "Down", "Up", "Left", "Right"];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_comes_from_the_direction_of_the_sun() {
        let at = |azimuth: f64, elevation: f64| {
            Lights { azimuth: azimuth.to_radians(), elevation: elevation.to_radians(), ..Lights::default() }.direction()
        };
        assert!((at(90.0, 0.0) - Vec3::new(0.0, -1.0, 0.0)).norm() < 1e-15);
        assert!((at(30.0, 90.0) - Vec3::new(0.0, 0.0, -1.0)).norm() < 1e-15);
    }
}
