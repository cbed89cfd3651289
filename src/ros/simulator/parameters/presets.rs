//! Parameters of presets: a preset offers the parameters of the system that it replaces, which set the node's own parameters or
//! variables of the world.

use r2r::ParameterValue;
use skidpad_ros_data::preset::frame_names;
use skidpad_ros_data::preset::{
    AUTOWARE, Effect, PlaceholderValues, Preset, PresetVariable, Setting, Value, VehicleContext, preset,
};

use crate::error::RosError;
use crate::graph::names::node_name;
use crate::parameters::arguments;
use crate::parameters::qos_overrides::DEPTHS;
use crate::parameters::table::{Declaration, Kind, Parameters, switch};

/// The node's own parameters that are about presets.
pub const DECLARATIONS: [Declaration; 2] = [
    switch(
        "teleport_topics",
        false,
        "poses on initialpose, and on the topics that the preset has for it, teleport the vehicle; leave off where AMCL runs",
    )
    .at_start(),
    Declaration::new(
        "wait_for",
        Kind::Word { default: "nothing", of: &["nothing", "commands", "pose"] },
        "commands are held until every vehicle has received one (commands), or until a vehicle has received a pose from a topic (pose)",
    )
    .at_start(),
];

/// The preset named by the parameters that were given at the start.
pub fn named<'a>(mut given: impl Iterator<Item = (&'a String, &'a ParameterValue)>) -> Option<&'static Preset> {
    given.find_map(|(name, value)| match value {
        ParameterValue::String(word) if name == "preset" => preset(word),
        _ => None,
    })
}

/// The defaults of the node's own parameters with a preset. Given parameters of the replaced system take precedence over the preset's own.
pub fn defaults<'a>(
    preset: &Preset,
    given: impl Iterator<Item = (&'a String, &'a ParameterValue)>,
) -> Vec<(&'static str, ParameterValue)> {
    let mut defaults = vec![("odom_rate", ParameterValue::Double(preset.odometry_rate))];
    let mut put = |name: &'static str, value| {
        defaults.retain(|(other, _)| *other != name);
        defaults.push((name, value));
    };
    for (name, value) in preset.defaults {
        put(name, as_parameter(value));
    }
    // In the order of the table: of two that set the same the later counts.
    let given: Vec<_> = given.collect();
    for setting in preset.settings {
        let Some((_, value)) = given.iter().find(|(name, _)| *name == setting.name) else { continue };
        match (setting.effect, *value) {
            (Effect::Is(target), value) => put(target, value.clone()),
            (Effect::Not(target), ParameterValue::Bool(on)) => put(target, ParameterValue::Bool(!on)),
            (Effect::Choice(target, words), ParameterValue::Bool(on)) => {
                put(target, ParameterValue::String(words[usize::from(!on)].to_owned()));
            }
            (Effect::Period(target, of), value) => put(target, ParameterValue::Double(of / as_number(value))),
            (Effect::Word(target, [preset_words, own_words]), ParameterValue::String(word)) => {
                let mut pairs = preset_words.iter().zip(own_words);
                if let Some((_, own_word)) = pairs.find(|(preset_word, _)| *preset_word == word) {
                    put(target, ParameterValue::String((*own_word).to_owned()));
                }
            }
            _ => {}
        }
    }
    defaults
}

fn as_parameter(value: &Value) -> ParameterValue {
    match *value {
        Value::Switch(on) => ParameterValue::Bool(on),
        Value::Number(number) => ParameterValue::Double(number),
        Value::Whole(number) => ParameterValue::Integer(number),
        Value::Text(text) => ParameterValue::String(text.to_owned()),
    }
}

fn as_number(value: &ParameterValue) -> f64 {
    match value {
        ParameterValue::Double(number) => *number,
        ParameterValue::Integer(number) => *number as f64,
        _ => f64::NAN,
    }
}

/// Declares the parameters of the system that the preset replaces.
pub fn declare(preset: &Preset, parameters: &Parameters) -> Result<(), RosError> {
    let words = preset.placeholders.iter().flat_map(|word| {
        let declare = move |(name, default)| Declaration::new(name, Kind::Text { default }, word.help).at_start();
        word.parameters().map(declare)
    });
    let settings = preset.settings.iter().map(|setting| declaration(setting, parameters));
    let all: Vec<Declaration> = words.chain(settings).collect();
    parameters.declare("", &all, Box::new(|_, _| ()))
}

/// The declaration of a parameter of the replaced system; where it sets a parameter of the node, its default is that one's value.
fn declaration(setting: &Setting, parameters: &Parameters) -> Declaration {
    const EDGE: f64 = 1e9;
    let default = match (setting.effect, setting.default_in(r2r::ROS_DISTRO)) {
        (Effect::Is(target), Value::Number(default)) => match parameters.value(target) {
            ParameterValue::Double(value) => Value::Number(value),
            _ => Value::Number(default),
        },
        (Effect::Is(target), Value::Switch(_)) => Value::Switch(parameters.flag(target)),
        (Effect::Not(target), _) => Value::Switch(!parameters.flag(target)),
        (Effect::Period(target, of), _) => Value::Number(of / parameters.number(target)),
        (_, default) => default,
    };
    let kind = match (default, setting.effect) {
        (Value::Text(default), Effect::Word(_, [of, _])) => Kind::Word { default, of },
        (Value::Whole(default), Effect::DataDepth) => Kind::Whole { default, range: DEPTHS },
        (Value::Switch(default), _) => Kind::Switch { default },
        (Value::Number(default), _) => Kind::Number { default, range: [-EDGE, EDGE] },
        (Value::Whole(default), _) => Kind::Whole { default, range: [-1_000_000, 1_000_000] },
        (Value::Text(default), _) => Kind::Text { default },
    };
    Declaration::new(setting.name, kind, description(&setting.effect)).at_start()
}

fn description(effect: &Effect) -> &'static str {
    match effect {
        Effect::Is(_) | Effect::Not(_) | Effect::Period(..) | Effect::Choice(..) | Effect::Word(..) => {
            "stands for a parameter of skidpad, docs/presets.md says for which"
        }
        Effect::DataDepth => "messages that the topics of states and sensors keep for readers that fall behind",
        Effect::Variable(_) | Effect::VariableRate(_) | Effect::MapFile(_) => "sets a variable of the world",
        Effect::Here(text) => text,
        Effect::Nothing(why) => why,
    }
}

/// Depth of the topics of states and sensors [messages], if a parameter of the preset sets it.
pub(crate) fn data_depth(preset: &Preset, parameters: &Parameters) -> Option<usize> {
    let setting = preset.settings.iter().find(|setting| setting.effect == Effect::DataDepth)?;
    match parameters.value(setting.name) {
        ParameterValue::Integer(depth) => usize::try_from(depth).ok(),
        _ => None,
    }
}

/// Whether Autoware's car may move at the start.
pub fn is_engaged(preset: &Preset, parameters: &Parameters) -> bool {
    preset.name != AUTOWARE.name || parameters.flag("initial_engage_state")
}

/// The values of the placeholders in the preset's names. Warns of names of frames that the preset does not have.
///
/// # Errors
/// A frame cannot have the name that it is given.
pub(crate) fn placeholder_values(preset: &Preset, parameters: &Parameters) -> Result<PlaceholderValues, RosError> {
    let words = PlaceholderValues::new(preset.placeholders, |parameter| Some(parameters.word(parameter)));
    frame_names::check(preset, &words)?;
    for parameter in frame_names::without_effect(preset, &words) {
        tracing::warn!("parameter \"{parameter}\": has no effect with the preset \"{}\"", preset.name);
    }
    Ok(words)
}

/// The conditions of optional topics that are the same for all vehicles.
pub(crate) fn topic_conditions(parameters: &Parameters) -> VehicleContext {
    VehicleContext {
        localized: parameters.flag("publish_map_to_odom"),
        teleports: parameters.flag("teleport_topics"),
        keyboard: parameters.flag("kb_teleop"),
        ..VehicleContext::default()
    }
}

/// The variables of the world that parameters in `--ros-args` set through the preset; needed before the world is read. Fails on a file of
/// parameters that cannot be read.
pub fn variables(ros_args: &[String]) -> Result<Vec<PresetVariable>, RosError> {
    let given = arguments::given(ros_args, &node_name(ros_args))?;
    let given = || given.values.iter().map(|(name, value)| (name, value));
    let Some(preset) = named(given()) else { return Ok(Vec::new()) };
    let mut variables = Vec::new();
    for (name, value) in given() {
        let Some(setting) = preset.settings.iter().find(|setting| setting.name == name) else { continue };
        let (variable, text) = match (setting.effect, value) {
            (Effect::VariableRate(variable), value) => (variable, format!("{}", 1.0 / as_number(value))),
            (Effect::MapFile(variable), ParameterValue::String(text)) => (variable, with_ending(text)),
            (Effect::Variable(variable), ParameterValue::String(text)) => (variable, text.clone()),
            (Effect::Variable(variable), ParameterValue::Bool(on)) => (variable, on.to_string()),
            (Effect::Variable(variable), ParameterValue::Integer(number)) => (variable, number.to_string()),
            (Effect::Variable(variable), ParameterValue::Double(number)) => (variable, number.to_string()),
            _ => continue,
        };
        // A world of another map than the one that is asked for would be another world.
        let is_optional = !matches!(setting.effect, Effect::MapFile(_));
        let (name, parameter) = (variable.to_owned(), setting.name);
        variables.push(PresetVariable { name, value: text, is_optional, parameter, preset });
    }
    Ok(variables)
}

/// The name of a map_server file, with its ending added if it has none.
fn with_ending(name: &str) -> String {
    if name.ends_with(".yaml") || name.ends_with(".yml") { name.to_owned() } else { format!("{name}.yaml") }
}

#[cfg(test)]
mod tests {
    use skidpad_ros_data::preset::{F1TENTH_GYM_ROS, MVSIM, NAV2_LOOPBACK, PRESETS};

    use super::*;

    fn given(values: &[(&str, ParameterValue)]) -> Vec<(String, ParameterValue)> {
        values.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect()
    }

    fn own(preset: &Preset, values: &[(&str, ParameterValue)], name: &str) -> Option<ParameterValue> {
        let given = given(values);
        let defaults = defaults(preset, given.iter().map(|(name, value)| (name, value)));
        defaults.into_iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    #[test]
    fn parameters_of_a_replaced_system_set_those_of_the_node() {
        use ParameterValue::{Bool, Double, String as Text};
        assert_eq!(own(&MVSIM, &[], "odom_rate"), Some(Double(50.0)));
        assert_eq!(own(&MVSIM, &[("period_ms_publish_tf", Double(40.0))], "odom_rate"), Some(Double(25.0)));
        assert_eq!(own(&MVSIM, &[("do_fake_localization", Bool(false))], "publish_map_to_odom"), Some(Bool(false)));
        assert_eq!(own(&MVSIM, &[], "publish_map_to_odom"), Some(Bool(true)));
        assert_eq!(own(&F1TENTH_GYM_ROS, &[], "cmd_timeout"), Some(Double(0.0)));
        assert_eq!(own(&F1TENTH_GYM_ROS, &[("drive_timeout", Double(0.5))], "cmd_timeout"), Some(Double(0.5)));
        assert_eq!(own(&F1TENTH_GYM_ROS, &[("async_mode", Bool(false))], "lockstep"), Some(Bool(true)));
        let stamped = own(&NAV2_LOOPBACK, &[("enable_stamped_cmd_vel", Bool(false))], "cmd_vel_type");
        assert_eq!(stamped, Some(Text("twist".into())));
        let no_return = |given: &[(&str, ParameterValue)]| own(&NAV2_LOOPBACK, given, "no_return");
        assert_eq!(no_return(&[("scan_use_inf", Bool(false))]), Some(Text("below_max".into())));
        assert_eq!((no_return(&[("scan_use_inf", Bool(true))]), no_return(&[])), (Some(Text("inf".into())), None));
    }

    #[test]
    fn nav2s_loopback_simulator_has_its_parameters_with_their_defaults() {
        use ParameterValue::{Bool, Double, String as Text};
        let word = ("preset".to_owned(), Text(NAV2_LOOPBACK.name.to_owned()));
        let node = super::super::tests::start_with(&[word]);
        let (turn, stamped) = (std::f64::consts::PI, r2r::ROS_DISTRO != "jazzy");
        let frames = ["map", "odom", "base_footprint", "base_scan"].map(|name| Text(name.to_owned()));
        let [map, odom, base, scan] = frames;
        for (name, expected) in [
            ("update_duration", Double(0.01)),
            ("odom_publish_dur", Double(0.01)),
            ("scan_publish_dur", Double(0.1)),
            ("map_frame_id", map),
            ("odom_frame_id", odom),
            ("base_frame_id", base),
            ("scan_frame_id", scan),
            ("enable_stamped_cmd_vel", Bool(stamped)),
            ("publish_map_odom_tf", Bool(true)),
            ("publish_scan", Bool(true)),
            ("publish_clock", Bool(true)),
            ("speed_factor", Double(1.0)),
            ("scan_range_min", Double(0.05)),
            ("scan_range_max", Double(30.0)),
            ("scan_angle_min", Double(-turn)),
            ("scan_angle_max", Double(turn)),
            ("scan_angle_increment", Double(0.0261)),
            ("scan_use_inf", Bool(true)),
        ] {
            assert_eq!(node.value(name), expected, "{name}");
        }
        assert!(node.declaration("scan_noise_std").is_some());
        // Odometry comes with each update, unless it has a period of its own.
        assert_eq!(own(&NAV2_LOOPBACK, &[], "odom_rate"), Some(Double(100.0)));
        let (update, odometry) = (("update_duration", Double(0.02)), ("odom_publish_dur", Double(0.05)));
        assert_eq!(own(&NAV2_LOOPBACK, std::slice::from_ref(&update), "odom_rate"), Some(Double(50.0)));
        assert_eq!(own(&NAV2_LOOPBACK, &[odometry, update], "odom_rate"), Some(Double(20.0)));
    }

    #[test]
    fn frames_have_the_names_of_the_parameters_under_every_preset_unless_they_cannot() {
        let given = |preset: &'static Preset, frames: &[(&str, &str)]| {
            let word = |(name, value): (&str, &str)| (name.to_owned(), ParameterValue::String(value.to_owned()));
            let all: Vec<_> = frames.iter().copied().chain([("preset", preset.name)]).map(word).collect();
            placeholder_values(preset, &super::super::tests::start_with(&all))
        };
        for preset in PRESETS {
            let words = given(preset, &[("base_frame_id", "robot"), ("map_frame_id", "earth")]).unwrap();
            let names = [frame_names::BASE, frame_names::MAP].map(|name| words.shared(name));
            assert_eq!(names, ["robot", "earth"], "{}", preset.name);
            assert_eq!(
                given(preset, &[("odom_frame_id", "/odom")]).unwrap_err().to_string(),
                "parameter \"odom_frame_id\": found \"/odom\"\n  \
                 accepted: letters, digits, _, -, . and /, and no / at either end\n  \
                 hint: leave the slash out: tf2 has no frames with one",
                "{}",
                preset.name
            );
        }
    }

    #[test]
    fn mvsims_publisher_history_len_is_the_depth_of_its_topics() {
        let depth = |preset: &'static Preset, given: &[(&str, ParameterValue)]| {
            let mut all = super::tests::given(given);
            all.push(("preset".to_owned(), ParameterValue::String(preset.name.to_owned())));
            data_depth(preset, &super::super::tests::start_with(&all))
        };
        assert_eq!(depth(&MVSIM, &[]), Some(50));
        assert_eq!(depth(&MVSIM, &[("publisher_history_len", ParameterValue::Integer(7))]), Some(7));
        assert_eq!(depth(&NAV2_LOOPBACK, &[]), None);
    }

    #[test]
    fn world_parameters_become_variables_of_the_world() {
        let args = |text: &str| -> Vec<String> { text.split_whitespace().map(str::to_owned).collect() };
        let set = |text: &str| {
            let all = variables(&args(text)).unwrap().into_iter();
            let mut all: Vec<_> =
                all.map(|parameter| (parameter.name, parameter.value, parameter.is_optional)).collect();
            all.sort();
            all
        };
        let actual = set(
            "--ros-args -p preset:=f1tenth_gym_ros -p num_agent:=2 -p sx:=1.5 -p map_path:=/maps/levine -p odom_rate:=10.0",
        );
        let of = |name: &str, value: &str, is_optional| (name.to_owned(), value.to_owned(), is_optional);
        assert_eq!(
            actual,
            [of("map_path", "/maps/levine.yaml", false), of("num_agents", "2", true), of("sx", "1.5", true)]
        );
        let lidar = set(
            "--ros-args -r __node:=sim -p sim:preset:=nav2_loopback -p scan_publish_dur:=0.2 -p publish_scan:=false",
        );
        assert_eq!(lidar, [of("lidar_rate_hz", "5", true), of("publish_scan", "false", true)]);
        assert_eq!(set("--ros-args -p num_agent:=2"), []);
    }

    #[test]
    fn every_default_of_a_preset_is_a_valid_value_of_an_existing_parameter() {
        for preset in PRESETS {
            let word = ("preset".to_owned(), ParameterValue::String(preset.name.to_owned()));
            let started = super::super::tests::start_with(&[word]);
            for (name, value) in preset.defaults {
                assert_eq!(started.value(name), as_parameter(value), "{}: {name}", preset.name);
            }
            for setting in preset.settings {
                let is_there = |own: &str| assert!(started.declaration(own).is_some(), "{}: {own}", preset.name);
                match setting.effect {
                    Effect::Is(own)
                    | Effect::Not(own)
                    | Effect::Period(own, _)
                    | Effect::Choice(own, _)
                    | Effect::Word(own, _) => is_there(own),
                    _ => is_there(setting.name),
                }
            }
        }
    }
}
