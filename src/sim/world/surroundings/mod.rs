//! The world as sensors see it in three dimensions: its drawings as triangles, and the poses of those that move.
//!
//! It exists only in worlds with a sensor that needs it. What stands still are few models; everything that moves, and every mesh
//! file, is an instance of its own. Bodies without a mesh file on this machine are their collision shape, as in viewers; lidars see the
//! collision shape of bodies whose meshes only cameras see. Where something comes, goes or is moved, only that is built anew.
//! Whoever builds a body that comes later reads its meshes, and its pictures where the world has had a camera since it was loaded, or the body
//! has one; where there is none, those alone that make holes, for all sensors. Otherwise they are decoded at the first look of a camera, in a
//! step, which takes longer by that.
//! Meshes of actors that have a skin or clips [move as on the page](figures). Not seen: regions, markers, joints and clouds of points.

mod figures;
mod map;
mod models;
mod motion;
mod parts;
mod pictures;
mod still;

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skidpad_files::diagnostic::Diagnostic;
use skidpad_files::mesh::texture::{Alpha, Image, Texture, Wrap};
use skidpad_math::{Pose3, Vec3};

use self::figures::Figure;
pub(super) use self::models::Models;
use self::models::Seen;
use self::parts::{Attachment, Part};
use self::pictures::{PictureKey, Pictures};
use self::still::Still;
use super::drawing::{self, Drawing, Shape};
use super::{EntityId, Frame, Scene, World};
use crate::raycast::space::batch::BatchCaster;
use crate::raycast::space::{Space, Surface, SurfacePicture};
use crate::sensor::Sensor;

/// Colour of a mesh without one.
const NO_COLOR: [u8; 4] = [0xb0, 0xb0, 0xb0, 0xff];
/// How far from the origin the first vehicle may start [m]: there corners in f32 are precise to 0.03 mm.
const REACH: f64 = 500.0;

/// The space, and what moves in it.
#[derive(Default)]
pub(super) struct Surroundings {
    pub(super) space: Space,
    parts: Vec<Part>,
    /// Those of them that move in themselves.
    figures: Vec<Figure>,
    /// Where each of them was before the step [m, rad]; empty: not known.
    before: Vec<Pose3>,
    models: Models,
    /// Models of bodies that have come since it was built.
    arrived: Vec<(EntityId, Models)>,
    still: Still,
    /// Index of each picture.
    pictures: BTreeMap<PictureKey, u32>,
    /// Where they are, by their indices; none in the place of one that is on nothing any more, until another one comes.
    images: Vec<Option<(PictureKey, Image)>>,
    /// The pictures that cameras see.
    colors: Pictures,
    /// What sensors do not see as the world file asks, and why.
    pub(super) problems: Vec<Diagnostic>,
}

/// What the surroundings of a world are to be. They stay when the last sensor that needs them is gone: the next one may come soon.
#[derive(Clone, Copy, Default)]
pub(super) struct SurroundingsPlan {
    /// Whether a sensor needs them.
    pub(super) is_needed: bool,
    /// Whether they show the scene as it is.
    is_known: bool,
    /// Their origin [m].
    origin: Vec3,
}

impl Surroundings {
    /// Everything in a scene, in the poses of its start, about an [`origin`] [m]. `before` lends what it has built that is in this scene
    /// too: the rays meet the same, bit by bit, with and without it.
    pub(super) fn new(scene: &Scene, origin: Vec3, before: Option<Surroundings>) -> Surroundings {
        let Surroundings { models, arrived, mut still, pictures, images, colors, .. } = before.unwrap_or_default();
        let space = Space::new(origin);
        let mut all = Surroundings { space, models, pictures, images, colors, ..Surroundings::default() };
        let mut came = Vec::new();
        for (_, mut models) in arrived {
            for (key, picture) in models.pictures.take().unwrap_or_default() {
                if let Entry::Vacant(place) = all.colors.entry(key) {
                    came.push(place.key().clone());
                    place.insert(picture);
                }
            }
            if all.models.add(models) {
                // Something else that stands there may show the file.
                still = Still::default();
            }
        }
        all.add_still(scene, still);
        all.add_moving(scene);
        all.models.forget_unused();
        all.forget_unused_pictures();
        came.retain(|key| !all.pictures.contains_key(key));
        came.iter().for_each(|key| drop(all.colors.remove(key)));
        all.space.finish();
        all
    }

    /// A body alone at the origin, which is the only one of this scene. `known`: models that need not be read; `has_camera`: a camera looks.
    pub(super) fn of_body(scene: &Scene, mut known: Models, has_camera: bool) -> Surroundings {
        let pictures = known.pictures.take();
        let before = Surroundings { models: known, ..Surroundings::default() };
        let mut all = Surroundings::new(scene, origin(scene, None), Some(before));
        if has_camera || pictures.is_some() {
            all.read_pictures(pictures.unwrap_or_default());
        } else {
            all.add_holes();
        }
        all
    }

    /// The models and pictures of what is in it, for another one.
    pub(super) fn into_models(self) -> Models {
        let mut models = self.models;
        models.pictures = Some(self.colors);
        models
    }

    /// Everything in a scene with its pictures and lights, as cameras need it; `before` as in [`new`](Self::new).
    pub(super) fn in_color(scene: &Scene, before: Option<Surroundings>) -> Surroundings {
        let origin = origin(scene, before.as_ref().map(|before| before.space.origin()));
        let mut all = Surroundings::new(scene, origin, before);
        all.add_colors(&scene.viewer_scene);
        all
    }

    /// Vehicles, blocks that can move, planes and actors.
    fn add_moving(&mut self, scene: &Scene) {
        for (index, vehicle) in scene.vehicles.iter().enumerate() {
            let (label, paint) = (vehicle.label.numbers, Some(vehicle.color));
            for part in drawing::vehicle(vehicle).into_iter().chain(drawing::vehicle_without_meshes(vehicle)) {
                let attachment = match drawing::steered_by(vehicle, &part) {
                    Some((wheel, yaw)) => {
                        let pivot = vehicle.wheels.get(wheel).and_then(|wheel| wheel.pivot);
                        Attachment::Steered { vehicle: index, wheel, pivot, yaw }
                    }
                    None => Attachment::Vehicle(index),
                };
                self.add_part(part, attachment, label, paint);
            }
            for (wheel, info) in vehicle.wheels.iter().enumerate() {
                let (position, pivot, radius) = (info.position, info.pivot, info.radius);
                let attachment = Attachment::Wheel { vehicle: index, wheel, position, pivot, radius };
                let parts = drawing::wheel(info).into_iter().chain(drawing::wheel_without_meshes(info));
                for part in parts {
                    self.add_part(part, attachment, label, paint);
                }
            }
        }
        for (index, block) in scene.blocks.iter().enumerate().filter(|(_, block)| !block.is_static || block.is_animated)
        {
            let parts = drawing::block(block).into_iter().chain(drawing::block_without_meshes(block));
            for part in parts {
                self.add_part(part, Attachment::Block(index), block.label.numbers, None);
            }
        }
        for (index, plane) in scene.planes.iter().enumerate() {
            self.add_part(drawing::plane(plane), Attachment::Plane(index), plane.label.numbers, None);
        }
        for (index, actor) in scene.actors.iter().enumerate() {
            for part in drawing::actor(actor).into_iter().chain(drawing::actor_without_meshes(actor)) {
                let attachment = Attachment::of_actor(index, &part);
                let added = self.add_part(part, attachment, actor.label.numbers, None);
                if let Some((instance, Seen { model, moving: Some(moving), .. })) = added {
                    self.add_figure(instance, index, actor, moving, model);
                }
            }
        }
    }

    /// Adds what moves, with its label, and the paint of the vehicle that it is a part of. Returns its index in the space, and its model.
    fn add_part(
        &mut self,
        drawing: Drawing,
        attachment: Attachment,
        label: [u16; 2],
        paint: Option<[u8; 4]>,
    ) -> Option<(usize, Seen)> {
        let seen = self.models.of(&drawing, paint.is_some(), &mut self.problems)?;
        let surfaces = self.surfaces(&drawing, label, paint, &seen.textures);
        let instance = self.space.add(Arc::clone(&seen.model), surfaces, attachment.vehicle(), drawing.pose);
        self.space.show_to(instance, drawing.seen_by);
        self.parts.push(Part { instance, attachment, body_from_part: attachment.body_from_part(drawing.pose) });
        Some((instance, seen))
    }

    /// The surfaces of a model: its own, that of [paint](models::PLAIN_SURFACES), and one for each texture of its mesh file.
    fn surfaces(
        &mut self,
        drawing: &Drawing,
        label: [u16; 2],
        paint: Option<[u8; 4]>,
        textures: &[Texture],
    ) -> Arc<[Surface]> {
        let surface = self.surface(drawing, label);
        let mut all = vec![surface.clone()];
        if paint.is_some() || !textures.is_empty() {
            let color = paint.map_or(surface.color, shares);
            all.push(Surface { color, ..surface.clone() });
        }
        if let Shape::File(file, _) = &drawing.shape {
            for texture in textures {
                let picture = (texture.image != Image::Plain).then(|| {
                    let picture = self.picture_index(file, &texture.image);
                    SurfacePicture { texture: picture, wrap: texture.wrap, is_tinted: true, alpha: texture.alpha }
                });
                let opacity = surface.opacity * f32::from(texture.opacity) / 255.0;
                all.push(Surface { picture, opacity, ..surface.clone() });
            }
        }
        all.into()
    }

    fn surface(&mut self, drawing: &Drawing, label: [u16; 2]) -> Surface {
        let color = drawing.color.unwrap_or(NO_COLOR);
        let opacity = drawing::opacity(color);
        let picture = drawing.picture.as_ref().map(|picture| {
            let picture = self.picture_index(&picture.file, &Image::File(picture.file.clone()));
            SurfacePicture { texture: picture, wrap: [Wrap::Repeat; 2], is_tinted: false, alpha: Alpha::Unsaid }
        });
        Surface { color: shares(color), opacity, picture, is_lit: drawing.is_lit, label }
    }

    /// The index of a picture that this file has or is.
    fn picture_index(&mut self, file: &Path, image: &Image) -> u32 {
        let key = match image {
            Image::File(path) => (path.clone(), None),
            Image::Within(number, _) => (file.to_path_buf(), Some((*number, None))),
            Image::Lost(number, reason) => (file.to_path_buf(), Some((*number, Some(reason.clone())))),
            // No picture: nothing is lost without one.
            Image::Plain => (PathBuf::new(), None),
        };
        if let Some(&index) = self.pictures.get(&key) {
            return index;
        }
        let place = self.images.iter().position(Option::is_none).unwrap_or_else(|| {
            self.images.push(None);
            self.images.len() - 1
        });
        self.images[place] = Some((key.clone(), image.clone()));
        self.pictures.insert(key, place as u32);
        place as u32
    }

    /// Forgets the pictures that are on nothing any more. The others keep their indices, which surfaces that are kept have.
    fn forget_unused_pictures(&mut self) {
        let shown = self.space.pictures_shown();
        self.pictures.retain(|key, index| {
            let is_shown = shown.contains(index);
            if !is_shown {
                self.colors.remove(key);
            }
            is_shown
        });
        self.images.truncate(shown.last().map_or(0, |&last| last as usize + 1));
        (0..).zip(&mut self.images).filter(|(index, _)| !shown.contains(index)).for_each(|(_, image)| *image = None);
    }

    /// Moves everything to where it is in `frame`.
    pub(super) fn place(&mut self, frame: &Frame) {
        figures::pose_all(&mut self.figures, frame, &mut self.space);
        for part in &self.parts {
            self.space.place(part.instance, part.world_from_part(frame));
        }
        self.space.finish();
    }
}

/// Red, green, blue as shares of one.
fn shares([red, green, blue, _]: [u8; 4]) -> [f32; 3] {
    [red, green, blue].map(|channel| f32::from(channel) / 255.0)
}

/// A point near everything: where the first vehicle starts, which sees best there. It stays as vehicles come and go, unless that is far away.
pub(super) fn origin(scene: &Scene, before: Option<Vec3>) -> Vec3 {
    let Some(first) = scene.vehicles.first() else { return before.unwrap_or_default() };
    let start = first.world_from_start.position().map(f64::round);
    before.filter(|before| (start - before).norm() <= REACH).unwrap_or(start)
}

impl World {
    /// What casts the rays of sensors in three dimensions, if not this processor alone.
    pub fn batch_caster(&self) -> Option<Arc<dyn BatchCaster>> {
        self.registry.catalogue.options.batch_caster.clone()
    }

    /// Puts the origin of the surroundings where it is in a world that has just been loaded.
    pub(super) fn centre_surroundings(&mut self) {
        self.surroundings_plan.origin = origin(&self.scene, None);
    }

    /// Notes that something that the surroundings show has come, gone or changed. What they are then does not depend on who looks, and when.
    pub(super) fn renew_surroundings(&mut self) {
        let is_needed = self.sensors().any(|sensor| sensor.needs_space());
        let origin = origin(&self.scene, Some(self.surroundings_plan.origin));
        self.surroundings_plan = SurroundingsPlan { is_needed, is_known: false, origin };
    }

    /// Keeps the models of a body that has come, so that the next look does not build them, if anything looks.
    pub(super) fn keep_models(&mut self, body: EntityId, models: Models) {
        if !self.surroundings_plan.is_needed {
            return;
        }
        let arrived = &mut self.surroundings.get_or_insert_default().arrived;
        arrived.push((body, models));
        let Scene { vehicles, blocks, .. } = &*self.scene;
        // More than there are bodies: some are gone before anything looked.
        if arrived.len() > vehicles.len() + blocks.len() {
            let ids = vehicles.iter().map(|vehicle| vehicle.id).chain(blocks.iter().map(|block| block.id));
            let present_ids: BTreeSet<EntityId> = ids.collect();
            arrived.retain(|(body, _)| present_ids.contains(body));
        }
    }

    /// The models of mesh files that sensors see; none if no sensor sees any.
    pub(super) fn seen_files(&self) -> Option<Models> {
        let surroundings = self.surroundings.as_ref().filter(|_| self.surroundings_plan.is_needed);
        surroundings.map(|surroundings| {
            let has_camera = self.sensors().any(|sensor| sensor.needs_colors());
            let pictures = has_camera.then(|| surroundings.colors.clone());
            let mut models = surroundings.models.of_files();
            models.pictures = pictures;
            models
        })
    }

    /// Builds of the surroundings what has come since they were built, if a sensor needs them.
    pub(super) fn look_around(&mut self) {
        if self.surroundings_plan.is_known || !self.surroundings_plan.is_needed {
            return;
        }
        let mut all = Surroundings::new(&self.scene, self.surroundings_plan.origin, self.surroundings.take());
        all.space.batch_caster = self.batch_caster();
        if self.sensors().any(|sensor| sensor.needs_colors()) {
            all.add_colors(&self.scene.viewer_scene);
        } else {
            all.add_holes();
        }
        self.surroundings = Some(all);
        self.surroundings_plan.is_known = true;
    }

    fn sensors(&self) -> impl Iterator<Item = &dyn Sensor> {
        self.vehicles.iter().flat_map(|record| &record.sensors).map(|mounted| &*mounted.sensor)
    }
}

#[cfg(test)]
mod figures_tests;
#[cfg(test)]
mod kept_tests;
#[cfg(test)]
mod tests;
