//! The load on each wheel: static split from the centre of mass, and quasi-static transfer by acceleration.
//!
//! The chassis stands on its wheels as a rigid plate on equal springs: N_i = a + b·x_i + c·y_i, with a, b, c from the
//! equilibrium of forces and moments, Σ N = m·g, Σ N·x = m·(g·x_G − h·a_x), Σ N·y = m·(g·y_G − h·a_y) (J. Y. Wong, "Theory
//! of Ground Vehicles", §3.1, generalised to any number of wheels by least squares). If all wheels are in line, the moment
//! across the line cannot be held and is left out: a castor that is not modelled carries it. The acceleration is that of the
//! centre of mass.
//!
//! The split of the roll moment between two axles depends on the suspension. With the front axle's share λ of the roll stiffness
//! and the heights h_f, h_r of the roll centres (Milliken and Milliken, "Race Car Vehicle Dynamics", ch. 18; T. D. Gillespie,
//! "Fundamentals of Vehicle Dynamics", ch. 6), the front axle has, and the rear axle likewise,
//! ΔN_f = (m·a_y/t_f)·[(h − h_roll)·λ + (b/L)·h_f], with h_roll = (b/L)·h_f + (a/L)·h_r below the centre of mass.
//!
//! A wheel whose load would be negative has lifted: its load is zero, and the plate on the other wheels is solved again. On
//! three wheels that is plain statics, so that forces and moments stay in balance whatever the springs: the axle whose inner
//! wheel has lifted transfers no more, and the other takes the rest. Once the resultant leaves the wheels' outline (both
//! wheels of one side have lifted), nothing can hold the moment across the edge; the sum of the loads and the moment along the
//! edge still hold. A real vehicle would then roll over, which a planar body cannot do: frames show two lifted wheels.
//!
//! On a slope the ground carries cos(slope) of the weight, and the rest acts at the centre of mass like an acceleration of
//! −g·sin(slope): the wheels further down carry more.
//!
//! ```xml
//! <dynamics …>
//!   <weight>static</weight>                         or uniform: MVSim's chassis weight over number of wheels, no transfer
//!   <roll_stiffness_front>0.6</roll_stiffness_front>  λ [-], 0 to 1; absent: the rigid plate. Four wheels on two axles only
//!   <roll_centers>0 0</roll_centers>                heights h_f h_r [m]; only with roll_stiffness_front
//!   <load_transfer_lag>0</load_transfer_lag>        time constant of the transfer [s], ≥ 0
//! </dynamics>
//! ```
//! The lag represents the time in which a body rolls and pitches: loads follow the acceleration by e^(−t/lag). It is 0 by
//! default, since loads that follow the acceleration of the previous step do not chatter (`docs/loads.md` has the
//! measurements). Not modelled: pitch and roll angles, their dynamics, unsprung masses, jacking, anti-dive.

use skidpad_math::{Twist2, Vec2};
use skidpad_xml::{Accept, Reader};

use crate::pairs::sum_by_pairs;
use crate::wheel::WheelParameters;

/// Parameters of the load transfer beyond those of a rigid plate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LoadTransfer {
    /// Split of the roll moment between two axles; none: the rigid plate.
    pub roll: Option<RollSplit>,
    /// Time constant with which loads follow the acceleration [s], ≥ 0.
    pub lag: f64,
}

/// Split of the roll moment between two axles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RollSplit {
    /// The front axle's share of the roll stiffness [-], 0 to 1.
    pub front_share: f64,
    /// Heights of the roll centres of front and rear axle [m].
    pub center_heights: [f64; 2],
}

impl LoadTransfer {
    /// Reads the tags above from `<dynamics>`, for a vehicle with its centre of mass at `height` [m]. A share of the roll
    /// stiffness on wheels that are not on two axles, and roll centres without such a share, are errors.
    pub fn read(dynamics: &Reader<'_>, wheels: &[WheelParameters], height: f64) -> LoadTransfer {
        let front_share = dynamics.optional_f64("roll_stiffness_front", Accept::range(0.0, 1.0));
        let centers = dynamics.numbers("roll_centers", &[2]);
        let lag = dynamics.f64("load_transfer_lag", 0.0, Accept::non_negative());
        let positions: Vec<Vec2> = wheels.iter().map(|wheel| wheel.position).collect();
        if front_share.is_some() && TwoAxles::of(&positions).is_none() {
            dynamics
                .error_at("roll_stiffness_front", "<roll_stiffness_front> needs four wheels on two axles")
                .accepted(["two wheels at one x, two at another, those of an axle at different y"]);
        }
        if front_share.is_some() && height == 0.0 {
            let message = "<roll_stiffness_front> has no effect: the centre of mass is at height 0";
            dynamics
                .context()
                .warn(dynamics.place_of("roll_stiffness_front"), message)
                .hint("give <chassis com_height=\"…\">");
        }
        if centers.is_some() && !dynamics.has("roll_stiffness_front") {
            dynamics
                .error_at("roll_centers", "<roll_centers> without <roll_stiffness_front>")
                .hint("a rigid plate has no roll axis; give the front axle's share of the roll stiffness, 0 to 1");
        }
        let center_heights = centers.map_or([0.0; 2], |heights| [heights[0], heights[1]]);
        LoadTransfer { roll: front_share.map(|front_share| RollSplit { front_share, center_heights }), lag }
    }
}

/// Two axles of two wheels each.
struct TwoAxles {
    /// Left and right wheel of the front axle, and of the rear axle.
    axles: [[usize; 2]; 2],
}

impl TwoAxles {
    /// None unless the wheels at `positions` [m] form two axles. An axle may be askew by a millionth of the wheelbase.
    fn of(positions: &[Vec2]) -> Option<TwoAxles> {
        if positions.len() != 4 {
            return None;
        }
        let mut order = [0, 1, 2, 3];
        order.sort_by(|&i, &j| positions[j].x.total_cmp(&positions[i].x));
        let wheelbase = positions[order[0]].x - positions[order[3]].x;
        let axle = |i: usize, j: usize| {
            let (p, q) = (positions[i], positions[j]);
            let is_axle = (p.x - q.x).abs() <= 1e-6 * wheelbase && p.y != q.y;
            is_axle.then_some(if p.y > q.y { [i, j] } else { [j, i] })
        };
        let axles = [axle(order[0], order[1])?, axle(order[2], order[3])?];
        (wheelbase > 0.0).then_some(TwoAxles { axles })
    }

    /// Change of load of each wheel per acceleration along x and y [N/(m/s²)], of a vehicle of `mass` [kg] with its centre of
    /// mass at `center` [m] and `height` [m].
    fn transfer(&self, positions: &[Vec2], mass: f64, center: Vec2, height: f64, roll: &RollSplit) -> Vec<Vec2> {
        let mean = self.axles.map(|[left, right]| 0.5 * (positions[left] + positions[right]));
        let wheelbase = mean[0].x - mean[1].x;
        let front = (center.x - mean[1].x) / wheelbase;
        let static_shares = [front, 1.0 - front];
        let stiffness_shares = [roll.front_share, 1.0 - roll.front_share];
        let roll_axis: f64 = (0..2).map(|axle| static_shares[axle] * roll.center_heights[axle]).sum();
        let pitched = [-mass * height / wheelbase, mass * height / wheelbase];
        // Load transferred along x acts between the axle centres, which need not have the same y.
        let pitch_rolls: f64 = (0..2).map(|axle| -pitched[axle] * mean[axle].y).sum();
        let mut transfer = vec![Vec2::ZERO; positions.len()];
        for (axle, &[left, right]) in self.axles.iter().enumerate() {
            let track = positions[left].y - positions[right].y;
            let arm = (height - roll_axis) * stiffness_shares[axle] + static_shares[axle] * roll.center_heights[axle];
            let rolled_load = mass * arm / track;
            let balance = stiffness_shares[axle] * pitch_rolls / track;
            transfer[left] = Vec2::new(0.5 * pitched[axle] + balance, -rolled_load);
            transfer[right] = Vec2::new(0.5 * pitched[axle] - balance, rolled_load);
        }
        transfer
    }
}

/// Computes wheel loads. The weight of each wheel rests on the wheel itself.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadModel {
    /// Load of each wheel at rest [N].
    pub at_rest: Vec<f64>,
    /// Change of load per acceleration of the centre of mass along x and y of the body [N/(m/s²)].
    transfer: Vec<Vec2>,
    /// Whether any transfer coefficient is not zero.
    transfers: bool,
    /// Positions of the wheels [m], body frame.
    positions: Vec<Vec2>,
}

/// Masses of a vehicle and their positions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights<'a> {
    /// Mass of the chassis [kg].
    pub mass: f64,
    /// Centre of mass of the chassis [m], body frame.
    pub center: Vec2,
    /// Height of the centre of mass of the whole vehicle [m]; 0: no load transfer.
    pub height: f64,
    /// Positions of the wheels [m], body frame.
    pub positions: &'a [Vec2],
    /// Masses of the wheels [kg].
    pub wheel_masses: &'a [f64],
}

impl LoadModel {
    /// Weight of the chassis under `gravity` [m/s²] shared equally: MVSim's rule. Centre and height have no effect.
    pub fn uniform(weights: &Weights<'_>, gravity: f64) -> LoadModel {
        let share = weights.mass / weights.wheel_masses.len() as f64;
        LoadModel {
            at_rest: weights.wheel_masses.iter().map(|m| (share + m) * gravity).collect(),
            transfer: vec![Vec2::ZERO; weights.wheel_masses.len()],
            transfers: false,
            positions: weights.positions.to_vec(),
        }
    }

    /// Weight under `gravity` [m/s²] distributed according to the centre of mass. `roll` has no effect unless the wheels form
    /// two axles.
    pub fn from_center_of_mass(weights: &Weights<'_>, gravity: f64, roll: Option<&RollSplit>) -> LoadModel {
        let &Weights { mass, center, height, positions, wheel_masses } = weights;
        let total: f64 = mass + wheel_masses.iter().sum::<f64>();
        let plate = Plate::on(positions, &vec![false; positions.len()]);
        let resting = positions.iter().zip(wheel_masses);
        let mut at_rest: Vec<f64> = resting.map(|(&p, m)| (plate.load(p, mass, mass * center) + m) * gravity).collect();
        relieve(&mut at_rest, positions, &mut vec![false; positions.len()]);
        let transfer = match roll.zip(TwoAxles::of(positions)) {
            Some((roll, axles)) => {
                let moment = positions.iter().zip(wheel_masses).fold(mass * center, |sum, (&p, &m)| sum + m * p);
                axles.transfer(positions, total, (1.0 / total) * moment, height, roll)
            }
            None => positions.iter().map(|&p| -total * height * plate.slope(p)).collect(),
        };
        let transfers = transfer.iter().any(|t| *t != Vec2::ZERO);
        LoadModel { at_rest, transfer, transfers, positions: positions.to_vec() }
    }

    /// Whether acceleration changes the loads.
    #[inline]
    pub fn transfers(&self) -> bool {
        self.transfers
    }

    /// Writes the load of each wheel [N] for a centre of mass with the acceleration `acceleration_in_body` [m/s²], excluding
    /// gravity along the ground, and which wheels the transfer has lifted. `upright` is the cosine of the slope [-], the share
    /// of the weight normal to the ground.
    #[inline]
    pub fn loads(&self, acceleration_in_body: Vec2, upright: f64, loads: &mut [f64], lifted: &mut [bool]) {
        if !self.transfers && upright == 1.0 {
            loads.copy_from_slice(&self.at_rest);
            return;
        }
        let mut lifts = false;
        for ((load, static_load), transfer) in loads.iter_mut().zip(&self.at_rest).zip(&self.transfer) {
            *load = upright * static_load + transfer.dot(acceleration_in_body);
            lifts |= *load < 0.0;
        }
        lifted.fill(false);
        if lifts {
            relieve(loads, &self.positions, lifted);
        }
    }
}

/// Lifts wheels with negative loads [N], the most negative first, until the others carry the total force and moments;
/// `lifted` must initially be false for all. Wheels at `positions` [m].
#[cold]
fn relieve(loads: &mut [f64], positions: &[Vec2], lifted: &mut [bool]) {
    let force = sum_by_pairs(loads.iter().copied()).max(0.0);
    let moment = sum_by_pairs(loads.iter().zip(positions).map(|(&load, &p)| load * p));
    for _ in 1..loads.len() {
        let standing = (0..loads.len()).filter(|&i| !lifted[i] && loads[i] < 0.0);
        let Some(worst) = standing.min_by(|&i, &j| loads[i].total_cmp(&loads[j])) else { return };
        lifted[worst] = true;
        let plate = Plate::on(positions, lifted);
        if plate.is_line && returns_one(loads, positions, lifted, worst, force, moment) {
            return;
        }
        share(loads, positions, lifted, &plate, force, moment);
    }
}

/// If the wheels on the ground without `worst` are in line, the force [N] with its moment [N·m] may lie beyond that line, on
/// the side of a wheel lifted before. Puts that wheel down again and returns true if all wheels on the ground then carry a
/// load.
fn returns_one(
    loads: &mut [f64],
    positions: &[Vec2],
    lifted: &mut [bool],
    worst: usize,
    force: f64,
    moment: Vec2,
) -> bool {
    for returning in 0..loads.len() {
        if !lifted[returning] || returning == worst {
            continue;
        }
        lifted[returning] = false;
        let plate = Plate::on(positions, lifted);
        share(loads, positions, lifted, &plate, force, moment);
        if !plate.is_line && loads.iter().all(|&load| load >= 0.0) {
            return true;
        }
        lifted[returning] = true;
    }
    false
}

/// Writes the loads [N] of the wheels on `plate`, which carry a force [N] with this moment [N·m].
fn share(loads: &mut [f64], positions: &[Vec2], lifted: &[bool], plate: &Plate, force: f64, moment: Vec2) {
    for i in 0..loads.len() {
        loads[i] = if lifted[i] { 0.0 } else { plate.load(positions[i], force, moment) };
    }
}

/// A rigid plate on equal springs.
struct Plate {
    springs: f64,
    mean: Vec2,
    /// Inverse of the second moments about the mean, xx xy yy [1/m²]; its pseudo-inverse when the springs stand in a line.
    inverse: [f64; 3],
    /// Whether the springs are in line, or at one point.
    is_line: bool,
}

impl Plate {
    /// A plate on the wheels at `positions` [m] that have not lifted.
    fn on(positions: &[Vec2], lifted: &[bool]) -> Plate {
        let over = |term: &dyn Fn(Vec2) -> Vec2| {
            sum_by_pairs(positions.iter().zip(lifted).map(|(&p, &lifted)| if lifted { Vec2::ZERO } else { term(p) }))
        };
        let springs = over(&|_| Vec2::new(1.0, 0.0)).x;
        let mean = (1.0 / springs) * over(&|p| p);
        let square = over(&|p| Vec2::new((p.x - mean.x) * (p.x - mean.x), (p.y - mean.y) * (p.y - mean.y)));
        let xy = over(&|p| Vec2::new((p.x - mean.x) * (p.y - mean.y), 0.0)).x;
        let (xx, yy) = (square.x, square.y);
        let (determinant, trace) = (xx * yy - xy * xy, xx + yy);
        let is_line = determinant <= 1e-9 * trace * trace;
        let inverse = if !is_line {
            [yy / determinant, -xy / determinant, xx / determinant]
        } else if trace > 0.0 {
            [xx, xy, yy].map(|moment| moment / (trace * trace))
        } else {
            [0.0; 3]
        };
        Plate { springs, mean, inverse, is_line }
    }

    /// Load of the spring at `p` [m] per moment about the mean along x and y [1/m].
    fn slope(&self, p: Vec2) -> Vec2 {
        let (d, [xx, xy, yy]) = (p - self.mean, self.inverse);
        Vec2::new(xx * d.x + xy * d.y, xy * d.x + yy * d.y)
    }

    /// Load of the spring at `p` [m] under a force [N] with this first moment (x·F, y·F) [N·m].
    fn load(&self, p: Vec2, force: f64, moment: Vec2) -> f64 {
        force / self.springs + self.slope(p).dot(moment - force * self.mean)
    }
}

/// The acceleration that determines the loads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FeltAcceleration {
    /// Time constant [s].
    lag: f64,
    /// Filtered acceleration [m/s²], body frame; none before the first step.
    felt: Option<Vec2>,
    /// Yaw rate of the last step [rad/s].
    yaw_rate: Option<f64>,
}

impl FeltAcceleration {
    /// Follows with the time constant `lag` [s], ≥ 0.
    pub fn new(lag: f64) -> FeltAcceleration {
        FeltAcceleration { lag, ..FeltAcceleration::default() }
    }

    /// The next step of `dt` [s]: the reference point accelerates with `acceleration_in_body` less `gravity_along_ground`
    /// [m/s²], and the vehicle moves with `velocity_in_body` [m/s, rad/s]. Returns the filtered acceleration at `center`
    /// [m]: a + ω̇×r − ω²·r.
    #[inline]
    pub fn follow(
        &mut self,
        acceleration_in_body: Vec2,
        gravity_along_ground: Vec2,
        velocity_in_body: Twist2,
        center: Vec2,
        dt: f64,
    ) -> Vec2 {
        let yaw_rate = velocity_in_body.wz;
        let yaw_acceleration = self.yaw_rate.map_or(0.0, |last| (yaw_rate - last) / dt);
        self.yaw_rate = Some(yaw_rate);
        let turning = Vec2::new(-yaw_acceleration * center.y, yaw_acceleration * center.x);
        let now = acceleration_in_body + turning - yaw_rate * yaw_rate * center - gravity_along_ground;
        let felt = match self.felt {
            Some(felt) if self.lag > 0.0 => felt + -libm::expm1(-dt / self.lag) * (now - felt),
            _ => now,
        };
        self.felt = Some(felt);
        felt
    }

    /// Clears the memory, after the vehicle was placed elsewhere.
    pub fn reset(&mut self) {
        *self = FeltAcceleration::new(self.lag);
    }
}

#[cfg(test)]
mod tests;
