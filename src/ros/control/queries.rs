//! Calls that get or set the information and the state of entities.

use skidpad_math::Twist2;
use skidpad_sim::world::{EntityId, EntityRef, StateError};

use super::bounds::Corners;
use super::entity::{self, Category, Described, Info, State};
use super::filter::Filter;
use super::outcome::code::set_entity_state::INVALID_POSE;
use super::outcome::{Outcome, Refusal};
use super::pose::{GivenPose, world_from_frame};
use super::simulation::{Access, Simulation};

/// A state that a caller sets; absent parts keep their values.
#[derive(Clone, Debug)]
pub(crate) struct GivenState {
    /// The frame of the twist.
    pub frame: String,
    pub pose: Option<GivenPose>,
    /// Velocity along the axes of the frame [m/s, rad/s]; motion out of the plane is ignored.
    pub twist: Option<Twist2>,
    /// Whether an acceleration other than 0 is asked for.
    pub accelerates: bool,
}

impl Simulation {
    /// The names of the entities that `filter` accepts, with their states.
    pub async fn entities(&self, filter: Filter) -> Outcome<Vec<(String, State)>> {
        self.access(move |access| {
            let scene = access.world.scene().clone();
            let entities = scene
                .entities()
                .map(|entity| (entity, entity::describe(access.world, entity, &access.shared.info_overrides)));
            let chosen = entities.filter(|(_, described)| filter.accepts(described));
            Ok(chosen.map(|(entity, described)| (described.name, entity::state_of(access.world, entity))).collect())
        })
        .await
    }

    /// Calls `ask` with the entity of this name, between two steps.
    async fn access_entity<T: Send + 'static>(
        &self,
        name: String,
        ask: impl FnOnce(&mut Access<'_>, EntityId, EntityRef) -> Outcome<T> + Send + 'static,
    ) -> Outcome<T> {
        self.access(move |access| {
            let (id, entity) = entity::find(access.world.scene(), &name)?;
            ask(access, id, entity)
        })
        .await
    }

    /// Information about an entity.
    pub async fn info(&self, name: String) -> Outcome<Info> {
        self.access_entity(name, |access, _, entity| {
            let Described { info, .. } = entity::describe(access.world, entity, &access.shared.info_overrides);
            Ok(info)
        })
        .await
    }

    /// Replaces the information about an entity; an empty description and no tags count as values.
    pub(crate) async fn set_info(&self, name: String, category: u8, description: String, tags: Vec<String>) -> Outcome {
        let info = Info { category: Category::read(category)?, description, tags };
        self.access_entity(name, |access, id, _| {
            access.run_state().require_world()?;
            access.shared.info_overrides.insert(id, info);
            // Drops the information of removed entities.
            let scene = access.world.scene().clone();
            access.shared.info_overrides.retain(|&id, _| scene.entity_of(id).is_some());
            Ok(())
        })
        .await
    }

    /// The state of an entity.
    pub async fn state(&self, name: String) -> Outcome<State> {
        self.access_entity(name, |access, _, entity| Ok(entity::state_of(access.world, entity))).await
    }

    /// The box of an entity, in its own frame.
    pub async fn bounds(&self, name: String) -> Outcome<Corners> {
        self.access_entity(name, |access, _, entity| {
            access.world.scene().bounds_of(entity).ok_or_else(|| Refusal::failed("bounds: the entity has no extent"))
        })
        .await
    }

    /// Sets the pose or the velocity of an entity.
    pub async fn set_state(&self, name: String, given: GivenState) -> Outcome {
        self.access_entity(name, move |access, id, entity| {
            access.run_state().require_world()?;
            let (world, map) = (&mut *access.world, &*access.map_frame);
            let wants_motion = given.accelerates || given.twist.is_some_and(|twist| twist != Twist2::ZERO);
            let reason = match entity {
                EntityRef::Block(index) => {
                    world.scene().blocks[index].is_static.then_some("the entity never moves\n  accepted: no twist")
                }
                EntityRef::Actor(_) => Some("the path of an actor sets its velocity\n  accepted: no twist"),
                EntityRef::Vehicle(_) => None,
            };
            if let Some(reason) = reason.filter(|_| wants_motion) {
                let name = world.scene().entity_name(entity);
                return Err(Refusal::failed(format!("state of \"{name}\": {reason}")));
            }
            let pose = given.pose.as_ref().map(|pose| pose.world_from_body(world, map, INVALID_POSE)).transpose()?;
            let frame = world_from_frame(world, &given.frame, map, INVALID_POSE)?.planar().rotation();
            let heading = pose.unwrap_or_else(|| world.frame().pose_of(entity)).planar().rotation();
            let velocity = given.twist.map(|twist| {
                let linear = heading.inverse() * (frame * twist.linear());
                Twist2::new(linear.x, linear.y, twist.wz)
            });
            world.set_state(id, pose, velocity).map_err(|error| state_refusal(&error, pose.is_some()))
        })
        .await
    }
}

fn state_refusal(error: &StateError, has_pose: bool) -> Refusal {
    match error {
        StateError::Unknown(_) => Refusal::not_found(error),
        StateError::Invalid { .. } if has_pose => Refusal::new(INVALID_POSE, error),
        StateError::Invalid { .. } | StateError::Fixed(_) | StateError::Unmoved(_) => Refusal::failed(error),
    }
}
