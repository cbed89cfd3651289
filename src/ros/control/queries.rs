//! What callers ask about entities, and what they say of them or do with their state.

use super::bounds::Corners;
use super::entity::{self, Category, Described, Info, State};
use super::filter::Filter;
use super::outcome::code::set_entity_state::INVALID_POSE;
use super::outcome::{Outcome, Refusal};
use super::pose::{GivenPose, GivenTwist, world_from_frame};
use super::simulation::{Look, Simulation};
use crate::math::Twist2;
use crate::world::{BodyRef, EntityId, Scene, StateError};

/// A state that a caller gives; what is none stays as it is.
#[derive(Clone, Debug)]
pub struct GivenState {
    /// The frame of both.
    pub frame: String,
    pub pose: Option<GivenPose>,
    pub twist: Option<GivenTwist>,
    /// Whether it wants an acceleration other than 0.
    pub accelerates: bool,
}

impl Simulation {
    /// The names of the entities that `filter` accepts, with their states.
    pub async fn entities(&self, filter: Filter) -> Outcome<Vec<(String, State)>> {
        self.look(move |look| {
            let scene = look.world.scene().clone();
            let entities =
                entity::all(&scene).map(|body| (body, entity::describe(look.world, body, &look.shared.said)));
            let chosen = entities.filter(|(_, entity)| filter.accepts(entity));
            Ok(chosen.map(|(body, entity)| (entity.name, entity::state_of(look.world, body))).collect())
        })
        .await
    }

    /// Has `ask` called about the entity called `name`.
    async fn about<T: Send + 'static>(
        &self,
        name: String,
        ask: impl FnOnce(&mut Look<'_>, EntityId, BodyRef) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        self.look(move |look| {
            let (id, body) = entity::find(look.world.scene(), &name)?;
            ask(look, id, body)
        })
        .await
    }

    /// What is said of an entity.
    pub async fn info(&self, name: String) -> Outcome<Info> {
        self.about(name, |look, _, body| {
            let Described { info, .. } = entity::describe(look.world, body, &look.shared.said);
            Ok(info)
        })
        .await
    }

    /// Says something else of an entity; an empty description and no tags are said too.
    pub async fn set_info(&self, name: String, category: u8, description: String, tags: Vec<String>) -> Outcome {
        let info = Info { category: Category::read(category)?, description, tags };
        self.about(name, |look, id, _| {
            look.life().require_world()?;
            look.shared.said.insert(id, info);
            // Entities that have been removed since have no owner.
            let scene = look.world.scene().clone();
            look.shared.said.retain(|&id, _| is_there(&scene, id));
            Ok(())
        })
        .await
    }

    /// Where an entity is and how it moves.
    pub async fn state(&self, name: String) -> Outcome<State> {
        self.about(name, |look, _, body| Ok(entity::state_of(look.world, body))).await
    }

    /// The box of an entity, in its own frame.
    pub async fn bounds(&self, name: String) -> Outcome<Corners> {
        self.about(name, |look, id, _| {
            look.world.bounds_of(id).ok_or_else(|| Refusal::failed("bounds: the entity has no extent"))
        })
        .await
    }

    /// Puts an entity elsewhere, or has it move otherwise.
    pub async fn set_state(&self, name: String, given: GivenState) -> Outcome {
        self.about(name, move |look, id, body| {
            look.life().require_world()?;
            let world = &mut *look.world;
            let wants_motion = given.accelerates || given.twist.is_some_and(|twist| twist != Twist2::ZERO);
            if let BodyRef::Block(index) = body
                && world.scene().blocks[index].is_static
                && wants_motion
            {
                let name = &world.scene().blocks[index].name;
                return Err(Refusal::failed(format!("state of \"{name}\": it never moves\n  accepted: no twist")));
            }
            let pose = given.pose.as_ref().map(|pose| pose.world_from_body(world, INVALID_POSE)).transpose()?;
            let frame = world_from_frame(world, &given.frame, INVALID_POSE)?.planar().rotation();
            let heading = pose.unwrap_or_else(|| entity::pose_of(world, body)).planar().rotation();
            let velocity = given.twist.map(|twist| {
                let linear = heading.inverse() * (frame * twist.linear());
                Twist2::new(linear.x, linear.y, twist.wz)
            });
            world.set_state(id, pose, velocity).map_err(|error| state_refusal(&error, pose.is_some()))
        })
        .await
    }
}

fn is_there(scene: &Scene, id: EntityId) -> bool {
    scene.vehicle_of(id).is_some() || scene.block_of(id).is_some()
}

fn state_refusal(error: &StateError, has_pose: bool) -> Refusal {
    match error {
        StateError::Unknown(_) => Refusal::not_found(error),
        StateError::Invalid { .. } if has_pose => Refusal::new(INVALID_POSE, error),
        StateError::Invalid { .. } | StateError::Fixed(_) => Refusal::failed(error),
    }
}
