//! The services of `simulation_interfaces`, one by one: the name and type of each, and the call of the control that answers it.

use r2r::simulation_interfaces::msg::{
    Bounds, EntityInfo, EntityState, NamedPose, Result as ResultMessage, SimulationState, SimulatorFeatures,
    SpawnResult, Spawnable, WorldResource,
};
use r2r::simulation_interfaces::srv::{
    DeleteEntity, GetAvailableWorlds, GetCurrentWorld, GetEntities, GetEntitiesStates, GetEntityBounds, GetEntityInfo,
    GetEntityState, GetNamedPoseBounds, GetNamedPoses, GetSimulationState, GetSimulatorFeatures, GetSpawnables,
    LoadWorld, ResetSimulation, SetEntityInfo, SetEntityState, SetSimulationState, SpawnEntities, SpawnEntity,
    StepSimulation, UnloadWorld,
};

use super::super::features::{FEATURES, SPAWN_FORMATS, custom_info};
use super::super::outcome::Refusal;
use super::super::queries::GivenState;
use super::super::spawn::EntityRequest;
use super::super::stepping::AT_ONCE;
use super::super::worlds::Strictness;
use super::{Offers, Response, convert, version};
use crate::error::RosError;
use crate::typed_messages::planar_twist;

/// Which fields of the responses hold the requested content.
macro_rules! responses {
    ($($service:ident { $($field:ident: $content:ty),* })*) => {
        $(impl Response for $service::Response {
            #[allow(unused_parens, reason = "they are needed around no field or several")]
            type Content = ($($content),*);

            #[allow(unused_parens, reason = "as above")]
            fn new(result: ResultMessage, ($($field),*): Self::Content) -> Self {
                $service::Response { result, $($field),* }
            }
        })*
    };
}

responses! {
    DeleteEntity {}
    GetAvailableWorlds { worlds: Vec<WorldResource> }
    GetCurrentWorld { world: WorldResource }
    GetEntities { entities: Vec<String> }
    GetEntitiesStates { entities: Vec<String>, states: Vec<EntityState> }
    GetEntityBounds { bounds: Bounds }
    GetEntityInfo { info: EntityInfo }
    GetEntityState { state: EntityState }
    GetNamedPoseBounds { bounds: Bounds }
    GetNamedPoses { poses: Vec<NamedPose> }
    GetSimulationState { state: SimulationState }
    GetSpawnables { spawnables: Vec<Spawnable> }
    LoadWorld { world: WorldResource }
    ResetSimulation {}
    SetEntityInfo {}
    SetEntityState {}
    SetSimulationState {}
    SpawnEntities { results: Vec<SpawnResult> }
    SpawnEntity { entity_name: String }
    StepSimulation {}
    UnloadWorld {}
}

/// This response has no field for a result.
impl Response for GetSimulatorFeatures::Response {
    type Content = SimulatorFeatures;

    fn new(_: ResultMessage, features: SimulatorFeatures) -> Self {
        GetSimulatorFeatures::Response { features }
    }
}

/// Offers all of them.
pub fn offer(on: &mut Offers<'_>) -> Result<(), RosError> {
    offer_simulation(on)?;
    offer_population(on)?;
    offer_entities(on)?;
    offer_worlds(on)
}

/// Features, state, reset, steps.
fn offer_simulation(on: &mut Offers<'_>) -> Result<(), RosError> {
    on.offer::<GetSimulatorFeatures::Service, _>("get_simulator_features", |_, _| async {
        Ok(SimulatorFeatures {
            features: FEATURES.to_vec(),
            spawn_formats: SPAWN_FORMATS.map(str::to_owned).to_vec(),
            custom_info: custom_info(),
        })
    })?;
    on.offer::<GetSimulationState::Service, _>("get_simulation_state", |simulation, _| async move {
        Ok(SimulationState { state: simulation.run_state().await? as u8 })
    })?;
    on.offer::<SetSimulationState::Service, _>("set_simulation_state", |simulation, request| async move {
        simulation.set_run_state(request.state.state).await
    })?;
    on.offer::<ResetSimulation::Service, _>("reset_simulation", |simulation, request| async move {
        simulation.reset(request.scope).await
    })?;
    on.offer::<StepSimulation::Service, _>("step_simulation", |simulation, request| async move {
        simulation.step(request.steps, AT_ONCE, |_| true).await.map(drop)
    })
}

/// Spawning and deleting.
fn offer_population(on: &mut Offers<'_>) -> Result<(), RosError> {
    on.offer::<SpawnEntity::Service, _>("spawn_entity", |simulation, mut request| async move {
        let resource = version::spawn_resource(&mut request);
        let wanted = EntityRequest {
            name: request.name,
            allow_renaming: request.allow_renaming,
            resource,
            namespace: request.entity_namespace,
            pose: convert::stamped_pose(request.initial_pose),
        };
        simulation.spawn(wanted).await
    })?;
    on.offer_with::<SpawnEntities::Service, _>("spawn_entities", |simulation, request| async move {
        let wanted = request.spawn_requests.into_iter().map(convert::entity_request).collect();
        let (outcome, results) = simulation.spawn_all(wanted).await;
        Response::new(convert::result(&outcome), results.into_iter().map(convert::spawn_result).collect())
    })?;
    on.offer::<DeleteEntity::Service, _>("delete_entity", |simulation, request| async move {
        simulation.delete(request.entity).await
    })?;
    on.offer::<GetSpawnables::Service, _>("get_spawnables", |simulation, request| async move {
        let all = simulation.spawnables(request.sources).await?;
        Ok(all.into_iter().map(|spawnable| version::spawnable(spawnable.uri, spawnable.description)).collect())
    })
}

/// The properties and states of entities.
fn offer_entities(on: &mut Offers<'_>) -> Result<(), RosError> {
    on.offer::<GetEntities::Service, _>("get_entities", |simulation, request| async move {
        let entities = simulation.entities(convert::filter(request.filters)?).await?;
        Ok(entities.into_iter().map(|(name, _)| name).collect())
    })?;
    on.offer::<GetEntitiesStates::Service, _>("get_entities_states", |simulation, request| async move {
        let entities = simulation.entities(convert::filter(request.filters)?).await?;
        let message = |state| convert::state(simulation.stamped(state), &simulation.map_frame);
        Ok(entities.into_iter().map(|(name, state)| (name, message(state))).unzip())
    })?;
    on.offer::<GetEntityInfo::Service, _>("get_entity_info", |simulation, request| async move {
        simulation.info(request.entity).await.map(convert::info)
    })?;
    on.offer::<SetEntityInfo::Service, _>("set_entity_info", |simulation, request| async move {
        let info = request.info;
        simulation.set_info(request.entity, info.category.category, info.description, info.tags).await
    })?;
    on.offer::<GetEntityState::Service, _>("get_entity_state", |simulation, request| async move {
        let state = simulation.state(request.entity).await?;
        Ok(convert::state(simulation.stamped(state), &simulation.map_frame))
    })?;
    on.offer::<SetEntityState::Service, _>("set_entity_state", |simulation, request| async move {
        let [pose, twist, acceleration] = version::parts_to_set(&request);
        let state = &request.state;
        let pushes = {
            let (linear, angular) = (&state.acceleration.linear, &state.acceleration.angular);
            [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z].iter().any(|&part| part != 0.0)
        };
        let frame = state.header.frame_id.clone();
        let given = GivenState {
            pose: pose.then(|| convert::given_pose(frame.clone(), &state.pose)),
            twist: twist.then(|| planar_twist(&state.twist)),
            accelerates: acceleration && pushes,
            frame,
        };
        simulation.set_state(request.entity, given).await
    })?;
    on.offer::<GetEntityBounds::Service, _>("get_entity_bounds", |simulation, request| async move {
        simulation.bounds(request.entity).await.map(convert::corners)
    })
}

/// Worlds, and where vehicles start in them.
fn offer_worlds(on: &mut Offers<'_>) -> Result<(), RosError> {
    on.offer::<GetNamedPoses::Service, _>("get_named_poses", |simulation, request| async move {
        let poses = simulation.named_poses(&convert::tags(request.tags)?);
        Ok(poses.into_iter().map(convert::named_pose).collect())
    })?;
    on.offer::<GetNamedPoseBounds::Service, _>("get_named_pose_bounds", |simulation, request| async move {
        let bounds = simulation.named_pose(&request.name)?.bounds;
        let refusal = || Refusal::failed("bounds: the vehicle that starts there has no extent");
        bounds.map(convert::corners).ok_or_else(refusal)
    })?;
    on.offer::<GetAvailableWorlds::Service, _>("get_available_worlds", |simulation, request| async move {
        // All sources are on this machine, so `offline_only` has no effect.
        let (sources, tags) = (request.additional_sources, convert::tags(request.filter)?);
        let worlds = simulation.available_worlds(sources, tags, request.continue_on_error).await?;
        Ok(worlds.into_iter().map(convert::world).collect())
    })?;
    on.offer::<GetCurrentWorld::Service, _>("get_current_world", |simulation, _| async move {
        simulation.current_world().map(convert::world)
    })?;
    on.offer::<LoadWorld::Service, _>("load_world", |simulation, request| async move {
        let strictness = Strictness {
            rejects_unknown: request.fail_on_unsupported_element,
            allows_missing_files: request.ignore_missing_or_unsupported_assets,
        };
        simulation.load_world(version::world_resource(request), strictness).await.map(convert::world)
    })?;
    on.offer::<UnloadWorld::Service, _>("unload_world", |simulation, _| async move { simulation.unload_world().await })
}
