//! Tags that only affect viewers: `<gui>`, `<lights>`, `<marker>`, and the elements `ground_grid`, `pointcloud`, `skybox`.
//!
//! ```xml
//! <gui>
//!   <win_w>800</win_w> <win_h>600</win_h> <start_maximized>true</start_maximized>     [pixels], > 0
//!   <refresh_fps>20</refresh_fps>                          [Hz], > 0
//!   <ortho>false</ortho> <fov_deg>60</fov_deg>             vertical [deg], > 0 to 180
//!   <clip_plane_min>0.05</clip_plane_min> <clip_plane_max>10000</clip_plane_max>      [m]
//!   <cam_distance>80</cam_distance> <cam_azimuth>45</cam_azimuth> <cam_elevation>40</cam_elevation>   [m], [deg]
//!   <cam_point_to>0 0 0</cam_point_to>                     x y, or x y z [m]
//!   <follow_vehicle/>                                      name of the vehicle that the camera follows
//!   <show_forces>false</show_forces> <force_scale>0.01</force_scale>                  [m/N]
//!   <show_sensor_points>true</show_sensor_points> <headless>false</headless>
//! </gui>
//! <lights>
//!   <light_azimuth_deg>45</light_azimuth_deg> <light_elevation_deg>70</light_elevation_deg>   of the sun [deg]
//!   <light_color>#ffffffff</light_color> <light_ambient>0.5</light_ambient>                   0 to 1
//!   <sky_zenith_color>#5a92d6</sky_zenith_color> <sky_horizon_color>#d8e6f2</sky_horizon_color>
//!   <ground_color>#8a8378</ground_color>                    around the world; its light comes from below
//!   <enable_shadows>true</enable_shadows> <shadow_map_size>2048</shadow_map_size>             [pixels], > 0
//!   <light_clip_plane_min>0.1</light_clip_plane_min> <light_clip_plane_max>900</light_clip_plane_max>   [m]
//!   <shadow_bias>1e-5</shadow_bias> <shadow_bias_cam2frag>1e-5</shadow_bias_cam2frag>
//!   <shadow_bias_normal>1e-4</shadow_bias_normal>
//!   <eye_distance_to_shadow_map_extension>2</eye_distance_to_shadow_map_extension>            [m/m]
//!   <minimum_shadow_map_extension_ratio>0.005</minimum_shadow_map_extension_ratio>            0 to 1
//! </lights>
//! <marker type="line_strip">
//!   <color>#ffffff</color> <translation>0 0 0</translation>    [m]
//!   <points> x y z … </points>                                 one in each line [m]
//! </marker>
//! <element class="ground_grid">
//!   <floating>true</floating> <floating_focus/>                name of a vehicle; empty: the first by name
//!   <color>#e0e0e0ff</color> <line_width>1</line_width>        [pixels]
//!   <x_min>-25</x_min> <x_max>25</x_max> <y_min>-25</y_min> <y_max>25</y_max> <interval>5</interval>   [m], interval > 0
//! </element>
//! <element class="pointcloud">
//!   <file_txt_3d>…</file_txt_3d>                               x y z in each line [m]; or <file_txt_2d>, x y
//!   <points_size>3</points_size> <pose_3d>0 0 0 0 0 0</pose_3d>    [pixels]; x y z yaw pitch roll [m], [deg]
//! </element>
//! <element class="skybox">
//!   <textures>…%s.jpg</textures>                               %s: Front, Back, Down, Up, Left and Right
//! </element>
//! ```
//! If there are several `<gui>` or several `<lights>`, each tag in a later one overrides that in an earlier one.

use skidpad_files::diagnostic::Diagnostic;
use skidpad_math::{Pose3, Vec3};
use skidpad_xml::{Accept, Place, Reader};

use super::{Builder, pose_from};
use crate::raycast::space::ClearSky;
use crate::world::point_file;
use crate::world::viewer_scene::{GroundGrid, Gui, Lights, Marker, PointCloud, Skybox};

/// A vehicle that a view follows, to be resolved after all vehicles have been read.
pub(super) struct Focus {
    vehicle: String,
    place: Place,
    /// The tag that says so, for the warning: `<follow_vehicle> in <gui>`.
    setting: &'static str,
}

/// Largest side of a window or a shadow map [pixels].
const MAX_PIXELS: f64 = 65_536.0;

/// Tags of `<lights>` that MVSim's renderer alone uses, beside `light_clip_plane_min`: their numbers are only checked.
const RENDERER_TAGS: [&str; 5] = [
    "shadow_bias",
    "shadow_bias_cam2frag",
    "shadow_bias_normal",
    "eye_distance_to_shadow_map_extension",
    "minimum_shadow_map_extension_ratio",
];

/// Tags that set the camera.
const CAMERA_TAGS: [&str; 4] = ["cam_distance", "cam_azimuth", "cam_elevation", "cam_point_to"];

/// Tags of the colours in [`Lights::sky`], in its order.
const SKY_TAGS: [&str; 3] = ["sky_zenith_color", "sky_horizon_color", "ground_color"];

impl Builder<'_> {
    pub(super) fn gui(&mut self, reader: &Reader<'_>) {
        let d = self.viewer_scene.gui.clone();
        let target = reader.numbers("cam_point_to", &[2, 3]);
        // The size of MVSim's window is only checked: the page has no window of its own.
        for side in ["win_w", "win_h"] {
            reader.integer(side, 1, Accept::range(1.0, MAX_PIXELS));
        }
        reader.bool("start_maximized", true);
        self.viewer_scene.gui = Gui {
            refresh_rate: reader.f64("refresh_fps", d.refresh_rate, Accept::positive()),
            is_orthographic: reader.bool("ortho", d.is_orthographic),
            show_forces: reader.bool("show_forces", d.show_forces),
            force_scale: reader.f64("force_scale", d.force_scale, Accept::any()),
            show_sensor_points: reader.bool("show_sensor_points", d.show_sensor_points),
            field_of_view: reader.degrees("fov_deg", d.field_of_view, Accept::range(0.1, 180.0)),
            clip: [
                reader.f64("clip_plane_min", d.clip[0], Accept::any()),
                reader.f64("clip_plane_max", d.clip[1], Accept::any()),
            ],
            camera_distance: reader.f64("cam_distance", d.camera_distance, Accept::any()),
            camera_azimuth: reader.degrees("cam_azimuth", d.camera_azimuth, Accept::any()),
            camera_elevation: reader.degrees("cam_elevation", d.camera_elevation, Accept::any()),
            camera_target: target.map_or(d.camera_target, |p| point(&p)),
            has_camera: d.has_camera || CAMERA_TAGS.iter().any(|tag| reader.has(tag)),
            follow_vehicle: reader.text("follow_vehicle").unwrap_or(d.follow_vehicle),
            is_headless: reader.bool("headless", d.is_headless),
        };
        self.focus_on(reader, "follow_vehicle", "<follow_vehicle> in <gui>");
        reader.finish();
    }

    pub(super) fn lights(&mut self, reader: &Reader<'_>) {
        let d = self.viewer_scene.lights.clone();
        let number = |name, default| reader.f64(name, default, Accept::any());
        self.viewer_scene.lights = Lights {
            enable_shadows: reader.bool("enable_shadows", d.enable_shadows),
            shadow_map_size: reader.integer(
                "shadow_map_size",
                i64::from(d.shadow_map_size),
                Accept::range(1.0, MAX_PIXELS),
            ) as u32,
            azimuth: reader.degrees("light_azimuth_deg", d.azimuth, Accept::any()),
            elevation: reader.degrees("light_elevation_deg", d.elevation, Accept::any()),
            color: reader.color("light_color", d.color),
            ambient: reader.f64("light_ambient", d.ambient, Accept::range(0.0, 1.0)),
            sky: {
                let known = d.sky.unwrap_or([ClearSky::ZENITH, ClearSky::HORIZON, ClearSky::GROUND]);
                let colors = std::array::from_fn(|index| reader.color(SKY_TAGS[index], known[index]));
                (d.sky.is_some() || SKY_TAGS.iter().any(|tag| reader.has(tag))).then_some(colors)
            },
            shadow_range: {
                number("light_clip_plane_min", 0.0);
                number("light_clip_plane_max", d.shadow_range)
            },
        };
        for tag in RENDERER_TAGS {
            number(tag, 0.0);
        }
        reader.finish();
    }

    pub(super) fn marker(&mut self, reader: &Reader<'_>) {
        match reader.attribute("type").as_deref() {
            Some("line_strip") => {}
            Some(kind) => {
                let report = reader.error(format!("unknown type \"{kind}\" in <marker>"));
                report.one_of(kind, ["line_strip"]);
                return;
            }
            None => {
                reader.missing("type");
                return;
            }
        }
        let color = reader.color("color", [0xff; 4]);
        let shift = reader.numbers("translation", &[2, 3]).map_or(Vec3::zeros(), |p| point(&p));
        let numbers = reader.numbers("points", &[]).unwrap_or_default();
        if !numbers.len().is_multiple_of(3) {
            reader
                .error_at("points", format!("<points> of <marker> holds {} numbers", numbers.len()))
                .accepted(["x y z for each point"]);
        }
        let points = numbers.chunks_exact(3).map(|p| shift + point(p)).collect();
        let name = self.names.numbered("marker", 1, |stem, number| format!("{stem}{number}"));
        self.viewer_scene.markers.push(Marker { name, color, points });
        reader.finish();
    }

    pub(super) fn ground_grid(&mut self, reader: &Reader<'_>) {
        reader.ignore(&["name"]);
        let d = GroundGrid::default();
        let number = |name, default| reader.f64(name, default, Accept::any());
        let focus = reader.text("floating_focus").unwrap_or_default();
        let is_floating = reader.bool("floating", d.follows.is_some()) || !focus.is_empty();
        self.viewer_scene.grids.push(GroundGrid {
            follows: is_floating.then_some(focus),
            color: reader.color("color", d.color),
            line_width: reader.f64("line_width", d.line_width, Accept::non_negative()),
            x: [number("x_min", d.x[0]), number("x_max", d.x[1])],
            y: [number("y_min", d.y[0]), number("y_max", d.y[1])],
            interval: reader.f64("interval", d.interval, Accept::positive()),
        });
        self.focus_on(reader, "floating_focus", "<floating_focus> in <element class=\"ground_grid\">");
        reader.finish();
    }

    pub(super) fn point_cloud(&mut self, reader: &Reader<'_>) {
        reader.ignore(&["name"]);
        let pose = reader.numbers("pose_3d", &[6]).map_or(Pose3::default(), |numbers| pose_from(&numbers));
        let point_size = reader.f64("points_size", 3.0, Accept::non_negative());
        let files = [("file_txt_2d", 2), ("file_txt_3d", 3)];
        match files.into_iter().find(|(tag, _)| reader.has(tag)) {
            Some((tag, coordinates)) => {
                if let Some(file) = reader.path(tag) {
                    match point_file::load(&file, coordinates, reader.context().cancel()) {
                        Ok(points) => {
                            let name = self.names.numbered("pointcloud", 1, |stem, number| format!("{stem}{number}"));
                            let cloud = PointCloud { name, file, world_from_cloud: pose, points, point_size };
                            self.viewer_scene.point_clouds.push(cloud);
                        }
                        Err(error) => {
                            let problem = reader.context().file_problem(&error);
                            reader.error_at(tag, problem.first_line()).parts_of(problem);
                        }
                    }
                }
            }
            None => {
                reader.missing("<file_txt_2d> or <file_txt_3d>");
            }
        }
        // If both files are given, the first one counts.
        reader.ignore(&["file_txt_3d"]);
        reader.finish();
    }

    pub(super) fn skybox(&mut self, reader: &Reader<'_>) {
        reader.ignore(&["name"]);
        match reader.child("textures") {
            Some(tag) => {
                let uri = tag.own_text().unwrap_or_default();
                if uri.contains("%s") {
                    let files = Skybox::SIDES.map(|side| tag.try_asset(&uri.replace("%s", side)));
                    self.viewer_scene.sky = Some(Skybox { files: existing(files, &tag), uri });
                } else {
                    reader
                        .error_at("textures", format!("no %s in <textures> \"{uri}\""))
                        .accepted(["an address with %s, which is replaced by Front, Back, Down, Up, Left and Right"]);
                }
                tag.finish();
            }
            None => {
                reader.missing("<textures>");
            }
        }
        reader.finish();
    }

    /// Records a vehicle that a view follows.
    fn focus_on(&mut self, reader: &Reader<'_>, tag: &str, setting: &'static str) {
        if let Some(vehicle) = reader.text(tag).filter(|vehicle| !vehicle.is_empty()) {
            self.focuses.push(Focus { vehicle, place: reader.place_of(tag).clone(), setting });
        }
    }

    /// Warns of views that follow vehicles which do not exist.
    pub(super) fn check_focuses(&self) {
        for Focus { vehicle, place, setting } in &self.focuses {
            if !self.vehicles.iter().any(|v| v.info.name == *vehicle) {
                let report = self.context.warn(place, format!("no vehicle \"{vehicle}\" for {setting}"));
                report.one_of(vehicle, self.vehicles.iter().map(|v| v.info.name.clone()));
            }
        }
    }

    /// Gives a world without any element the grid that MVSim draws there.
    pub(super) fn add_default_grid(&mut self) {
        let nothing_else = self.maps.is_empty()
            && self.planes.is_empty()
            && self.elevations.is_empty()
            && self.vertical_planes.is_empty()
            && self.regions.is_empty();
        let scene = &mut self.viewer_scene;
        if nothing_else && scene.grids.is_empty() && scene.point_clouds.is_empty() && scene.sky.is_none() {
            scene.grids.push(GroundGrid::default());
        }
    }
}

/// The files that exist; one warning names the first missing one and the number of others.
fn existing(files: [Result<std::path::PathBuf, Diagnostic>; 6], tag: &Reader<'_>) -> [Option<std::path::PathBuf>; 6] {
    let mut problems = Vec::new();
    let files = files.map(|file| file.map_err(|problem| problems.push(problem)).ok());
    let more = match problems.len() {
        0 | 1 => String::new(),
        count => format!(", nor {} more", count - 1),
    };
    if let Some(first) = problems.into_iter().next() {
        let message = format!("{}{more} for <textures> in <element class=\"skybox\">", first.first_line());
        tag.warn(message).parts_of(first);
    }
    files
}

/// A point from two or three numbers.
fn point(p: &[f64]) -> Vec3 {
    let at = |index: usize| p.get(index).copied().unwrap_or(0.0);
    Vec3::new(at(0), at(1), at(2))
}
