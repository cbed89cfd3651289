//! The table of presets in Markdown, for `skidpad list presets` and the manual (`docs/presets.md`, `docs/topics.md`).

use std::fmt::Write;

use skidpad_sim::world::VehicleInfo;

use super::content::{TopicContent, topic_content};
use super::{LABEL_TABLE, Message, OccupancyGrid, Text};
use crate::interface::names::VehicleNames;
use crate::preset::{
    Condition, Effect, Input, InputKind, Joints, MovingPose, PRESETS, Pace, Preset, PresetSensor, Service, Setting,
    Switch, Topic, Value,
};

/// The tables of all presets, as Markdown.
pub fn tables() -> String {
    let mut page = String::new();
    for preset in PRESETS {
        if !page.is_empty() {
            page.push('\n');
        }
        section(&mut page, preset);
    }
    page
}

/// One preset. Writing to a string does not fail.
fn section(page: &mut String, preset: &'static Preset) {
    let _ = writeln!(page, "## {}\n\n{}.\n", preset.name, capital(preset.help));
    let mut rows: Vec<[String; 4]> = preset.topics.iter().map(|topic| topic_row(preset, topic)).collect();
    for PresetSensor { entry, number, topics, frame, link } in preset.sensors {
        let ordinal = ["first", "second"].get(*number).copied().unwrap_or("next");
        let at = link.map(|link| format!(" at `{link}`")).unwrap_or_default();
        for (name, topic) in topics.iter().zip(entry.topics) {
            rows.push([
                code(name),
                code(topic.message),
                "the sensor's".into(),
                format!("the {ordinal} sensor of class `{}`, in `{frame}`{at}", entry.name),
            ]);
        }
    }
    let [map, metadata] = preset.map;
    rows.push([
        code(map),
        code(OccupancyGrid::TYPE),
        "latched".into(),
        format!("the map, and `{metadata}`; with `publish_map`"),
    ]);
    rows.push([
        code(LABEL_TABLE),
        code(Text::TYPE),
        "latched".into(),
        "what the numbers in [labels](sensors.md#labels) mean; where a sensor reports some".into(),
    ]);
    table(page, ["Publishes", "Type", "Rate", ""], rows);
    table(page, ["Listens to", "Type", "When", ""], preset.inputs.iter().map(input_row).collect());
    frames(page, preset);
    if !preset.placeholders.is_empty() {
        let words = preset.placeholders.iter().flat_map(|word| {
            let number = if word.numbered { "; from the third car on with 2, 3 … behind it" } else { "" };
            word.parameters().enumerate().map(move |(index, (parameter, default))| {
                let (word, meaning) = (
                    code(&format!("{{{}}}", word.key)),
                    format!("{}{}", word.help, if index == 1 { number } else { "" }),
                );
                [word, code(parameter), code(default), meaning]
            })
        });
        table(page, ["Word", "Parameter", "Default", "Names"], words.collect());
    }
    if !preset.settings.is_empty() {
        table(page, ["Parameter", "Default there", "Here", ""], preset.settings.iter().map(setting).collect());
    }
    if !preset.defaults.is_empty() {
        let list: Vec<String> =
            preset.defaults.iter().map(|(name, value)| format!("`{name}` {}", value_text(value))).collect();
        let _ = writeln!(page, "Defaults of skidpad's own parameters: {}.\n", list.join(", "));
    }
    if let Joints::Named(names) = preset.joints {
        let names: Vec<String> = names.iter().map(|(name, ..)| code(name)).collect();
        let _ = writeln!(page, "Joints: {}.\n", names.join(", "));
    }
    if !preset.services.is_empty() {
        let service = |(name, service): &(&str, Service)| {
            let does = match service {
                Service::Reset => "reset",
                Service::Pause(true) => "pause",
                Service::Pause(false) => "go on",
                Service::ControlMode => "1: Autoware drives, 4: a driver; all others are refused",
            };
            format!("`{name}` ({does})")
        };
        let kind = preset.services[0].1.type_name();
        let services: Vec<String> = preset.services.iter().map(service).collect();
        let _ = writeln!(page, "Services (`{kind}`): {}.\n", services.join(", "));
    }
    if let Some([speed, turn]) = preset.limits {
        let _ = writeln!(page, "Velocity commands are taken up to {speed} m/s along each axis and {turn} rad/s.\n");
    }
    if preset.mux.is_some() {
        let _ = writeln!(page, "A command multiplexer lies before it (`builtin_mux`, `mux_config`).\n");
    }
    while page.ends_with("\n\n") {
        page.pop();
    }
}

fn topic_row(preset: &'static Preset, topic: &Topic) -> [String; 4] {
    let names = VehicleNames::new(preset, "", false, false);
    let TopicContent { description, is_once, source } = topic_content(topic.content, &VehicleInfo::default(), &names);
    let rate = match topic.pace {
        _ if is_once => "once".to_owned(),
        Pace::Odometry => format!("{} Hz", preset.odometry_rate),
        Pace::Second => format!("{} Hz", preset.second_rate),
    };
    let rate = if topic.latched { format!("{rate}, latched") } else { rate };
    [code(topic.name), code(source.kind().name), rate, with_condition(description, topic.condition)]
}

fn input_row(input: &Input) -> [String; 4] {
    let when = match input.condition {
        Condition::Always => "",
        Condition::Localized => "`publish_map_to_odom`",
        Condition::OnSprings => "on springs",
        Condition::WithOthers => "several cars",
        Condition::Teleports => "`teleport_topics`",
        Condition::Keyboard => "`kb_teleop`, first car",
        Condition::First => "first car",
        Condition::TeleportsFirst => "`teleport_topics`, first car",
        Condition::TeleportsOthers => "`teleport_topics`, the others",
    };
    let message = match input.kind {
        InputKind::Velocity => code(&format!("{} or TwistStamped", input.kind.message().name)),
        kind => code(kind.message().name),
    };
    [code(input.name), message, when.into(), input.kind.effect()]
}

fn with_condition(description: String, condition: Condition) -> String {
    match condition {
        Condition::OnSprings => format!("{description}; with [`<suspension>`](suspension.md)"),
        Condition::WithOthers => format!("{description}; with several cars"),
        Condition::Localized => format!("{description}; with `publish_map_to_odom`"),
        _ => description,
    }
}

fn frames(page: &mut String, preset: &Preset) {
    let moving = preset.frames.moving.iter().map(|moving| {
        let pose = match moving.pose {
            MovingPose::WheelOdometry => "odometry of the wheels",
            MovingPose::OdometryError => "what odometry is wrong by",
            MovingPose::Truth => "the truth",
            MovingPose::Identity => "none",
            MovingPose::Steering(_) => "the wheel's steering",
        };
        let switch = match moving.switch {
            Switch::Tf => "publish_tf",
            Switch::MapToOdom => "publish_map_to_odom",
        };
        [code(moving.parent), code(moving.child), pose.into(), code(switch)]
    });
    let place = |[x, y, z]: [f64; 3]| format!("({x}, {y}, {z}) m");
    let fixed =
        preset.frames.fixed.iter().map(|(parent, child, at)| [code(parent), code(child), place(*at), "always".into()]);
    let hinges = preset.frames.hinges.iter();
    let hinges = hinges
        .map(|(parent, child, wheel)| [code(parent), code(child), format!("centre of wheel {wheel}"), "always".into()]);
    let sensors = [code(preset.frames.sensors), "each sensor".into(), "as in the world".into(), "always".into()];
    table(page, ["Frame", "Child", "Pose", "With"], moving.chain(fixed).chain(hinges).chain([sensors]).collect());
}

fn setting(setting: &Setting) -> [String; 4] {
    let (node_parameter, note) = match setting.effect {
        Effect::Is(parameter) => (code(parameter), String::new()),
        Effect::Not(parameter) => (code(parameter), "the opposite".into()),
        Effect::Period(parameter, of) => (code(parameter), format!("{of} over it")),
        Effect::Choice(parameter, [yes, no]) => (code(parameter), format!("true: `{yes}`, false: `{no}`")),
        Effect::Word(parameter, [preset_words, own_words]) => {
            let pairs = preset_words.iter().zip(own_words);
            let words: Vec<String> = pairs.map(|(preset, own_word)| format!("`{preset}`: `{own_word}`")).collect();
            (code(parameter), words.join(", "))
        }
        Effect::DataDepth => (
            "`qos_overrides`".into(),
            "depth of the queues of states and sensors, where no `qos_overrides` gives it".into(),
        ),
        Effect::Variable(variable) => (format!("`--set {variable}=…`"), "a variable of the world".into()),
        Effect::MapFile(variable) => (
            format!("`--set {variable}=…`"),
            "a map_server file, with or without `.yaml`; a variable of the world".into(),
        ),
        Effect::VariableRate(variable) => {
            (format!("`--set {variable}=…`"), "1 over it, a variable of the world".into())
        }
        Effect::Here(text) => (String::new(), text.into()),
        Effect::Nothing(why) => ("—".into(), format!("without effect: {why}")),
    };
    let other_defaults = setting.other_defaults.iter().map(|(name, value)| format!("; {name}: {}", value_text(value)));
    [code(setting.name), value_text(&setting.default) + &other_defaults.collect::<String>(), node_parameter, note]
}

fn value_text(value: &Value) -> String {
    match value {
        Value::Switch(on) => on.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Whole(number) => number.to_string(),
        Value::Text("") => String::new(),
        Value::Text(text) => code(text),
    }
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn table(page: &mut String, head: [&str; 4], rows: Vec<[String; 4]>) {
    let _ = writeln!(page, "| {} |\n|---|---|---|---|", head.join(" | "));
    for row in rows {
        let _ = writeln!(page, "| {} |", row.join(" | "));
    }
    page.push('\n');
}
