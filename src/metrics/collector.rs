//! Collects the data of a run while it is simulated: the same numbers as from a recording of the run.

use std::sync::Arc;

use skidpad_math::time::{Periodic, SimTime};
use skidpad_math::{Pose2, Pose3, yaw_of};
use skidpad_run::sink::{Sink, SinkError};
use skidpad_sim::world::{EntityId, Frame, Scene, Wanted};

use super::run::{CommandSample, PoseSample, PositionSample, Run, Scatter, wheel_name};

/// Source of the vehicle's pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PoseSource {
    /// Its odometry, in the frame of the odometry.
    #[default]
    Odometry,
    /// Its true pose in the world.
    Truth,
}

/// A sink that fills a [`Run`] with one vehicle's poses at a fixed rate, and with the references and commands of its driver.
#[derive(Debug)]
pub struct Collector {
    vehicle: Option<usize>,
    /// Its id, and the revision of the scene in which it has that index.
    id: Option<(EntityId, u64)>,
    source: PoseSource,
    due: Periodic,
    last: SimTime,
    last_tracking: Option<SimTime>,
    run: Run,
}

impl Collector {
    /// Collects the vehicle that has this index at the first frame, every `period` [ns] of simulated time.
    pub fn new(name: impl Into<String>, vehicle: usize, source: PoseSource, period: SimTime) -> Collector {
        let run = Run { name: name.into(), ..Run::default() };
        Collector {
            vehicle: Some(vehicle),
            id: None,
            source,
            due: Periodic::new(period),
            last: SimTime(-1),
            last_tracking: None,
            run,
        }
    }

    /// The collected run.
    pub(crate) fn into_run(self) -> Run {
        self.run
    }

    /// Updates the index of the vehicle after others were added or removed.
    fn follow(&mut self, scene: &Scene) {
        match &mut self.id {
            Some((_, revision)) if *revision == scene.revision => {}
            Some((id, revision)) => {
                *revision = scene.revision;
                self.vehicle = scene.vehicle_of(*id);
            }
            none => *none = self.vehicle.and_then(|index| Some((scene.vehicles.get(index)?.id, scene.revision))),
        }
    }

    /// Adds the next frame. If time has gone back, the run starts over.
    pub fn collect(&mut self, scene: &Scene, frame: &Frame) {
        self.follow(scene);
        if frame.time <= self.last {
            self.due.restart(frame.time - scene.step);
            self.last_tracking = None;
            self.run = Run { name: std::mem::take(&mut self.run.name), ..Run::default() };
        }
        self.last = frame.time;
        let Some(index) = self.vehicle else { return };
        let Some(vehicle) = frame.vehicles.get(index) else { return };
        let is_new = |time: SimTime| self.last_tracking != Some(time);
        if let Some(tracking) = vehicle.tracking.filter(|tracking| tracking.active && is_new(tracking.time)) {
            self.last_tracking = Some(tracking.time);
            let time = tracking.time.secs();
            self.run.reference.push(PositionSample { time, position: tracking.reference.position });
            if !tracking.is_guide {
                // Ackermann messages are single precision.
                let [speed, angle] = [tracking.steer.speed, tracking.steer.steering_angle].map(|v| f64::from(v as f32));
                // A stamp of zero would mean no stamp.
                let time = tracking.time.max(SimTime(1)).secs();
                self.run.commands.push(CommandSample { time, speed, steering_angle: Some(angle), yaw_rate: None });
            }
        }
        if !self.due.is_due(frame.time) {
            return;
        }
        let (pose, velocity_in_body) = match self.source {
            PoseSource::Odometry => (vehicle.odom_from_body, vehicle.odom_velocity_in_body),
            PoseSource::Truth => (vehicle.world_from_body.planar(), vehicle.velocity_in_body),
        };
        // Poses are recorded with a quaternion.
        let yaw = yaw_of(Pose3::from_planar(pose).quaternion());
        self.run.poses.push(PoseSample { time: frame.time.secs(), pose: Pose2 { yaw, ..pose }, velocity_in_body });
        let wheels = scene.vehicles.get(index).map_or([].as_slice(), |info| info.wheels.as_slice());
        let scatter = |name: &str| Scatter { wheel: wheel_name(name).into(), ..Scatter::default() };
        if self.run.wheels.is_empty() {
            self.run.wheels = wheels.iter().map(|wheel| scatter(&wheel.name)).collect();
        }
        for (into, wheel) in self.run.wheels.iter_mut().zip(&vehicle.wheels) {
            into.longitudinal.push((wheel.slip_ratio(), wheel.force_in_wheel.x));
            into.lateral.push((wheel.slip_angle(), wheel.force_in_wheel.y));
        }
    }
}

impl Sink for Collector {
    fn name(&self) -> &str {
        "analysis"
    }

    fn wants(&mut self, _scene: &Arc<Scene>, _wanted: &mut Wanted) {}

    fn frame(&mut self, scene: &Arc<Scene>, frame: &Frame) -> Result<(), SinkError> {
        self.collect(scene, frame);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use skidpad_record::{RecordOptions, Recorder};
    use skidpad_sim::tracking::{self, LinearizerParameters, PointTracker, TrackerParameters, TrajectoryDriver};
    use skidpad_sim::trajectory::{self, TrajectoryParameters};
    use skidpad_sim::world::{LoadOptions, World};

    use super::*;
    use crate::recording::{self, ReadOptions};
    use crate::{MetricsOptions, RunTopics, metrics};

    const CAR: &str = r#"<mvsim_world>
      <simul_timestep>0.005</simul_timestep>
      <vehicle name="car">
        <init_pose>0.3 -0.2 40</init_pose>
        <dynamics class="ackermann">
          <rl_wheel pos="0 0.1" mass="0.3" diameter="0.1"/> <rr_wheel pos="0 -0.1" mass="0.3" diameter="0.1"/>
          <fl_wheel mass="0.3" diameter="0.1"/> <fr_wheel mass="0.3" diameter="0.1"/>
          <f_wheels_x>0.325</f_wheels_x> <f_wheels_d>0.2</f_wheels_d> <max_steer_ang_deg>50</max_steer_ang_deg>
          <chassis mass="4"><shape><pt>0 -0.1</pt><pt>0.3 -0.1</pt><pt>0.3 0.1</pt><pt>0 0.1</pt></shape></chassis>
          <controller class="front_steer_pid"><KP>1</KP><KI>1</KI><max_torque>2</max_torque></controller>
        </dynamics>
      </vehicle>
    </mvsim_world>"#;

    /// A recording and the collection beside it are the same to the last bit, whichever topic gives the pose.
    #[test]
    fn a_recording_gives_the_same_run_as_the_collector() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("car.mcap");
        let (mut world, _) = World::load_text("car", Path::new("."), CAR, &LoadOptions::default()).unwrap();
        let trajectory = trajectory::build(&TrajectoryParameters::default()).unwrap();
        let tracker = PointTracker::new(TrackerParameters::default()).unwrap();
        let linearizer = tracking::build(&LinearizerParameters::default()).unwrap();
        let driver = TrajectoryDriver::new(trajectory, tracker, linearizer, SimTime::from_secs(0.01));
        world.set_driver(0, Some(driver)).unwrap();
        let period = SimTime::from_secs(0.05);
        let options = RecordOptions { odometry_rate: Some(20.0), ..RecordOptions::default() };
        let mut recorder = Recorder::create(&path, options).unwrap();
        let mut collectors =
            [PoseSource::Odometry, PoseSource::Truth].map(|source| Collector::new("car", 0, source, period));
        recorder.start(world.scene()).unwrap();
        while world.frame().time.secs() < 6.0 {
            world.step().unwrap();
            recorder.frame(world.scene(), world.frame()).unwrap();
            for collector in &mut collectors {
                collector.frame(world.scene(), world.frame()).unwrap();
            }
        }
        recorder.finish().unwrap();
        for (collector, topic) in collectors.into_iter().zip(["/odom", "/ground_truth"]) {
            let collected = collector.into_run();
            let read = ReadOptions { odometry: Some(topic.into()), ..ReadOptions::default() };
            let recorded = recording::read(&path, &read).unwrap();
            assert_eq!(recorded.topics.poses, topic);
            assert_eq!(recorded.vehicle, "base_footprint");
            let recorded = Run {
                name: "car".into(),
                vehicle: String::new(),
                topics: RunTopics::default(),
                other_poses: Vec::new(),
                ..recorded
            };
            assert_eq!(collected, recorded, "{topic}");
            let [of_collected, of_recorded] =
                [&collected, &recorded].map(|run| metrics(run, &MetricsOptions::default()).unwrap());
            assert_eq!(of_collected, of_recorded);
            let tracking = of_collected.tracking.unwrap();
            assert!(of_collected.samples > 110 && tracking.rmse > 0.01, "{tracking:?}");
        }
    }
}
