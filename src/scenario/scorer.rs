//! A run of a scenario in a runner, which keeps the wall clock and has a node, a page or a recording beside it: judged by the same events, criteria
//! and observer as one that is stepped without a clock.

use std::sync::{Arc, OnceLock};

use skidpad_files::assets::Cancel;
use skidpad_files::diagnostic::{Diagnostic, Diagnostics};
use skidpad_metrics::experiment::{DriveLog, Equipment, ExperimentConfig, RunEnd};
use skidpad_run::runner::{Change, RunHooks};
use skidpad_sim::world::{Frame, Scene, World};

use crate::cases::Planned;
use crate::peers::{Link, Peers};
use crate::result::{Case, CaseResult};
use crate::run::ScenarioHooks;

/// Why the time of a run cannot begin, once that is known.
pub type Obstacle = Arc<OnceLock<Diagnostic>>;

/// The hooks of a run of a case of a scenario.
pub struct Scorer<'a> {
    hooks: ScenarioHooks<'a>,
    config: &'a ExperimentConfig,
    case: &'a Case,
    log: DriveLog,
    end: RunEnd,
    obstacle: Obstacle,
}

impl<'a> Scorer<'a> {
    /// Of a case, in a world that has been equipped for it and not been stepped; the wall time of the run counts from here on.
    ///
    /// # Errors
    /// The scenario names something that the world does not have.
    pub fn begin(planned: &'a Planned<'a>, equipment: Equipment, world: &World) -> Result<Scorer<'a>, Diagnostics> {
        let Planned { scenario, config, case } = planned;
        let mut hooks = ScenarioHooks::new(scenario, config, Cancel::default());
        hooks.begin_alone(world, equipment.vehicle)?;
        let log = DriveLog::new(&case.name(), config, equipment, world.scene());
        Ok(Scorer { hooks, config, case, log, end: RunEnd::Duration, obstacle: Obstacle::default() })
    }

    /// Where those who let time begin say why it cannot, which ends the run.
    pub fn obstacle(&self) -> Obstacle {
        Arc::clone(&self.obstacle)
    }

    /// Begins to talk with the nodes beside the run, before its first step; none: there are none.
    ///
    /// # Errors
    /// What the scenario needs of them cannot be had.
    pub fn connect(&mut self, scene: &Scene, outside: Option<Box<dyn Peers>>) -> Result<(), Diagnostics> {
        self.hooks.connect(scene, outside.map_or_else(Link::default, Link::to))
    }

    /// What the run came to, which ended with this world, or could not be finished for these reasons.
    pub fn conclude(mut self, ended: Result<(), Diagnostics>, world: &World) -> CaseResult {
        let outcome = ended.map(|()| {
            self.hooks.end(world.scene(), world.frame());
            self.log.finish(self.end)
        });
        self.hooks.result(self.case, self.config, outcome)
    }
}

impl RunHooks for Scorer<'_> {
    fn before_step(&mut self, world: &mut World) -> Result<Vec<Change>, Diagnostics> {
        self.hooks.before_step(world)
    }

    fn after_step(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<bool, Diagnostics> {
        let at_its_end = self.log.note(scene, frame);
        if !self.hooks.after_step(scene, frame)? {
            self.end = RunEnd::RunHooks;
            return Ok(false);
        }
        if at_its_end && !self.hooks.outlasts_reference() {
            self.end = RunEnd::Reference;
            return Ok(false);
        }
        Ok(true)
    }

    fn idle(&mut self) -> Result<(), Diagnostics> {
        if let Some(why) = self.obstacle.get() {
            return Err(why.clone().into());
        }
        self.hooks.idle()
    }
}
