//! The PID block shared by all speed controllers.
//!
//! u = KP·e + I + D + feed-forward, limited to ±max_torque. I grows by KI·e·dt at every call; D is the difference quotient from the second
//! call on, or with N > 0 the filtered derivative D += dt·N·(KD·e − D) (K. J. Åström and T. Hägglund, "PID Controllers", 2nd ed., §3.3).
//! Anti-windup is back-calculation with tracking time KP/KI (ibid., §3.5): the integral is moved by (KI/KP)·(u_limited − u)·dt. The
//! feed-forward is the torque that holds the vehicle on its slope, gain·m·g·sin(slope)·R/n for n driven wheels, positive uphill, from the
//! known attitude. (MVSim counts only the chassis for m and has the opposite sign.)
//!
//! ```xml
//! <KP>…</KP> <KI>0</KI> <KD>0</KD>     gains [N·m/(m/s)], [N·m/m], [N·m·s/(m/s)]
//! <N>0</N>                             derivative filter [1/s]; 0: none
//! <max_torque>100</max_torque>         limit [N·m]; ≤ 0: none
//! <enable_antiwindup>false</enable_antiwindup>
//! <enable_feedforward>false</enable_feedforward>
//! <feedforward_gain>1</feedforward_gain>               1: the whole slope [-]
//! <enable_reference_filter>false</enable_reference_filter>
//! <reference_filter_tau>0.1</reference_filter_tau>     [s]
//! <reference_filter_order>1</reference_filter_order>   1 or 2 lags in a row
//! ```

use skidpad_xml::{Accept, Reader};

use super::Droop;

/// Gains and options of a PID.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PidParameters {
    /// Proportional gain [N·m/(m/s)].
    pub kp: f64,
    /// Integral gain [N·m/m].
    pub ki: f64,
    /// Derivative gain [N·m·s/(m/s)].
    pub kd: f64,
    /// Bandwidth of the derivative filter [1/s]; 0: unfiltered.
    pub n: f64,
    /// Largest torque [N·m]; 0: no limit.
    pub max_torque: f64,
    /// Whether anti-windup acts while the output is limited.
    pub anti_windup: bool,
    /// Fraction of the slope torque that is fed forward [-]; 0: none.
    pub feedforward: f64,
    /// Time constant [s] and number of lags of the set-point filter, or none.
    pub reference_filter: Option<(f64, u8)>,
}

impl PidParameters {
    /// Only proportional gain and torque limit [N·m].
    pub const fn new(kp: f64, max_torque: f64) -> PidParameters {
        PidParameters {
            kp,
            ki: 0.0,
            kd: 0.0,
            n: 0.0,
            max_torque,
            anti_windup: false,
            feedforward: 0.0,
            reference_filter: None,
        }
    }

    /// Reads the XML block above over `default`.
    pub fn read(reader: &Reader<'_>, default: PidParameters) -> PidParameters {
        let filtered = reader.bool("enable_reference_filter", false);
        let tau = reader.f64("reference_filter_tau", 0.1, Accept::positive());
        let order = reader.integer("reference_filter_order", 1, Accept::range(1.0, 2.0)) as u8;
        // Tools write I_MAX, but no controller has ever read it.
        reader.ignore(&["I_MAX"]);
        let fed_forward = reader.bool("enable_feedforward", default.feedforward != 0.0);
        let gain = reader.f64("feedforward_gain", 1.0, Accept::any());
        PidParameters {
            kp: reader.f64("KP", default.kp, Accept::any()),
            ki: reader.f64("KI", default.ki, Accept::any()),
            kd: reader.f64("KD", default.kd, Accept::any()),
            n: reader.f64("N", default.n, Accept::non_negative()),
            // MVSim limits only where this is positive.
            max_torque: reader.f64("max_torque", default.max_torque, Accept::any()).max(0.0),
            anti_windup: reader.bool("enable_antiwindup", default.anti_windup),
            feedforward: if fed_forward { gain } else { 0.0 },
            reference_filter: filtered.then_some((tau, order)),
        }
    }
}

/// A PID and its state.
#[derive(Clone, Debug, PartialEq)]
pub struct Pid {
    parameters: PidParameters,
    integral: f64,
    derivative: f64,
    last_error: Option<f64>,
    filter: [f64; 2],
    /// Whether the output is not limited here, since it falls within the step.
    is_implicit: bool,
}

impl Pid {
    /// A PID at rest.
    pub fn new(parameters: PidParameters) -> Pid {
        Pid { parameters, integral: 0.0, derivative: 0.0, last_error: None, filter: [0.0; 2], is_implicit: false }
    }

    /// The gains and options.
    pub fn parameters(&self) -> &PidParameters {
        &self.parameters
    }

    /// Changes a parameter by its name in lower case. The integral keeps its contribution. False if there is none of this name.
    pub fn tune(&mut self, name: &str, value: f64) -> bool {
        let p = &mut self.parameters;
        let number = match name {
            "kp" => &mut p.kp,
            "ki" => &mut p.ki,
            "kd" => &mut p.kd,
            "n" => &mut p.n,
            "max_torque" => &mut p.max_torque,
            "feedforward" => &mut p.feedforward,
            _ => return false,
        };
        *number = value;
        true
    }

    /// Clears everything except the parameters.
    pub fn reset(&mut self) {
        *self = Pid { is_implicit: self.is_implicit, ..Pid::new(self.parameters) };
    }

    /// Leaves it to the step to limit the torque, which falls by the proportional gain as the speed grows within the step; or not.
    pub fn act_implicitly(&mut self, is_implicit: bool) {
        self.is_implicit = is_implicit;
    }

    /// How the torque falls as the speed grows; `sees_slip` says whether that is the speed of the rims that the motor turns.
    pub fn droop(&self, sees_slip: bool) -> Droop {
        let PidParameters { kp, max_torque, .. } = self.parameters;
        let max_torque = if max_torque == 0.0 { f64::INFINITY } else { max_torque };
        Droop { gain: kp.max(0.0), sees_slip, max_torque }
    }

    /// The torque [N·m] for a set-point and a measured speed [m/s], after a step of `dt` [s]; `feedforward` [N·m] is added
    /// before the limit, which the step applies to a PID that acts implicitly.
    #[inline]
    pub fn update(&mut self, setpoint: f64, measured: f64, feedforward: f64, dt: f64) -> f64 {
        let p = &self.parameters;
        let reference = match p.reference_filter {
            None => setpoint,
            Some((tau, order)) => {
                let a = libm::exp(-dt / tau);
                self.filter[0] = a * self.filter[0] + (1.0 - a) * setpoint;
                self.filter[1] = a * self.filter[1] + (1.0 - a) * self.filter[0];
                self.filter[usize::from(order) - 1]
            }
        };
        let error = reference - measured;
        self.integral += p.ki * error * dt;
        if p.n > 0.0 {
            self.derivative += dt * p.n * (p.kd * error - self.derivative);
        } else if p.kd == 0.0 {
            self.derivative = 0.0;
        } else if let Some(last) = self.last_error {
            self.derivative = p.kd * (error - last) / dt;
        }
        self.last_error = Some(error);
        let mut output = p.kp * error + self.integral + self.derivative + feedforward;
        if p.max_torque == 0.0 {
            return output;
        }
        let mut limited = output.clamp(-p.max_torque, p.max_torque);
        if p.anti_windup && p.kp > 1e-12 {
            self.integral += p.ki / p.kp * (limited - output) * dt;
            output = p.kp * error + self.integral + self.derivative + feedforward;
            limited = output.clamp(-p.max_torque, p.max_torque);
        }
        if self.is_implicit { output } else { limited }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_gives_the_textbook_sum() {
        let parameters = PidParameters { ki: 3.0, kd: 0.5, ..PidParameters::new(2.0, 0.0) };
        let mut pid = Pid::new(parameters);
        // No derivative at the first call; then the error is constant and it stays zero.
        assert_eq!(pid.update(1.0, 0.0, 0.0, 0.1), 2.0 + 0.3);
        assert!((pid.update(1.0, 0.0, 0.0, 0.1) - (2.0 + 0.6)).abs() < 1e-15);
        // The error drops by 0.5 within 0.1 s: D = -2.5, I = 0.75.
        assert!((pid.update(1.0, 0.5, 0.0, 0.1) - (1.0 + 0.75 - 2.5)).abs() < 1e-12);
    }

    #[test]
    fn the_torque_limit_holds_and_anti_windup_releases_at_once() {
        let wound = PidParameters { ki: 10.0, ..PidParameters::new(1.0, 5.0) };
        let mut plain = Pid::new(wound);
        let mut held = Pid::new(PidParameters { anti_windup: true, ..wound });
        for _ in 0..1000 {
            assert_eq!(plain.update(10.0, 0.0, 0.0, 0.01), 5.0);
            assert!(held.update(10.0, 0.0, 0.0, 0.01) <= 5.0);
        }
        assert_eq!(plain.update(0.0, 1.0, 0.0, 0.01), 5.0, "the wound-up integral keeps pushing");
        assert!(held.update(0.0, 10.0, 0.0, 0.01) < 0.0, "the held one does not");
    }

    #[test]
    fn the_reference_filter_rises_as_one_or_two_lags() {
        for (order, expected) in [(1, 1.0 - (-1.0_f64).exp()), (2, 1.0 - 2.0 * (-1.0_f64).exp())] {
            let mut pid =
                Pid::new(PidParameters { reference_filter: Some((0.2, order)), ..PidParameters::new(1.0, 0.0) });
            let mut output = 0.0;
            for _ in 0..2000 {
                output = pid.update(1.0, 0.0, 0.0, 1e-4);
            }
            assert!((output - expected).abs() < 1e-3, "order {order}: {output} for {expected}");
        }
    }

    #[test]
    fn a_filtered_derivative_settles_at_kd_times_the_slope() {
        let mut pid = Pid::new(PidParameters { kd: 2.0, n: 50.0, ..PidParameters::new(0.0, 0.0) });
        let mut output = 0.0;
        for k in 0..1000 {
            output = pid.update(3.0 * f64::from(k) * 0.001, 0.0, 0.0, 0.001);
        }
        // D follows KD·e with a lag of 1/N: the law of the filter as MVSim has it, D → KD·e − KD·ė/N.
        assert!((output - 2.0 * (3.0 * 0.999 - 3.0 / 50.0)).abs() < 0.01, "{output}");
    }
}
