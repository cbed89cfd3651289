//! The services, one by one.

use r2r::simulation_interfaces::msg::{Result as ResultMessage, SimulationState, SimulatorFeatures};
use r2r::simulation_interfaces::srv::{
    DeleteEntity, GetAvailableWorlds, GetCurrentWorld, GetEntities, GetEntitiesStates, GetEntityBounds, GetEntityInfo,
    GetEntityState, GetNamedPoseBounds, GetNamedPoses, GetSimulationState, GetSimulatorFeatures, GetSpawnables,
    LoadWorld, ResetSimulation, SetEntityInfo, SetEntityState, SetSimulationState, SpawnEntities, SpawnEntity,
    StepSimulation, UnloadWorld,
};

use super::super::features::{FEATURES, SPAWN_FORMATS, custom_info};
use super::super::outcome::Refusal;
use super::super::queries::GivenState;
use super::super::spawn::Wanted;
use super::super::stepping::AT_ONCE;
use super::super::worlds::Strictness;
use super::convert::{self, result, split};
use super::{Desk, Refusable, version};
use crate::ros::convert::planar_twist;
use crate::ros::error::RosError;

/// The responses that say whether a call was granted.
macro_rules! refusable {
    ($($service:ident),* $(,)?) => {
        $(impl Refusable for $service::Response {
            fn refuse(&mut self, result: ResultMessage) {
                self.result = result;
            }
        })*
    };
}

refusable! {
    DeleteEntity, GetAvailableWorlds, GetCurrentWorld, GetEntities, GetEntitiesStates, GetEntityBounds, GetEntityInfo, GetEntityState,
    GetNamedPoseBounds, GetNamedPoses, GetSimulationState, GetSpawnables, LoadWorld, ResetSimulation, SetEntityInfo, SetEntityState,
    SetSimulationState, SpawnEntities, SpawnEntity, StepSimulation, UnloadWorld,
}

/// It has no room for a reason.
impl Refusable for GetSimulatorFeatures::Response {
    fn refuse(&mut self, _: ResultMessage) {}
}

/// Offers all of them.
pub fn offer(desk: &mut Desk<'_>) -> Result<(), RosError> {
    offer_simulation(desk)?;
    offer_population(desk)?;
    offer_entities(desk)?;
    offer_worlds(desk)
}

/// Features, state, reset, steps.
fn offer_simulation(desk: &mut Desk<'_>) -> Result<(), RosError> {
    desk.offer::<GetSimulatorFeatures::Service, _>("get_simulator_features", |_, _| {
        let features = SimulatorFeatures {
            features: FEATURES.to_vec(),
            spawn_formats: SPAWN_FORMATS.map(str::to_owned).to_vec(),
            custom_info: custom_info(),
        };
        std::future::ready(GetSimulatorFeatures::Response { features })
    })?;
    desk.offer::<GetSimulationState::Service, _>("get_simulation_state", |simulation, _| async move {
        let (result, state) = split(simulation.life().await, |life| SimulationState { state: life as u8 });
        GetSimulationState::Response { state, result }
    })?;
    desk.offer::<SetSimulationState::Service, _>("set_simulation_state", |simulation, request| async move {
        SetSimulationState::Response { result: result(&simulation.set_life(request.state.state).await) }
    })?;
    desk.offer::<ResetSimulation::Service, _>("reset_simulation", |simulation, request| async move {
        ResetSimulation::Response { result: result(&simulation.reset(request.scope).await) }
    })?;
    desk.offer::<StepSimulation::Service, _>("step_simulation", |simulation, request| async move {
        StepSimulation::Response { result: result(&simulation.step(request.steps, AT_ONCE, |_| true).await) }
    })
}

/// What comes and goes.
fn offer_population(desk: &mut Desk<'_>) -> Result<(), RosError> {
    desk.offer::<SpawnEntity::Service, _>("spawn_entity", |simulation, mut request| async move {
        let resource = version::spawn_resource(&mut request);
        let wanted = Wanted {
            name: request.name,
            allow_renaming: request.allow_renaming,
            resource,
            namespace: request.entity_namespace,
            pose: convert::stamped_pose(request.initial_pose),
        };
        let (result, entity_name) = split(simulation.spawn(wanted).await, |name| name);
        SpawnEntity::Response { result, entity_name }
    })?;
    desk.offer::<SpawnEntities::Service, _>("spawn_entities", |simulation, request| async move {
        let wanted = request.spawn_requests.into_iter().map(convert::wanted).collect();
        let (outcome, results) = simulation.spawn_all(wanted).await;
        SpawnEntities::Response {
            result: result(&outcome),
            results: results.into_iter().map(convert::spawn_result).collect(),
        }
    })?;
    desk.offer::<DeleteEntity::Service, _>("delete_entity", |simulation, request| async move {
        DeleteEntity::Response { result: result(&simulation.delete(request.entity).await) }
    })?;
    desk.offer::<GetSpawnables::Service, _>("get_spawnables", |simulation, request| async move {
        let (result, spawnables) = split(simulation.spawnables(request.sources).await, |all| {
            all.into_iter().map(|one| version::spawnable(one.uri, one.description)).collect()
        });
        GetSpawnables::Response { result, spawnables }
    })
}

/// What entities are and do.
fn offer_entities(desk: &mut Desk<'_>) -> Result<(), RosError> {
    desk.offer::<GetEntities::Service, _>("get_entities", |simulation, request| async move {
        let entities = match convert::filter(request.filters) {
            Ok(filter) => simulation.entities(filter).await,
            Err(refusal) => Err(refusal),
        };
        let (result, entities) = split(entities, |all| all.into_iter().map(|(name, _)| name).collect());
        GetEntities::Response { result, entities }
    })?;
    desk.offer::<GetEntitiesStates::Service, _>("get_entities_states", |simulation, request| async move {
        let entities = match convert::filter(request.filters) {
            Ok(filter) => simulation.entities(filter).await,
            Err(refusal) => Err(refusal),
        };
        let (result, (entities, states)) = split(entities, |all| {
            all.into_iter().map(|(name, state)| (name, convert::state(state))).unzip::<_, _, Vec<_>, Vec<_>>()
        });
        GetEntitiesStates::Response { result, entities, states }
    })?;
    desk.offer::<GetEntityInfo::Service, _>("get_entity_info", |simulation, request| async move {
        let (result, info) = split(simulation.info(request.entity).await, convert::info);
        GetEntityInfo::Response { result, info }
    })?;
    desk.offer::<SetEntityInfo::Service, _>("set_entity_info", |simulation, request| async move {
        let info = request.info;
        let outcome = simulation.set_info(request.entity, info.category.category, info.description, info.tags).await;
        SetEntityInfo::Response { result: result(&outcome) }
    })?;
    desk.offer::<GetEntityState::Service, _>("get_entity_state", |simulation, request| async move {
        let (result, state) = split(simulation.state(request.entity).await, convert::state);
        GetEntityState::Response { result, state }
    })?;
    desk.offer::<SetEntityState::Service, _>("set_entity_state", |simulation, request| async move {
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
        SetEntityState::Response { result: result(&simulation.set_state(request.entity, given).await) }
    })?;
    desk.offer::<GetEntityBounds::Service, _>("get_entity_bounds", |simulation, request| async move {
        let (result, bounds) = split(simulation.bounds(request.entity).await, convert::corners);
        GetEntityBounds::Response { result, bounds }
    })
}

/// Worlds, and where vehicles start in them.
fn offer_worlds(desk: &mut Desk<'_>) -> Result<(), RosError> {
    desk.offer::<GetNamedPoses::Service, _>("get_named_poses", |simulation, request| {
        let poses = convert::tags(request.tags).map(|tags| simulation.named_poses(&tags));
        let (result, poses) = split(poses, |poses| poses.into_iter().map(convert::named_pose).collect());
        std::future::ready(GetNamedPoses::Response { result, poses })
    })?;
    desk.offer::<GetNamedPoseBounds::Service, _>("get_named_pose_bounds", |simulation, request| {
        let bounds = simulation.named_pose(&request.name).and_then(|pose| {
            pose.bounds.ok_or_else(|| Refusal::failed("bounds: the vehicle that starts there has no extent"))
        });
        let (result, bounds) = split(bounds, convert::corners);
        std::future::ready(GetNamedPoseBounds::Response { result, bounds })
    })?;
    desk.offer::<GetAvailableWorlds::Service, _>("get_available_worlds", |simulation, request| async move {
        // All sources are on this machine, so `offline_only` changes nothing.
        let worlds = match convert::tags(request.filter) {
            Ok(tags) => simulation.available_worlds(request.additional_sources, tags, request.continue_on_error).await,
            Err(refusal) => Err(refusal),
        };
        let (result, worlds) = split(worlds, |worlds| worlds.into_iter().map(convert::world).collect());
        GetAvailableWorlds::Response { result, worlds }
    })?;
    desk.offer::<GetCurrentWorld::Service, _>("get_current_world", |simulation, _| {
        let (result, world) = split(simulation.current_world(), convert::world);
        std::future::ready(GetCurrentWorld::Response { result, world })
    })?;
    desk.offer::<LoadWorld::Service, _>("load_world", |simulation, request| async move {
        let strictness = Strictness {
            refuses_unknown: request.fail_on_unsupported_element,
            takes_missing: request.ignore_missing_or_unsupported_assets,
        };
        let (result, world) =
            split(simulation.load_world(version::world_resource(request), strictness).await, convert::world);
        LoadWorld::Response { result, world }
    })?;
    desk.offer::<UnloadWorld::Service, _>("unload_world", |simulation, _| async move {
        UnloadWorld::Response { result: result(&simulation.unload_world().await) }
    })
}
