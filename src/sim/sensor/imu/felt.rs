//! What is felt at a place of a vehicle: the mean specific force in axes that turn with the body, and its angular velocity.
//!
//! Along the axes of the body the force is f = dv/dt + ω × v + g·e (D. Titterton and J. Weston, "Strapdown Inertial Navigation
//! Technology", ch. 3): v is the velocity of the place, ω the angular velocity of the body, and e points up. The mean of dv/dt follows from the
//! velocities at both ends of the period. The rest is summed up over all steps between them, by the trapezoidal rule.
//!
//! A vehicle on a plane rolls, pitches and climbs as its motion in the plane says, which is known at every instant. What uneven ground adds
//! to these rates is known as a mean over a time only. At the ends of a period it is the mean over the period.

use skidpad_math::time::SimTime;
use skidpad_math::{Pose3, Vec3, wrap_angle};

use crate::sensor::View;
use crate::sensor::motion::SpatialRates;

/// The motion at a look.
#[derive(Clone, Copy, Debug)]
struct Look {
    time: SimTime,
    world_from_body: Pose3,
    /// Of driving on in the plane that the vehicle stands on.
    in_plane: SpatialRates,
    /// ω × v + g·e along the axes of the body [m/s²].
    turning: Vec3,
}

/// What has been summed up since the sample before, or since the vehicle was placed elsewhere.
#[derive(Clone, Copy, Debug)]
struct Sums {
    start: SimTime,
    /// Of the place at the start, along the axes of the body then [m/s].
    velocity: Vec3,
    last: Look,
    /// Integral of ω × v + g·e [m/s].
    turning: Vec3,
    /// What uneven ground has added to roll [rad], pitch [rad] and height [m].
    added: SpatialRates,
}

/// The forces at a place of a vehicle over time.
#[derive(Clone, Debug)]
pub(super) struct Felt {
    /// The place on the vehicle [m].
    lever: Vec3,
    sums: Option<Sums>,
}

impl Felt {
    /// At a place of a vehicle [m], before any look.
    pub(super) fn new(lever: Vec3) -> Felt {
        Felt { lever, sums: None }
    }

    /// Forgets all looks.
    pub(super) fn restart(&mut self) {
        self.sums = None;
    }

    /// Looks at the motion between two samples.
    pub(super) fn look(&mut self, view: &View<'_>) {
        let in_plane = view.rates();
        if !self.add(view, in_plane) {
            self.begin(view, in_plane, self.motion(view, in_plane));
        }
    }

    /// The mean specific force since the sample before [m/s²] and the angular velocity [rad/s], both along the axes of the body. After a
    /// start, a reset or a change of place they are those of driving on as it is, until a look tells more.
    pub(super) fn sample(&mut self, view: &View<'_>) -> (Vec3, Vec3) {
        let in_plane = view.rates();
        let sums = if self.add(view, in_plane) { self.sums } else { None };
        let Some(sums) = sums else {
            let motion = self.motion(view, in_plane);
            return (self.begin(view, in_plane, motion), motion.angular_velocity);
        };
        let share = 1.0 / (view.time - sums.start).secs();
        let motion = self.motion(view, in_plane + sums.added * share);
        self.begin(view, in_plane, motion);
        ((motion.velocity - sums.velocity + sums.turning) * share, motion.angular_velocity)
    }

    /// Adds the time since the last look. False if there is none from which the vehicle came here by driving.
    fn add(&mut self, view: &View<'_>, in_plane: SpatialRates) -> bool {
        let Some(mut sums) = self.sums else { return false };
        let before = sums.last;
        let passed = view.time - before.time;
        // A vehicle that is set down at the instant of a look is so after it.
        if passed <= SimTime::ZERO || view.since_set_down <= passed {
            return false;
        }
        let (pose, last_pose, elapsed) = (view.world_from_body, before.world_from_body, passed.secs());
        let changes = SpatialRates {
            roll: wrap_angle(pose.roll - last_pose.roll),
            pitch: wrap_angle(pose.pitch - last_pose.pitch),
            climb: pose.z - last_pose.z,
        };
        let added = changes + (in_plane + before.in_plane) * (-0.5 * elapsed);
        let turning = self.motion(view, in_plane + added * (1.0 / elapsed)).turning(view);
        sums.turning += 0.5 * elapsed * (before.turning + turning);
        sums.added = sums.added + added;
        sums.last = Look { time: view.time, world_from_body: pose, in_plane, turning };
        self.sums = Some(sums);
        true
    }

    /// Begins to sum up at this motion. Returns ω × v + g·e of it [m/s²].
    fn begin(&mut self, view: &View<'_>, in_plane: SpatialRates, motion: Motion) -> Vec3 {
        let turning = motion.turning(view);
        let last = Look { time: view.time, world_from_body: view.world_from_body, in_plane, turning };
        let (velocity, added) = (motion.velocity, SpatialRates::default());
        self.sums = Some(Sums { start: view.time, velocity, last, turning: Vec3::zeros(), added });
        turning
    }

    fn motion(&self, view: &View<'_>, rates: SpatialRates) -> Motion {
        let (angular_velocity, of_body) = (view.angular_velocity(rates), view.velocity_in_body.linear());
        let velocity =
            view.along_axes(Vec3::new(of_body.x, of_body.y, rates.climb)) + angular_velocity.cross(&self.lever);
        Motion { angular_velocity, velocity }
    }
}

/// The motion of the place along the axes of the body.
#[derive(Clone, Copy, Debug)]
struct Motion {
    /// [rad/s].
    angular_velocity: Vec3,
    /// [m/s].
    velocity: Vec3,
}

impl Motion {
    /// ω × v + g·e [m/s²]: the force where this motion goes on as it is.
    fn turning(&self, view: &View<'_>) -> Vec3 {
        self.angular_velocity.cross(&self.velocity) + view.along_axes(Vec3::new(0.0, 0.0, view.gravity))
    }
}
