//! Controller parameters that can be changed at run time.

use super::pid::PidParameters;

/// A parameter of a controller, such as a gain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tunable {
    /// Name, unique within the controller.
    pub name: &'static str,
    /// Description, with the unit.
    pub help: &'static str,
    /// Smallest and largest value.
    pub range: [f64; 2],
    /// Current value.
    pub value: f64,
}

/// Range of gains of either sign, as allowed in world files.
const ANY: [f64; 2] = [-1e9, 1e9];
/// Range of non-negative values.
pub(super) const NOT_NEGATIVE: [f64; 2] = [0.0, 1e9];
/// Range of positive values.
pub(super) const POSITIVE: [f64; 2] = [1e-9, 1e9];

/// The parameters of a PID, with this range of `max_torque` [N·m].
pub(super) fn of_pid(parameters: &PidParameters, max_torque: [f64; 2]) -> Vec<Tunable> {
    let p = parameters;
    let tunable = |name, help, range, value| Tunable { name, help, range, value };
    vec![
        tunable("kp", "proportional gain of the speed controller [N·m/(m/s)]", ANY, p.kp),
        tunable("ki", "integral gain of the speed controller [N·m/m]", ANY, p.ki),
        tunable("kd", "derivative gain of the speed controller [N·m·s/(m/s)]", ANY, p.kd),
        tunable("n", "bandwidth of the derivative filter [1/s]; 0: none", NOT_NEGATIVE, p.n),
        tunable("max_torque", "largest torque that it asks for [N·m]; 0: no limit", max_torque, p.max_torque),
        tunable("feedforward", "share of the torque against a slope that is fed forward [-]", ANY, p.feedforward),
    ]
}
