//! The parameter table: accepted values, refusals, and notifications of changes.

use super::*;

const TABLE: &[Declaration] = &[
    number("gain", 5.0, [0.0, 100.0], "proportional gain [1/s]"),
    switch("active", true, "whether it runs"),
    Declaration::new("FFWD", Kind::Flag { default: true }, "feed-forward"),
    Declaration::new("count", Kind::Whole { default: 2, range: [1, 9] }, "how many"),
    Declaration::new("frame", Kind::Text { default: "odom" }, "frame of the pose"),
    Declaration::new(
        "shape",
        Kind::Choice { default: "circle", of: &[("line", Some(0)), ("circle", Some(2)), ("csv", None)] },
        "which shape",
    )
    .at_start(),
];

fn start(overrides: &[(&str, ParameterValue)]) -> Result<Arc<Parameters>, RosError> {
    let owned: Vec<(String, ParameterValue)> =
        overrides.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Parameters::new(TABLE, &[], owned.iter().map(|(name, value)| (name, value)), Box::new(|_, _| {}))
}

fn text(word: &str) -> ParameterValue {
    ParameterValue::String(word.into())
}

#[test]
fn equivalent_values_are_converted_to_the_type_of_the_parameter() {
    let parameters = start(&[
        ("gain", ParameterValue::Integer(3)),
        ("FFWD", ParameterValue::Integer(0)),
        ("shape", ParameterValue::Integer(0)),
    ])
    .unwrap();
    assert_eq!((parameters.number("gain"), parameters.flag("FFWD")), (3.0, false));
    assert_eq!(parameters.word("shape"), "line");
    for same in [text("circle"), text("2"), ParameterValue::Integer(2)] {
        assert_eq!(start(&[("shape", same)]).unwrap().word("shape"), "circle");
    }
    assert_eq!((start(&[]).unwrap().whole("count"), start(&[]).unwrap().word("frame")), (2, "odom".into()));
}

#[test]
fn changes_back_and_forth_are_counted() {
    let parameters = start(&[]).unwrap();
    let set = |value| {
        let value = parameters.would_set("active", &ParameterValue::Bool(value)).unwrap();
        parameters.set(vec![("active".to_owned(), value)])
    };
    assert_eq!([set(true), set(false), set(true), set(true)], [false, true, true, false]);
    assert_eq!((parameters.flag("active"), parameters.changes("active"), parameters.changes("gain")), (true, 2, 0));
}

#[test]
fn an_invalid_value_is_named_as_it_was_given() {
    let refusal = |name, value| start(&[(name, value)]).err().unwrap().to_string();
    assert_eq!(
        refusal("shape", ParameterValue::Integer(1)),
        "parameter \"shape\": found 1\n  accepted: line (0), circle (2), csv"
    );
    assert_eq!(
        refusal("shape", text("cricle")),
        "parameter \"shape\": found \"cricle\"\n  accepted: line (0), circle (2), csv"
    );
    assert_eq!(
        refusal("FFWD", ParameterValue::Integer(2)),
        "parameter \"FFWD\": found 2\n  accepted: true, false, 1, 0"
    );
    assert_eq!(
        refusal("count", ParameterValue::Integer(10)),
        "parameter \"count\": found 10\n  accepted: a whole number from 1 to 9"
    );
    assert_eq!(
        refusal("count", ParameterValue::Double(2.5)),
        "parameter \"count\": found 2.5\n  accepted: a whole number from 1 to 9"
    );
    assert_eq!(refusal("frame", ParameterValue::Bool(true)), "parameter \"frame\": found true\n  accepted: a text");
    // A switch of a node that does not accept numbers at the start refuses them later too.
    assert!(start(&[("active", ParameterValue::Integer(1))]).is_err());
}

#[test]
fn a_running_node_refuses_with_a_reason() {
    let parameters = start(&[]).unwrap();
    let refused = |name: &str, value| parameters.would_set(name, &value).unwrap_err();
    assert_eq!(refused("gain", ParameterValue::Double(-1.0)), "gain: found -1; accepted: a number from 0 to 100");
    assert_eq!(refused("shape", text("line")), "shape: can only be set at the start of the node");
    // Setting the present value is not a change.
    assert!(parameters.would_set("shape", &ParameterValue::Integer(2)).is_ok());
    assert_eq!(refused("gian", ParameterValue::Double(1.0)), "gian: unknown parameter; did you mean \"gain\"?");
    assert_eq!(
        refused("colour", ParameterValue::Double(1.0)),
        "colour: unknown parameter; accepted: the names that ros2 param list prints"
    );
    assert_eq!(refused("gain", ParameterValue::NotSet), "gain: cannot be deleted; accepted: a number from 0 to 100");
}

#[test]
fn a_change_is_reported_once() {
    let reported = Arc::new(Mutex::new(Vec::new()));
    let watch = {
        let reported = reported.clone();
        Box::new(move |name: &'static str, value: &ParameterValue| reported.lock().unwrap().push((name, value.clone())))
    };
    let parameters = Parameters::new(TABLE, &[], std::iter::empty(), watch).unwrap();
    assert_eq!(std::mem::take(&mut *reported.lock().unwrap()).len(), TABLE.len());
    let value = parameters.would_set("gain", &ParameterValue::Integer(7)).unwrap();
    assert!(parameters.set(vec![("gain".to_owned(), value.clone())]));
    assert!(!parameters.set(vec![("gain".to_owned(), value)]));
    assert_eq!(*reported.lock().unwrap(), [("gain", ParameterValue::Double(7.0))]);
}

#[test]
fn parameters_under_a_prefix_take_the_values_given_at_the_start() {
    const OF_VEHICLE: &[Declaration] = &[number("gain", 1.0, [0.0, 9.0], "gain"), switch("active", true, "whether")];
    let parameters = start(&[("r1.gain", ParameterValue::Integer(3)), ("r2.gain", text("big"))]).unwrap();
    let reported = Arc::new(Mutex::new(Vec::new()));
    let heard = reported.clone();
    parameters.listen(move |event| heard.lock().unwrap().push(event.clone()));
    let declare = |prefix: &str| parameters.declare(prefix, OF_VEHICLE, Box::new(|_, _| {}));
    declare("r1").unwrap();
    declare("r10").unwrap();
    assert_eq!((parameters.number("r1.gain"), parameters.number("r10.gain")), (3.0, 1.0));
    assert_eq!(parameters.number("gain"), 5.0);
    assert_eq!(declare("r1").unwrap_err().to_string(), "parameter \"r1.gain\": declared twice");
    assert_eq!(
        declare("r2").unwrap_err().to_string(),
        "parameter \"r2.gain\": found \"big\"\n  accepted: a number from 0 to 9"
    );
    parameters.undeclare("r1");
    assert_eq!(parameters.value("r1.gain"), ParameterValue::NotSet);
    assert_eq!(parameters.number("r10.gain"), 1.0);
    declare("r1").unwrap();
    let named = |prefix: &str, gain| {
        let gain = (format!("{prefix}.gain"), ParameterValue::Double(gain));
        vec![gain, (format!("{prefix}.active"), ParameterValue::Bool(true))]
    };
    let new = |named| Event { new: named, ..Event::default() };
    let gone = Event { deleted: named("r1", 3.0), ..Event::default() };
    assert_eq!(*reported.lock().unwrap(), [new(named("r1", 3.0)), new(named("r10", 1.0)), gone, new(named("r1", 3.0))]);
}
