//! The motion of a body on springs: heave, roll and pitch of the body, and the height of each wheel.
//!
//! * Body: m_s·z̈ = Σ F_i − m_s·g_n, I_x·φ̈ = Σ F_i·y_i + M_x + m_s·g_n·h·φ, I_y·θ̈ = −Σ F_i·x_i + M_y + m_s·g_n·h·θ. Signs are those of
//!   poses: roll is positive with the left side up, pitch with the nose down. x_i, y_i are the places of the wheels from the centre of mass
//!   of the body on springs. That point is at the height h above the roll axis. The last terms are the weight, which leans with the body.
//! * Wheel: m_u·ẅ = N − F − m_u·g_n.
//! * Strut: F = F_0 + k·s + c·ṡ with the compression s = w − z − y·φ + x·θ; an anti-roll bar adds k_b·(s_left − s_right). Beyond the travel a
//!   stop adds its own rate. c is another one in compression and in extension.
//! * Tyre: N = N_0 + k_t·(g − w) − c_t·ẇ while that is positive; g is the height of the ground.
//! * Links take a part of the load that moves between the wheels of an axle, or between axles, without the springs: heights of roll centres,
//!   anti-dive and anti-squat.
//!
//! All heights count from the static state on the plane of the ground. g_n is gravity normal to that plane. Sources: T. D. Gillespie,
//! "Fundamentals of Vehicle Dynamics", ch. 5 and 6; W. F. Milliken and D. L. Milliken, "Race Car Vehicle Dynamics", ch. 16 to 18.
//!
//! **Step.** The implicit midpoint rule (E. Hairer and G. Wanner, "Solving Ordinary Differential Equations II", §IV.3) for the rates in the
//! middle of the step. It is of second order, and stable at any step. Each wheel depends on the body and on the other wheel of its bar
//! only, so that wheels are eliminated in pairs and three equations are left. Wheels that lose or find the ground in the step, and dampers
//! that turn, are known after a solution only: then the step is solved again with them.

use skidpad_math::Vec2;

use crate::coupled_wheels::solve;

/// Springs, damper and tyre of one wheel, all as the wheel feels them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strut {
    /// The place of the wheel from the centre of mass of the body on springs [m], in the body frame.
    pub arm: Vec2,
    /// k [N/m], > 0.
    pub rate: f64,
    /// c [N·s/m] in compression and in extension, ≥ 0.
    pub damping: [f64; 2],
    /// Largest compression and extension [m] from the static state, > 0; the stops are beyond.
    pub travel: [f64; 2],
    /// Rate of the stops [N/m], ≥ 0.
    pub stop_rate: f64,
    /// k_t [N/m], > 0.
    pub tyre_rate: f64,
    /// c_t [N·s/m], ≥ 0.
    pub tyre_damping: f64,
    /// m_u [kg], > 0.
    pub unsprung_mass: f64,
    /// F_0 [N]: force of the strut at rest on level ground.
    pub force_at_rest: f64,
    /// N_0 [N]: load of the wheel then.
    pub load_at_rest: f64,
}

/// Two wheels of an axle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axle {
    /// Indices of the left and the right wheel, which follow each other.
    pub wheels: [usize; 2],
    /// k_b [N/m] of the anti-roll bar per difference of the compressions, ≥ 0.
    pub bar_rate: f64,
}

/// A body on springs without its state.
#[derive(Clone, Debug, PartialEq)]
pub struct SprungBody {
    /// m_s [kg], > 0.
    pub mass: f64,
    /// I_x and I_y about its centre of mass [kg·m²], > 0.
    pub inertia: [f64; 2],
    /// h [m]: its centre of mass above the roll axis.
    pub height_above_roll_axis: f64,
    /// In the order of the wheels: left and right of each axle.
    pub struts: Vec<Strut>,
    /// One for each pair of wheels.
    pub axles: Vec<Axle>,
}

/// Heave, roll and pitch: heights [m] and angles [rad], or their rates.
pub type Ride = [f64; 3];

/// The state of a body on springs, against the static state.
#[derive(Clone, Debug, PartialEq)]
pub struct RideState {
    /// z [m], φ and θ [rad].
    pub ride: Ride,
    /// ż [m/s], φ̇ and θ̇ [rad/s].
    pub rates: Ride,
    /// z̈ [m/s²], φ̈ and θ̈ [rad/s²]: means over the last step.
    pub accelerations: Ride,
    /// The height of each wheel.
    pub wheels: Vec<WheelState>,
}

/// The vertical state of a wheel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelState {
    /// w [m], from its height at rest.
    pub height: f64,
    /// ẇ [m/s].
    pub rate: f64,
    /// N [N]: mean over the last step.
    pub load: f64,
    /// Whether the ground carried it in the last step.
    pub is_on_ground: bool,
    /// Whether its damper was compressed in the last step.
    pub is_compressed: bool,
    /// ẇ [m/s] in the middle of the step under way.
    rate_amid: f64,
}

/// What acts on a body on springs in a step.
#[derive(Clone, Copy, Debug)]
pub struct RideInput<'a> {
    /// Height of the ground under each wheel [m], above the plane that heights count from.
    pub ground: &'a [f64],
    /// g_n [m/s²], ≥ 0.
    pub gravity: f64,
    /// M_x and M_y [N·m]: moments of the ground and the air on the body, besides those of the struts.
    pub moments: [f64; 2],
    /// Force of the air on the body [N], upwards.
    pub lift: f64,
    /// Load that links move to each wheel [N]; the sum over an axle is zero, or that over the vehicle.
    pub through_links: &'a [f64],
    /// Step [s], > 0.
    pub dt: f64,
}

/// Passes over a step in which wheels lose or find the ground, at most.
const MAX_PASSES: usize = 4;

/// A strut and its tyre in a step, linear about its start: forces [N], and by which they fall per rate in the middle of the step [N·s/m].
#[derive(Clone, Copy, Debug, Default)]
struct Linear {
    /// Of the strut, without its bar.
    force: f64,
    /// Per rate of compression.
    fall: f64,
    /// Of the tyre.
    load: f64,
    /// Per rate of the wheel.
    load_fall: f64,
    /// Twice the mass of the wheel per step [kg/s].
    inert: f64,
}

/// A wheel's part in heave, roll and pitch of the body.
#[inline]
fn row(strut: &Strut) -> Ride {
    [1.0, strut.arm.y, -strut.arm.x]
}

#[inline]
fn dot(a: &Ride, b: &Ride) -> f64 {
    a[0] * b[0] + (a[1] * b[1] + a[2] * b[2])
}

impl SprungBody {
    /// The body at rest on level ground.
    pub fn at_rest(&self) -> RideState {
        let wheel =
            |strut: &Strut| WheelState { load: strut.load_at_rest, is_on_ground: true, ..WheelState::default() };
        RideState {
            ride: [0.0; 3],
            rates: [0.0; 3],
            accelerations: [0.0; 3],
            wheels: self.struts.iter().map(wheel).collect(),
        }
    }

    /// Advances by a step.
    pub fn advance(&self, state: &mut RideState, input: &RideInput<'_>) {
        let mut rates = self.solve(state, input);
        for _ in 1..MAX_PASSES {
            if !self.change_contacts(state, input, &rates) {
                break;
            }
            rates = self.solve(state, input);
        }
        self.move_by(state, input, &rates);
    }

    /// How far a strut is compressed from the static state [m].
    #[inline]
    pub fn compression(&self, state: &RideState, index: usize) -> f64 {
        state.wheels[index].height - dot(&row(&self.struts[index]), &state.ride)
    }

    /// The strut and the tyre of a wheel.
    #[inline]
    fn linear(&self, state: &RideState, input: &RideInput<'_>, index: usize) -> Linear {
        let (strut, wheel) = (&self.struts[index], &state.wheels[index]);
        let half = 0.5 * input.dt;
        let compression = self.compression(state, index);
        let beyond = (compression - strut.travel[0]).max(0.0) + (compression + strut.travel[1]).min(0.0);
        let stop = if beyond == 0.0 { 0.0 } else { strut.stop_rate };
        let damping = strut.damping[usize::from(!wheel.is_compressed)];
        let (mut load, mut load_fall) = (0.0, 0.0);
        if wheel.is_on_ground {
            load = strut.load_at_rest + strut.tyre_rate * (input.ground[index] - wheel.height);
            load_fall = strut.tyre_damping + half * strut.tyre_rate;
        }
        Linear {
            force: strut.force_at_rest + strut.rate * compression + stop * beyond + input.through_links[index],
            fall: damping + half * (strut.rate + stop),
            load,
            load_fall,
            inert: strut.unsprung_mass / half,
        }
    }

    /// Solves a step for the rates in its middle: returns those of the body, and leaves those of the wheels in `state`.
    fn solve(&self, state: &mut RideState, input: &RideInput<'_>) -> Ride {
        let half = 0.5 * input.dt;
        let inertia = [self.mass, self.inertia[0], self.inertia[1]];
        // The weight leans with the body.
        let lean = self.mass * input.gravity * self.height_above_roll_axis;
        let acting = [
            input.lift - self.mass * input.gravity,
            input.moments[0] + lean * state.ride[1],
            input.moments[1] + lean * state.ride[2],
        ];
        let mut matrix = [[0.0; 3]; 3];
        let mut right = [0.0; 3];
        for axis in 0..3 {
            let inert = inertia[axis] / half;
            matrix[axis][axis] = if axis == 0 { inert } else { inert - half * lean };
            right[axis] = inert * state.rates[axis] + acting[axis];
        }
        for axle in &self.axles {
            let pair = axle.wheels.map(|index| self.linear(state, input, index));
            let rows = axle.wheels.map(|index| row(&self.struts[index]));
            let bar = Bar::new(axle, &pair, self.bar_force(state, axle), half);
            // Forces of the struts where the body keeps its pose, and by which they fall with its rates.
            let free = bar.rates_of_compression(self.pushes(state, input, axle, &pair, &bar));
            let force = bar.forces(&pair, free);
            for axis in 0..3 {
                right[axis] += rows[0][axis] * force[0] + rows[1][axis] * force[1];
                let moved =
                    bar.rates_of_compression([pair[0].reaction() * rows[0][axis], pair[1].reaction() * rows[1][axis]]);
                let fall = bar.changes(&pair, moved);
                for other in 0..3 {
                    matrix[other][axis] += rows[0][other] * fall[0] + rows[1][other] * fall[1];
                }
            }
        }
        let rates = solve(matrix, right);
        for axle in &self.axles {
            let pair = axle.wheels.map(|index| self.linear(state, input, index));
            let of_body = axle.wheels.map(|index| dot(&row(&self.struts[index]), &rates));
            let bar = Bar::new(axle, &pair, self.bar_force(state, axle), half);
            let pushes = self.pushes(state, input, axle, &pair, &bar);
            let compression =
                bar.rates_of_compression([0, 1].map(|side| pushes[side] - pair[side].reaction() * of_body[side]));
            for side in 0..2 {
                state.wheels[axle.wheels[side]].rate_amid = compression[side] + of_body[side];
            }
        }
        rates
    }

    /// Force [N] of the bar on the left wheel at the start of the step.
    #[inline]
    fn bar_force(&self, state: &RideState, axle: &Axle) -> f64 {
        if axle.bar_rate == 0.0 {
            return 0.0;
        }
        let [left, right] = axle.wheels.map(|index| self.compression(state, index));
        axle.bar_rate * (left - right)
    }

    /// What drives the wheels of an axle up [N], where the body keeps its pose and the struts their length.
    #[inline]
    fn pushes(&self, state: &RideState, input: &RideInput<'_>, axle: &Axle, pair: &[Linear; 2], bar: &Bar) -> [f64; 2] {
        [0, 1].map(|side| {
            let (index, linear) = (axle.wheels[side], &pair[side]);
            let weight = self.struts[index].unsprung_mass * input.gravity;
            linear.inert * state.wheels[index].rate + linear.load - linear.force - bar.force_on(side) - weight
        })
    }

    /// Lets wheels go whose tyres would pull in the middle of the step, and sets others down that would sink in. Notes which dampers are
    /// compressed. Whether a contact has changed.
    fn change_contacts(&self, state: &mut RideState, input: &RideInput<'_>, rates: &Ride) -> bool {
        let half = 0.5 * input.dt;
        let mut has_changed = false;
        for (index, strut) in self.struts.iter().enumerate() {
            let wheel = &mut state.wheels[index];
            let height = wheel.height + half * wheel.rate_amid;
            let load = strut.load_at_rest + strut.tyre_rate * (input.ground[index] - height)
                - strut.tyre_damping * wheel.rate_amid;
            let is_compressed = wheel.rate_amid > dot(&row(strut), rates);
            has_changed |= (load > 0.0) != wheel.is_on_ground;
            has_changed |= is_compressed != wheel.is_compressed && strut.damping[0] != strut.damping[1];
            (wheel.is_on_ground, wheel.is_compressed) = (load > 0.0, is_compressed);
        }
        has_changed
    }

    /// Moves body and wheels by a step with these rates in its middle.
    fn move_by(&self, state: &mut RideState, input: &RideInput<'_>, rates: &Ride) {
        let (dt, half) = (input.dt, 0.5 * input.dt);
        for (axis, rate) in rates.iter().enumerate() {
            let change = 2.0 * (rate - state.rates[axis]);
            state.ride[axis] += dt * rate;
            state.rates[axis] += change;
            state.accelerations[axis] = change / dt;
        }
        for (index, strut) in self.struts.iter().enumerate() {
            let wheel = &mut state.wheels[index];
            let height = wheel.height + half * wheel.rate_amid;
            let load = strut.load_at_rest + strut.tyre_rate * (input.ground[index] - height)
                - strut.tyre_damping * wheel.rate_amid;
            wheel.load = if wheel.is_on_ground { load.max(0.0) } else { 0.0 };
            wheel.height += dt * wheel.rate_amid;
            wheel.rate = 2.0 * wheel.rate_amid - wheel.rate;
        }
    }
}

impl Linear {
    /// By which the push on the wheel falls if it moves along with the body [N·s/m].
    #[inline]
    fn reaction(&self) -> f64 {
        self.inert + self.load_fall
    }
}

/// The equations of the two wheels of an axle, which a bar connects, for their rates of compression.
struct Bar {
    /// Force [N] on the left wheel at the start, the opposite on the right one.
    force: f64,
    /// By which that grows per difference of the rates of compression [N·s/m].
    fall: f64,
    /// By which the push falls per rate of compression of either wheel [N·s/m].
    whole: [f64; 2],
    /// The inverse of the determinant.
    inverse: f64,
}

impl Bar {
    #[inline]
    fn new(axle: &Axle, pair: &[Linear; 2], force: f64, half: f64) -> Bar {
        let fall = half * axle.bar_rate;
        let whole = [0, 1].map(|side| pair[side].reaction() + pair[side].fall + fall);
        Bar { force, fall, whole, inverse: 1.0 / (whole[0] * whole[1] - fall * fall) }
    }

    #[inline]
    fn force_on(&self, side: usize) -> f64 {
        if side == 0 { self.force } else { -self.force }
    }

    /// The rates of compression [m/s] at which the pushes [N] are balanced.
    #[inline]
    fn rates_of_compression(&self, push: [f64; 2]) -> [f64; 2] {
        [
            self.inverse * (self.whole[1] * push[0] + self.fall * push[1]),
            self.inverse * (self.whole[0] * push[1] + self.fall * push[0]),
        ]
    }

    /// By which the forces on the body change at these rates of compression [N].
    #[inline]
    fn changes(&self, pair: &[Linear; 2], rates: [f64; 2]) -> [f64; 2] {
        let across = self.fall * (rates[0] - rates[1]);
        [pair[0].fall * rates[0] + across, pair[1].fall * rates[1] - across]
    }

    /// The forces of the struts on the body [N] at these rates of compression.
    #[inline]
    fn forces(&self, pair: &[Linear; 2], rates: [f64; 2]) -> [f64; 2] {
        let changes = self.changes(pair, rates);
        [pair[0].force + self.force + changes[0], pair[1].force - self.force + changes[1]]
    }
}

#[cfg(test)]
mod tests;
