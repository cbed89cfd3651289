//! Carries out viewers' orders in a running simulation, through its mailbox.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use skidpad_files::assets::Reach;
use skidpad_math::time::Rate;
use skidpad_math::{Pose3, Twist2};
use skidpad_run::runner::{Outbox, REMOVED, Request, SimulationAccess};
use skidpad_sim::vehicle::{Action, GearLever, Pedals};
use skidpad_sim::world::{EntityId, Scene, Spot};
use skidpad_view::messages::{Done, Order, ParameterView};
use tokio::sync::watch;

use super::editor::{EditRights, Editor};
use super::hub::{OrderCallback, Pilot, Reply};
use super::spawner::Spawner;

/// The answer once the simulation has ended.
const ENDED: &str = "order: the simulation has ended";

/// Carries out orders in a running simulation.
pub struct LivePilot {
    outbox: Outbox,
    scene: watch::Receiver<Arc<Scene>>,
    spawner: Spawner,
    editor: Option<Editor>,
    stop: Option<Arc<AtomicBool>>,
}

/// What orders may reach beyond the world; by default nothing.
#[derive(Clone, Debug, Default)]
pub struct Rights {
    /// Ends the run when set; none: viewers cannot end it.
    pub stop: Option<Arc<AtomicBool>>,
    /// The files that XML of viewers may name.
    pub reach: Reach,
    /// The world file that viewers may edit; none: none.
    pub edit: Option<EditRights>,
}

impl LivePilot {
    /// Passes orders to the simulation behind `outbox`; `scene` holds its current scene.
    pub fn new(outbox: Outbox, scene: watch::Receiver<Arc<Scene>>, rights: Rights) -> LivePilot {
        let Rights { stop, reach, edit } = rights;
        let editor = edit.and_then(|rights| Editor::new(outbox.clone(), scene.clone(), rights));
        LivePilot { spawner: Spawner::new(outbox.clone(), reach), editor, outbox, scene, stop }
    }

    /// Ends the run.
    fn shut_down(&self, reply: Reply) {
        let Some(stop) = self.stop.clone() else {
            let refusal = "shutdown: only the program that steps this world can end it\n  accepted: in skidpad run";
            return reply.give(Err::<Done, _>(refusal.into()));
        };
        self.outbox.visit(move |visit| {
            reply.give(Ok(visit.world.frame().time.secs()));
            stop.store(true, Ordering::Relaxed);
        });
    }

    /// The command for this motion: speed and steering angle if the vehicle accepts that, otherwise velocity and yaw rate.
    fn drive(&self, vehicle: EntityId, speed: f64, turn: f64, sideways: f64) -> Result<Action, String> {
        let scene = self.scene.borrow();
        let info = scene.vehicle_of(vehicle).and_then(|index| scene.vehicles.get(index)).ok_or(REMOVED)?;
        if sideways != 0.0 && !info.moves_sideways {
            return Err(format!("drive: \"{}\" does not move sideways\n  accepted: 0 for sideways", info.name));
        }
        match info.accepts {
            accepts if accepts.ackermann => Ok(Action::Ackermann { speed, steering_angle: turn }),
            accepts if accepts.twist => Ok(Action::Twist(Twist2::new(speed, sideways, turn))),
            accepts => Err(format!(
                "drive: \"{}\" takes neither speeds with steering angles nor velocities\n  accepted: {}",
                info.name,
                accepts.names()
            )),
        }
    }
}

/// Moves a vehicle or a block to another pose, at rest: `x` and `y` [m], `yaw` [rad] in the world.
fn place(
    visit: &mut SimulationAccess<'_>,
    id: EntityId,
    x: f64,
    y: f64,
    yaw: f64,
    z: Option<f64>,
    velocity: Option<[f64; 3]>,
) -> Result<f64, String> {
    let (scene, frame) = (visit.world.scene(), visit.world.frame());
    let vehicle =
        scene.vehicle_of(id).and_then(|index| frame.vehicles.get(index)).map(|vehicle| vehicle.world_from_body.z);
    let block = || scene.block_of(id).and_then(|index| frame.blocks.get(index)).map(|pose| pose.z);
    let from = z.or(vehicle).or_else(block).unwrap_or(0.0);
    let spot = Spot { pose: Pose3 { x, y, z: from, yaw, ..Pose3::default() }, gives_z: z.is_some() };
    let [vx, vy, yaw_rate] = velocity.unwrap_or_default();
    visit
        .world
        .set_state(id, Some(spot), Some(Twist2::new(vx, vy, yaw_rate)))
        .map_err(|refusal| refusal.to_string())?;
    Ok(visit.world.frame().time.secs())
}

/// The parameters of a vehicle's controller as they are.
fn parameters(visit: &SimulationAccess<'_>, id: EntityId) -> Result<Done, String> {
    let index = visit.world.scene().vehicle_of(id);
    let vehicle =
        index.and_then(|index| visit.world.vehicle(index)).ok_or("parameters: the vehicle has been removed")?;
    let parameters = vehicle.controller().tunables().into_iter().map(|tunable| ParameterView {
        name: tunable.name.into(),
        help: tunable.help.into(),
        range: tunable.range,
        value: tunable.value,
    });
    let parameters = Some(parameters.collect());
    Ok(Done { parameters, ..visit.world.frame().time.secs().into() })
}

impl Pilot for LivePilot {
    fn carry_out(&self, order: Order, reply: OrderCallback) {
        let reply = Reply::new(reply, ENDED);
        let request = match order {
            Order::Pause {} => Request::Pause(true),
            Order::Resume {} => Request::Pause(false),
            Order::Step { count } => Request::Step(u64::from(count)),
            Order::Reset {} => Request::Reset,
            Order::SetRate { rate } => Request::SetRate(rate.map_or(Rate::Max, Rate::Factor)),
            Order::Drive { vehicle, speed, turn, sideways } => {
                match self.drive(EntityId(vehicle), speed, turn, sideways) {
                    Ok(action) => Request::Command { id: EntityId(vehicle), action },
                    Err(refusal) => return reply.give(Err::<Done, _>(refusal)),
                }
            }
            Order::Pedals { vehicle, throttle, brake, reverse, steering_angle } => {
                let gear = if reverse { GearLever::Reverse } else { GearLever::Drive };
                let action = Action::Pedals { pedals: Pedals { throttle, brake, gear }, steering_angle };
                Request::Command { id: EntityId(vehicle), action }
            }
            Order::Command { vehicle, command } => Request::Command { id: EntityId(vehicle), action: command.action() },
            Order::Place { entity, x, y, z, yaw, velocity } => {
                // If the visit never happens, the reply is dropped and reports the reason.
                self.outbox.visit(move |visit| reply.give(place(visit, EntityId(entity), x, y, yaw, z, velocity)));
                return;
            }
            Order::Spawn { what, name, x, y, z, yaw } => {
                let pose = Pose3 { x, y, z: z.unwrap_or(0.0), yaw, ..Pose3::default() };
                return self.spawner.spawn(what, name, Spot { pose, gives_z: z.is_some() }, reply);
            }
            Order::Remove { entity } => {
                self.outbox.visit(move |visit| {
                    let removed = visit.world.remove(EntityId(entity)).map_err(|refusal| format!("remove: {refusal}"));
                    reply.give(removed.map(|()| visit.world.frame().time.secs()));
                });
                return;
            }
            Order::Parameters { vehicle } => {
                self.outbox.visit(move |visit| reply.give(parameters(visit, EntityId(vehicle))));
                return;
            }
            Order::SetParameter { vehicle, name, value } => {
                self.outbox.visit(move |visit| {
                    let tuned =
                        visit.world.tune(EntityId(vehicle), &name, value).map_err(|refusal| refusal.to_string());
                    reply.give(tuned.map(|()| visit.world.frame().time.secs()));
                });
                return;
            }
            Order::Shutdown {} => return self.shut_down(reply),
            Order::Edit { .. }
            | Order::Undo {}
            | Order::Redo {}
            | Order::Document {}
            | Order::Describe { .. }
            | Order::Save { .. }
            | Order::New { .. } => {
                return match &self.editor {
                    Some(editor) => editor.carry_out(order, reply),
                    None => {
                        let refusal =
                            "edit: this run does not let viewers edit its world\n  accepted: skidpad run --edit FOLDER";
                        reply.give(Err::<Done, _>(refusal.into()));
                    }
                };
            }
            Order::Seek { .. } => {
                let refusal =
                    "seek: a running simulation has no other times\n  accepted: in a recording (skidpad replay)";
                return reply.give(Err::<Done, _>(refusal.into()));
            }
            Order::Watch { .. } => {
                return reply.give(Err::<Done, _>("watch: only viewers watch\n  accepted: over /api/socket".into()));
            }
        };
        self.outbox.ask(request, move |answer| reply.give(answer.map(|time| time.secs())));
    }
}
