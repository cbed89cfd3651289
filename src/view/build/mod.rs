//! Converts a scene to the document for viewers.

use std::collections::BTreeMap;

use skidpad_ros_data::interface::names::VehicleNames;
use skidpad_ros_data::interface::naming::PublishedNaming;
use skidpad_ros_data::interface::rules;
use skidpad_sim::sensor::{SensorInfo, SensorTopic};
use skidpad_sim::vehicle::COMMANDS;
use skidpad_sim::world::actor::ActorInfo;
use skidpad_sim::world::drawing::{self as shapes, Drawing, MAX_CELLS};
use skidpad_sim::world::joint::{JointEndInfo, JointInfo};
use skidpad_sim::world::terrain::PlaneInfo;
use skidpad_sim::world::viewer_scene::{GroundGrid, Gui, Lights, PointCloud, Skybox};
use skidpad_sim::world::visual::Visual;
use skidpad_sim::world::{Accepts, BlockInfo, BodyRef, JointLaw, Scene, VehicleInfo, WheelInfo};

use super::files::Files;
use super::geometry::{drawing, floats, number, planar, pose};
pub use super::map::map_png;
use super::map::map_view;
use super::scene::*;

/// Most points of a cloud; larger clouds are thinned out, so that a page can draw them in software and a slow line transfers them in seconds.
const MAX_DRAWN: usize = 500_000;

/// The document with skidpad's own names of frames, and the files that it names; its maps are those of the scene in order, as PNG from
/// [`map_png`].
pub fn scene_view(scene: &Scene) -> (SceneView, Files) {
    named_scene_view(scene, &PublishedNaming::default().names_in(scene))
}

/// The same with these names of its vehicles' frames.
pub fn named_scene_view(scene: &Scene, names: &[VehicleNames]) -> (SceneView, Files) {
    let mut files = Files::default();
    let view = SceneView {
        name: scene.name.clone(),
        revision: scene.revision as u32,
        step: scene.step.secs(),
        vehicles: scene.vehicles.iter().zip(names).map(|(info, names)| vehicle(info, names, &mut files)).collect(),
        blocks: scene.blocks.iter().map(|info| block(info, &mut files)).collect(),
        planes: scene.planes.iter().map(|info| plane(info, &mut files)).collect(),
        actors: scene.actors.iter().map(|info| actor(info, &mut files)).collect(),
        fixed: fixed(scene, &mut files),
        maps: (scene.maps.iter().enumerate())
            .map(|(index, map)| map_view(map, format!("api/maps/{index}.png")))
            .collect(),
        clouds: scene.viewer_scene.point_clouds.iter().map(cloud).collect(),
        joints: scene.joints.iter().map(joint).collect(),
        grids: scene.viewer_scene.grids.iter().map(|info| grid(info, scene)).collect(),
        skybox: scene.viewer_scene.sky.as_ref().and_then(|sky| skybox(sky, &mut files)).unwrap_or_default(),
        gui: gui(&scene.viewer_scene.gui),
        lights: lights(&scene.viewer_scene.lights),
        shared: Vec::new(),
        parts: BTreeMap::new(),
    };
    (view, files)
}

/// The document for recordings, with these names of its vehicles' frames: it names files by their local paths, and maps as in
/// [`scene_view`].
pub fn stored_view(scene: &Scene, names: &[VehicleNames]) -> SceneView {
    let (mut view, files) = named_scene_view(scene, names);
    view.visit_paths(|address| {
        if let Some(path) = files.path_at(address).and_then(|path| path.to_str()) {
            *address = path.to_owned();
        }
    });
    view
}

fn drawings(kind: &str, drawings: impl IntoIterator<Item = Drawing>, files: &mut Files) -> Vec<DrawingView> {
    drawings.into_iter().filter_map(|shape| drawing(kind, shape, &[], files)).collect()
}

/// The names, without folders, of the mesh files that are not on this machine.
fn missing(visuals: &[Visual]) -> Vec<String> {
    let lost = visuals.iter().filter(|visual| visual.file.is_none());
    lost.map(|visual| visual.uri.rsplit('/').next().unwrap_or_default().to_owned()).collect()
}

fn vehicle(info: &VehicleInfo, names: &VehicleNames, files: &mut Files) -> VehicleView {
    let body = shapes::vehicle(info);
    VehicleView {
        id: info.id.0,
        name: info.name.clone(),
        class: info.class.clone(),
        is_movable: !info.is_animated,
        outline: info.outline.iter().map(|&p| planar(p)).collect(),
        z: info.chassis_z.map(number),
        color: info.color,
        drawings: drawings("body", body, files),
        missing: missing(&info.visuals),
        show_housings: info.visuals.iter().any(|visual| visual.show_housings),
        wheels: info.wheels.iter().map(|wheel| self::wheel(wheel, files)).collect(),
        sensors: info
            .sensors
            .iter()
            .enumerate()
            .map(|(index, info_of_sensor)| {
                sensor(info_of_sensor, names.sensor_frame(info, index), names.sensor_topics(info, index))
            })
            .collect(),
        frames: FramesView { map: names.map_frame(), odometry: names.odometry_frame(), base: names.base_frame() },
        accepts: accepts(info.accepts),
        moves_sideways: info.moves_sideways,
        max_steer: info.max_steer.map(number),
        wheelbase: info.wheelbase.map(number),
        mass: number(info.mass),
        force_scale: rules::force_scale(info),
        reference_path: info.reference_path.iter().map(|&p| planar(p)).collect(),
        track_borders: info
            .track_borders
            .as_ref()
            .map(|borders| borders.each_ref().map(|border| border.iter().map(|&point| planar(point)).collect())),
        not_recorded: Vec::new(),
        ghost: None,
    }
}

fn wheel(info: &WheelInfo, files: &mut Files) -> WheelView {
    WheelView {
        name: info.name.clone(),
        position: planar(info.position),
        heading: number(info.mount_yaw),
        pivot: info.pivot.map(planar),
        radius: number(info.radius),
        width: number(info.width),
        color: info.color,
        drawings: drawings("body", shapes::visuals(&info.visuals), files),
        missing: missing(&info.visuals),
        linked_yaw: info.linked_yaw.clone().map(|(name, yaw)| (name, number(yaw))),
    }
}

fn sensor(info: &SensorInfo, frame: String, topics: Vec<String>) -> SensorView {
    let topic = |(topic, name): (&SensorTopic, String)| SensorTopicView {
        name,
        suffix: topic.suffix.into(),
        message: topic.message.into(),
    };
    let view = SensorView {
        name: info.name.clone(),
        class: info.kind.entry().name.into(),
        topics: info.kind.topics().zip(topics).map(topic).collect(),
        frame,
        pose: pose(info.body_from_sensor),
        range_max: info.kind.description().range_max().map_or(0.0, number),
        ..SensorView::default()
    };
    match info.kind.lidar() {
        Some(beams) => SensorView {
            angle_min: beams.angle_min,
            angle_increment: beams.angle_increment,
            count: beams.count as u32,
            ..view
        },
        None => view,
    }
}

/// The kinds of command by which viewers choose what to offer.
fn accepts(accepts: Accepts) -> Vec<String> {
    let kinds = COMMANDS.iter().filter(|kind| kind.is_offered && (kind.accepted)(&accepts));
    kinds.map(|kind| kind.name.to_owned()).collect()
}

fn block(info: &BlockInfo, files: &mut Files) -> BodyView {
    BodyView {
        id: info.id.0,
        name: info.name.clone(),
        pose: pose(info.world_from_start),
        outline: info.outline.iter().map(|&p| planar(p)).collect(),
        z: info.z.map(number),
        is_movable: info.is_pushed(),
        drawings: drawings("body", shapes::block(info), files),
        missing: missing(&info.visuals),
    }
}

fn plane(info: &PlaneInfo, files: &mut Files) -> BodyView {
    let [[x0, x1], [y0, y1]] = [info.x, info.y].map(|ends| ends.map(number));
    BodyView {
        name: info.name.clone(),
        pose: pose(info.world_from_start),
        outline: vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]],
        z: [number(info.z); 2],
        drawings: drawings("body", [shapes::plane(info)], files),
        ..BodyView::default()
    }
}

fn actor(info: &ActorInfo, files: &mut Files) -> BodyView {
    let of_actor = |part| drawing("body", part, &info.clips, files);
    BodyView {
        name: info.name.clone(),
        pose: pose(info.world_from_start),
        z: [0.0, number(info.height)],
        drawings: shapes::actor(info).into_iter().filter_map(of_actor).collect(),
        missing: missing(&info.visuals),
        ..BodyView::default()
    }
}

fn fixed(scene: &Scene, files: &mut Files) -> Vec<DrawingView> {
    let mut fixed = drawings("wall", scene.walls.iter().flat_map(shapes::wall), files);
    fixed.extend(drawings("elevation", scene.elevations.iter().map(|info| shapes::elevation(info, MAX_CELLS)), files));
    fixed.extend(drawings("region", scene.regions.iter().map(shapes::region), files));
    fixed.extend(drawings("marker", scene.viewer_scene.markers.iter().map(shapes::line), files));
    fixed
}

fn cloud(cloud: &PointCloud) -> CloudView {
    let stride = cloud.points.len().div_ceil(MAX_DRAWN).max(1);
    CloudView {
        name: cloud.name.clone(),
        pose: pose(cloud.world_from_cloud),
        points: floats(cloud.points.iter().step_by(stride).flatten().copied()),
        point_size: cloud.point_size,
    }
}

fn joint(info: &JointInfo) -> JointView {
    let law = match info.law {
        JointLaw::Pin { .. } => "pin",
        JointLaw::Rope { stiffness, .. } if stiffness > 0.0 => "spring",
        JointLaw::Rope { .. } => "rope",
    };
    let end = |end: &JointEndInfo| {
        let (vehicle, block) = match end.body {
            BodyRef::Vehicle(index) => (Some(index as u32), None),
            BodyRef::Block(index) => (None, Some(index as u32)),
        };
        JointEndView { vehicle, block, anchor: planar(end.anchor_in_body) }
    };
    let [first, second] = &info.ends;
    JointView { name: info.name.clone(), law: law.to_owned(), ends: [end(first), end(second)] }
}

fn grid(info: &GroundGrid, scene: &Scene) -> GridView {
    let follows = info.follows.as_deref().and_then(|name| match name {
        "" => (0..scene.vehicles.len()).min_by_key(|&index| &scene.vehicles[index].name),
        _ => scene.vehicle_index(name),
    });
    GridView {
        follows: follows.map(|index| index as u32),
        color: info.color,
        line_width: info.line_width,
        x: info.x,
        y: info.y,
        interval: info.interval,
    }
}

/// All six sides or none: an incomplete sky looks worse than a plain one.
fn skybox(sky: &Skybox, files: &mut Files) -> Option<Vec<String>> {
    sky.files.iter().map(|file| files.add(file.as_ref()?)).collect()
}

fn gui(gui: &Gui) -> GuiView {
    GuiView {
        is_orthographic: gui.is_orthographic,
        show_forces: gui.show_forces,
        force_scale: gui.force_scale,
        show_sensor_points: gui.show_sensor_points,
        field_of_view: gui.field_of_view,
        clip: gui.clip,
        camera_distance: gui.camera_distance,
        camera_azimuth: gui.camera_azimuth,
        camera_elevation: gui.camera_elevation,
        camera_target: gui.camera_target.into(),
        follow_vehicle: gui.follow_vehicle.clone(),
        refresh_rate: gui.refresh_rate,
        has_camera: gui.has_camera,
    }
}

fn lights(lights: &Lights) -> LightsView {
    LightsView {
        enable_shadows: lights.enable_shadows,
        shadow_map_size: lights.shadow_map_size,
        direction: lights.direction().into(),
        color: lights.color,
        ambient: lights.ambient,
        sky: lights.sky,
    }
}

#[cfg(test)]
mod tests;
