//! The world as sensors see it in three dimensions: its drawings as triangles, and the poses of those that move.
//!
//! It exists only in worlds with a sensor that needs it. What stands still is one model; everything that moves, and every mesh
//! file, is an instance of its own. Bodies without a mesh file on this machine are their collision shape, as in viewers; those with meshes
//! that cameras alone see are that to lidars.
//! Not seen: regions, markers, joints, clouds of points, and the skin of actors in motion: their meshes stand still.

mod map;
mod parts;
mod pictures;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::input_file::FileProblem as _;
use skidpad_files::mesh;
use skidpad_files::mesh::texture::{Image, Texture, Wrap};
use skidpad_math::{Pose3, Vec3};

use self::parts::{Attachment, Part};
use self::pictures::{PictureKey, Pictures};
use super::drawing::{self, Drawing, Shape};
use super::{Frame, Scene, World};
use crate::raycast::space::batch::BatchCaster;
use crate::raycast::space::{Model, OnPicture, Paper, SeenBy, Space, Surface};

/// Most cells along a side of a height map that sensors see; a finer map is thinned out.
const MOST_CELLS: usize = 1000;
/// Colour of a mesh without one.
const NO_COLOR: [u8; 4] = [0xb0, 0xb0, 0xb0, 0xff];

/// Which colours a mesh has from its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileColors {
    /// None: the world file gives it one.
    None,
    /// All.
    All,
    /// All but that of its paint, which is the vehicle's.
    ButPaint,
}

/// The model of a mesh file, and the textures on it.
#[derive(Clone)]
struct MeshModel {
    model: Arc<Model>,
    textures: Arc<[Texture]>,
}

/// Surfaces of every instance of a mesh: its own, and that of paint. Those of its textures follow.
const PLAIN_SURFACES: u32 = 2;

/// The space, and what moves in it.
#[derive(Default)]
pub(super) struct Surroundings {
    pub(super) space: Space,
    parts: Vec<Part>,
    /// The model of each mesh file and scale, with these of its colours; none if it cannot be read.
    meshes: BTreeMap<(PathBuf, u64, FileColors), Option<MeshModel>>,
    /// Index of each picture.
    pictures: BTreeMap<PictureKey, u32>,
    /// Where they are, by their indices.
    images: Vec<(PictureKey, Image)>,
    /// The pictures that cameras see.
    colors: Pictures,
    /// What sensors do not see as the world file asks, and why.
    pub(super) problems: Vec<Diagnostic>,
}

impl Surroundings {
    /// Everything in a scene, in the poses of its start.
    pub(super) fn new(scene: &Scene, before: Option<Surroundings>) -> Surroundings {
        let (meshes, colors) = before.map(|before| (before.meshes, before.colors)).unwrap_or_default();
        let mut all = Surroundings { meshes, colors, space: Space::new(origin(scene)), ..Surroundings::default() };
        all.add_fixed(scene);
        all.add_moving(scene);
        all.space.finish();
        all
    }

    /// Everything in a scene with its pictures and lights, as cameras need it; `before` lends the mesh files that have been read.
    pub(super) fn in_color(scene: &Scene, before: Option<Surroundings>) -> Surroundings {
        let mut all = Surroundings::new(scene, before);
        all.add_colors(&scene.viewer_scene);
        all
    }

    /// Walls, ground, maps and blocks that never move.
    fn add_fixed(&mut self, scene: &Scene) {
        let mut still = Still { origin: origin(scene), ..Still::default() };
        for wall in &scene.walls {
            let label = wall.label.numbers;
            drawing::wall(wall).into_iter().for_each(|piece| still.add(self, piece, Pose3::default(), label));
        }
        for elevation in &scene.elevations {
            let drawn = drawing::elevation(elevation, MOST_CELLS);
            still.add(self, drawn, Pose3::default(), elevation.label.numbers);
        }
        for (grid, labels) in scene.maps.iter().zip(&scene.map_labels) {
            for (drawn, part) in map::drawings(grid).into_iter().zip(labels) {
                still.add(self, drawn, Pose3::from_planar(grid.world_from_grid), part.label.numbers);
            }
        }
        for block in scene.blocks.iter().filter(|block| block.is_static && !block.is_animated) {
            let label = block.label.numbers;
            let parts = drawing::block(block).into_iter().chain(drawing::block_without_meshes(block));
            parts.for_each(|part| still.add(self, part, block.world_from_start, label));
        }
        still.finish(self);
    }

    /// Vehicles, blocks that can move, planes and actors.
    fn add_moving(&mut self, scene: &Scene) {
        for (index, vehicle) in scene.vehicles.iter().enumerate() {
            let look = (vehicle.label.numbers, Some(vehicle.color));
            for part in drawing::vehicle(vehicle).into_iter().chain(drawing::vehicle_without_meshes(vehicle)) {
                let attachment = match drawing::steered_by(vehicle, &part) {
                    Some((wheel, yaw)) => {
                        let pivot = vehicle.wheels.get(wheel).and_then(|wheel| wheel.pivot);
                        Attachment::Steered { vehicle: index, wheel, pivot, yaw }
                    }
                    None => Attachment::Vehicle(index),
                };
                self.add_part(part, attachment, look);
            }
            for (wheel, info) in vehicle.wheels.iter().enumerate() {
                let place = (info.position, info.pivot);
                let attachment = Attachment::Wheel { vehicle: index, wheel, place, radius: info.radius };
                let parts = drawing::wheel(info).into_iter().chain(drawing::wheel_without_meshes(info));
                parts.for_each(|part| self.add_part(part, attachment, look));
            }
        }
        for (index, block) in scene.blocks.iter().enumerate().filter(|(_, block)| !block.is_static || block.is_animated)
        {
            let parts = drawing::block(block).into_iter().chain(drawing::block_without_meshes(block));
            parts.for_each(|part| self.add_part(part, Attachment::Block(index), (block.label.numbers, None)));
        }
        for (index, plane) in scene.planes.iter().enumerate() {
            self.add_part(drawing::plane(plane), Attachment::Plane(index), (plane.label.numbers, None));
        }
        for (index, actor) in scene.actors.iter().enumerate() {
            let parts = drawing::actor(actor).into_iter().chain(drawing::actor_without_meshes(actor));
            parts.for_each(|part| self.add_part(part, Attachment::Actor(index), (actor.label.numbers, None)));
        }
    }

    /// Adds what moves, with its label, and the paint of the vehicle that it is a part of.
    fn add_part(&mut self, drawing: Drawing, attachment: Attachment, (label, paint): ([u16; 2], Option<[u8; 4]>)) {
        let pose = drawing.pose;
        if let Some(instance) = self.add_instance(drawing, pose, (label, paint), attachment.vehicle()) {
            self.parts.push(Part { instance, attachment, body_from_part: pose });
        }
    }

    /// Adds a drawing as a model of its own at this pose in the world [m, rad]. Returns the index of the instance; none if nothing is seen.
    fn add_instance(
        &mut self,
        drawing: Drawing,
        pose: Pose3,
        (label, paint): ([u16; 2], Option<[u8; 4]>),
        vehicle: Option<usize>,
    ) -> Option<usize> {
        let (seen_by, surface) = (drawing.seen_by, self.surface(&drawing, label));
        let file = match &drawing.shape {
            Shape::File(file, _) => file.clone(),
            _ => PathBuf::new(),
        };
        let MeshModel { model, textures } = self.model(drawing, paint.is_some())?;
        let mut surfaces = vec![surface.clone()];
        if paint.is_some() || !textures.is_empty() {
            let color = paint.map_or(surface.color, shares);
            surfaces.push(Surface { color, ..surface.clone() });
        }
        for texture in &*textures {
            let picture = self.picture_index(&file, &texture.image);
            let paper = Some(Paper { picture, wrap: texture.wrap, is_tinted: true });
            surfaces.push(Surface { paper, ..surface.clone() });
        }
        let instance = self.space.add(model, surfaces.into(), vehicle, pose);
        self.space.show_to(instance, seen_by);
        Some(instance)
    }

    /// The model of a drawing; none for a line, and for a mesh that cannot be read. `is_painted`: what is called paint has the second surface
    /// of its instance.
    fn model(&mut self, drawing: Drawing, is_painted: bool) -> Option<MeshModel> {
        match drawing.shape {
            Shape::Triangles(corners) => {
                let mut model = Model::new(&corners);
                model.on_picture =
                    drawing.picture.map(|picture| on_picture(&corners, &picture.corners)).unwrap_or_default();
                model.colors = drawing.corner_colors.as_chunks::<3>().0.to_vec();
                Some(MeshModel { model: Arc::new(model), textures: [].into() })
            }
            Shape::File(path, scale) => {
                let colors = match drawing.color {
                    Some(_) => FileColors::None,
                    None if is_painted => FileColors::ButPaint,
                    None => FileColors::All,
                };
                let key = (path, scale.to_bits(), colors);
                if !self.meshes.contains_key(&key) {
                    let model = self.read(&key.0, scale, colors);
                    self.meshes.insert(key.clone(), model);
                }
                self.meshes.get(&key).cloned().flatten()
            }
            Shape::Line(_) => None,
        }
    }

    fn read(&mut self, path: &std::path::Path, scale: f64, colors: FileColors) -> Option<MeshModel> {
        match mesh::load(path) {
            Ok(mesh) => {
                let corners = mesh.triangles.iter().flatten().map(|&corner| scale * mesh.vertices[corner as usize]);
                let corners: Vec<Vec3> = corners.collect();
                let mut model = Model::new(&corners);
                if colors == FileColors::None {
                    return Some(MeshModel { model: Arc::new(model), textures: [].into() });
                }
                let told = mesh
                    .unseen
                    .iter()
                    .map(|what| Diagnostic::new(path.display(), what).at("sensors do not see all of a mesh"));
                self.problems.extend(told);
                let has_paint = colors == FileColors::ButPaint;
                let is_paint = |triangle: usize| has_paint && mesh.painted.get(triangle) == Some(&true);
                let on = |triangle: usize| mesh.on_texture.get(triangle).copied().flatten();
                // Black corners stand for those without a colour of their own.
                let visible = |color: [u8; 3]| color.map(|channel| channel.max(1));
                let color = |triangle: usize| match mesh.corner_colors.get(triangle).copied().flatten() {
                    _ if is_paint(triangle) => [[0; 3]; 3],
                    Some(corners) => corners.map(visible),
                    None => [mesh.colors.get(triangle).copied().flatten().map_or([0; 3], visible); 3],
                };
                let count = mesh.triangles.len();
                if !mesh.colors.is_empty() || !mesh.corner_colors.is_empty() {
                    model.colors = (0..count).map(color).collect();
                }
                if !mesh.textures.is_empty() {
                    let place = |(triangle, corners): (usize, &[Vec3; 3])| {
                        on(triangle).map_or_else(OnPicture::default, |on| OnPicture::new(*corners, on.corners))
                    };
                    model.on_picture = corners.as_chunks::<3>().0.iter().enumerate().map(place).collect();
                }
                if !mesh.textures.is_empty() || has_paint && !mesh.painted.is_empty() {
                    let surface = |triangle: usize| match on(triangle) {
                        _ if is_paint(triangle) => 1,
                        Some(on) => PLAIN_SURFACES + on.texture,
                        None => 0,
                    };
                    model.surfaces = (0..count).map(surface).collect();
                }
                Some(MeshModel { model: Arc::new(model), textures: mesh.textures.into() })
            }
            Err(error) => {
                self.problems.push(error.without_content().at("sensors do not see a mesh"));
                None
            }
        }
    }

    fn surface(&mut self, drawing: &Drawing, label: [u16; 2]) -> Surface {
        let color = drawing.color.unwrap_or(NO_COLOR);
        let opacity = drawing::opacity(color);
        let paper = drawing.picture.as_ref().map(|picture| {
            let picture = self.picture_index(&picture.file, &Image::File(picture.file.clone()));
            Paper { picture, wrap: [Wrap::Repeat; 2], is_tinted: false }
        });
        Surface { color: shares(color), opacity, paper, is_lit: drawing.is_lit, label }
    }

    /// The index of a picture that this file has or is.
    fn picture_index(&mut self, file: &std::path::Path, image: &Image) -> u32 {
        let key = match image {
            Image::File(path) => (path.clone(), None),
            Image::Within(number, _) | Image::Lost(number, _) => (file.to_path_buf(), Some(*number)),
        };
        let next = self.images.len() as u32;
        let index = *self.pictures.entry(key.clone()).or_insert(next);
        if index == next {
            self.images.push((key, image.clone()));
        }
        index
    }

    /// Moves everything to where it is in `frame`.
    pub(super) fn place(&mut self, frame: &Frame) {
        for part in &self.parts {
            self.space.place(part.instance, part.attachment.world_from_body(frame) * part.body_from_part);
        }
        self.space.finish();
    }
}

/// Triangles that never move, gathered to one model.
#[derive(Default)]
struct Still {
    origin: Vec3,
    corners: Vec<Vec3>,
    surfaces: Vec<Surface>,
    model: Model,
}

impl Still {
    fn add(&mut self, all: &mut Surroundings, drawing: Drawing, world_from_body: Pose3, label: [u16; 2]) {
        let pose = world_from_body * drawing.pose;
        let (Shape::Triangles(corners), SeenBy::All) = (&drawing.shape, drawing.seen_by) else {
            all.add_instance(drawing, pose, (label, None), None);
            return;
        };
        let surface = all.surface(&drawing, label);
        let count = corners.len() / 3;
        let placed: Vec<Vec3> = corners.iter().map(|&p| pose.transform_point(p) - self.origin).collect();
        self.model.surfaces.extend(std::iter::repeat_n(self.surfaces.len() as u32, count));
        let total = self.model.surfaces.len();
        if let Some(picture) = &drawing.picture {
            self.model.on_picture.resize(total - count, OnPicture::default());
            self.model.on_picture.extend(on_picture(&placed, &picture.corners));
        }
        if !drawing.corner_colors.is_empty() {
            self.model.colors.resize(total - count, [[0; 3]; 3]);
            self.model.colors.extend(drawing.corner_colors.as_chunks::<3>().0);
        }
        self.corners.extend(placed);
        self.surfaces.push(surface);
    }

    fn finish(self, all: &mut Surroundings) {
        let Still { origin, corners, surfaces, model } = self;
        if !corners.is_empty() {
            let model = model.with_triangles(&corners);
            let pose = Pose3 { x: origin.x, y: origin.y, z: origin.z, ..Pose3::default() };
            all.space.add(Arc::new(model), surfaces.into(), None, pose);
        }
    }
}

/// Red, green, blue as shares of one.
fn shares([red, green, blue, _]: [u8; 4]) -> [f32; 3] {
    [red, green, blue].map(|channel| f32::from(channel) / 255.0)
}

/// Where triangles with these corners [m] and texture coordinates [-] are on their picture.
fn on_picture(corners: &[Vec3], on: &[[f64; 2]]) -> Vec<OnPicture> {
    let triangles = corners.as_chunks::<3>().0.iter().zip(on.as_chunks::<3>().0);
    triangles.map(|(corners, on)| OnPicture::new(*corners, on.map(|at| at.map(|share| share as f32)))).collect()
}

/// A point near everything: where the first vehicle starts, which sees best there.
fn origin(scene: &Scene) -> Vec3 {
    scene.vehicles.first().map_or(Vec3::zeros(), |vehicle| vehicle.world_from_start.position().map(f64::round))
}

impl World {
    /// What casts the rays of sensors in three dimensions, if not this processor alone.
    pub fn batch_caster(&self) -> Option<Arc<dyn BatchCaster>> {
        self.population.catalogue.options.batch_caster.clone()
    }

    /// Builds the surroundings anew after bodies have come or gone; frees them when no sensor needs them any more.
    pub(super) fn renew_surroundings(&mut self) {
        let sensors = || self.vehicles.iter().flat_map(|record| &record.sensors).map(|mounted| &mounted.sensor);
        let (needs_space, needs_colors) =
            (sensors().any(|sensor| sensor.needs_space()), sensors().any(|sensor| sensor.needs_colors()));
        self.surroundings = needs_space.then(|| {
            let mut all = Surroundings::new(&self.scene, self.surroundings.take());
            all.space.batch_caster = self.batch_caster();
            if needs_colors {
                all.add_colors(&self.scene.viewer_scene);
            }
            all
        });
    }
}

#[cfg(test)]
mod tests;
