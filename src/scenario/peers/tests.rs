//! Scenarios beside nodes that are played by a script.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex};

use super::*;
use crate::description::Scenario;
use crate::result::{Case, CaseResult, Verdict};
use crate::run::{RunOptions, once};

/// What was ordered, in words.
type Log = Arc<Mutex<Vec<String>>>;

/// Nodes of which each step hears what the script says, after an order as many steps later as is given.
struct Script {
    /// For the orders that begin with this text: what is heard, and after how many steps.
    answers: Vec<(&'static str, Vec<(u64, Heard)>)>,
    /// What is heard without an order.
    news: fn(u64) -> Vec<Heard>,
    /// Each second step counts, so that one takes 10 ms.
    calls: u64,
    step: u64,
    coming: VecDeque<(u64, Heard)>,
    log: Log,
}

impl Peers for Script {
    fn begin(&mut self, _scene: &Scene, needs: &[Need]) -> Result<(), Diagnostics> {
        let mut log = self.log.lock().unwrap();
        log.extend(needs.iter().map(|need| format!("needs {} of {}", need.kind.words(), need.vehicle)));
        Ok(())
    }

    fn order(&mut self, order: Order) {
        let text = format!("{:?}", order.kind);
        let mut somebody_is_there = true;
        for (_, answers) in self.answers.iter().filter(|(begin, _)| text.starts_with(begin)) {
            somebody_is_there &= !answers.iter().any(|(_, heard)| matches!(heard, Heard::Absent { .. }));
            self.coming.extend(answers.iter().map(|(later, heard)| (self.step + later, heard.clone())));
        }
        if somebody_is_there {
            self.coming.push_back((self.step, Heard::Absent { order: order.number, absent: None }));
        }
        self.log.lock().unwrap().push(text);
    }

    fn play(&mut self, number: usize, message: &[u8]) -> bool {
        self.log.lock().unwrap().push(format!("plays {} bytes on {number} in step {}", message.len(), self.step));
        true
    }

    fn heard(&mut self) -> Vec<Heard> {
        self.calls += 1;
        if !self.calls.is_multiple_of(2) {
            return Vec::new();
        }
        self.step = self.calls / 2;
        let step = self.step;
        let (now, later): (VecDeque<_>, VecDeque<_>) = self.coming.drain(..).partition(|(at, _)| *at <= step);
        self.coming = later;
        now.into_iter().map(|(_, heard)| heard).chain((self.news)(step)).collect()
    }
}

fn quiet(_: u64) -> Vec<Heard> {
    Vec::new()
}

/// A run of the robot of `twist_ideal`, at (−3, 0) with its heading to +y, whose step is 5 ms.
fn run(text: &str, script: Option<Script>) -> CaseResult {
    let world = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/twist_ideal.world.xml");
    let text = format!("world: {}\nvehicle: robot\ncontroller: none\nduration: 4\n{text}", world.display());
    let scenario = Scenario::parse(Path::new("s.yaml"), &text, &[]).unwrap_or_else(|problems| panic!("{problems}"));
    let case = Case { scenario: "s".into(), file: "s.yaml".into(), varied: Vec::new(), repetition: None };
    let link = script.map_or_else(Link::default, |script| Link::to(Box::new(script)));
    once(&scenario, &scenario.experiment, &case, &RunOptions::default(), None, link).0
}

fn script(answers: Vec<(&'static str, Vec<(u64, Heard)>)>, news: fn(u64) -> Vec<Heard>) -> (Script, Log) {
    let log = Log::default();
    (Script { answers, news, calls: 0, step: 0, coming: VecDeque::new(), log: Arc::clone(&log) }, log)
}

fn reasons(result: &CaseResult) -> String {
    result.reasons().join("\n")
}

/// A goal that is accepted after 0.1 s and ends after 2 s.
fn ends(status: GoalStatus) -> Vec<(u64, Heard)> {
    let ending = Ending { status, error_code: Some(103), message: "no way".into(), missed: 0 };
    vec![
        (1, Heard::Sent(0)),
        (10, Heard::Accepted(0)),
        (20, Heard::Feedback { number: 0, recoveries: Some(2), remaining: Some(1.5) }),
        (200, Heard::Ended { number: 0, ending }),
    ]
}

const GOAL: &str = "events:\n- name: go\n  at: 0\n  navigate_to: {at: [-3, 2], yaw: 1.57}\n- at: 0\n  hold: 1.8\n  command: {vx: 1}\n- at: 1.9\n  command: stop\n";

#[test]
fn a_goal_that_is_reached_has_its_numbers() {
    let (nodes, log) = script(vec![("Send", ends(GoalStatus::Succeeded))], quiet);
    let text = format!("{GOAL}expect:\n- navigation: {{of: go, by: 3, within: 0.5}}\n- recoveries: {{at_most: 2}}\n");
    let result = run(&text, Some(nodes));
    assert_eq!(reasons(&result), "");
    assert_eq!(result.verdict, Verdict::Passed);
    // Nothing else was to be watched.
    assert!(result.simulated < 2.1 && result.end == "all goals are reached", "{} {}", result.simulated, result.end);
    let value = |key: &str| result.measures.iter().find(|measure| measure.key == key).unwrap().value.unwrap();
    assert!((value("time_to_goal_s") - 2.0).abs() < 0.05 && value("spl") > 0.9, "{:?}", result.measures);
    let log = log.lock().unwrap();
    assert_eq!(log[0], "needs navigate_to of robot");
    assert!(log[1].starts_with("Send { number: 0, goal: NavigateToPose { pose: Pose2 { x: -3.0, y: 2.0"), "{log:?}");
}

/// A goal of the robot that is accepted at once and succeeds so many steps later.
fn succeeds(number: usize, later: u64) -> Vec<(u64, Heard)> {
    let ending = Ending { status: GoalStatus::Succeeded, ..Ending::default() };
    vec![(1, Heard::Sent(number)), (2, Heard::Accepted(number)), (later, Heard::Ended { number, ending })]
}

/// The robot is 0.2 m from its first goal when that ends, and then drives on to the second one.
#[test]
fn a_goal_is_judged_by_where_the_vehicle_is_when_it_ends() {
    let on = "- when: {goal: ended, of: go}\n  navigate_to: {at: [-3, 4]}\n- when: {goal: ended, of: go}\n  hold: 1.8\n  command: {vx: 1}\n";
    let result = |within: f64| {
        let answers = vec![("Send { number: 0", succeeds(0, 200)), ("Send { number: 1", succeeds(1, 185))];
        run(&format!("{GOAL}{on}expect:\n- navigation: {{within: {within}}}\n"), Some(script(answers, quiet).0))
    };
    assert_eq!(reasons(&result(0.5)), "");
    let near = result(0.1);
    assert!(reasons(&near).contains("succeeded, but 0.") && near.simulated < 2.1, "{}", reasons(&near));
}

#[test]
fn goals_that_do_not_end_as_they_should_are_told() {
    for (status, expect, reason) in [
        (GoalStatus::Aborted, "navigation: {by: 3}", "aborted, error 103: no way"),
        (GoalStatus::Succeeded, "navigation: {within: 0.01}", "succeeded, error 103: no way, but 0."),
        (GoalStatus::Succeeded, "navigation: {status: aborted}", "succeeded, error 103"),
        (GoalStatus::Aborted, "navigation: {status: aborted, error_code: 104}", "aborted, error 103"),
        (GoalStatus::Succeeded, "navigation: {by: 1}", "under way, 1.50 m left"),
        (GoalStatus::Succeeded, "recoveries: {at_most: 1}", "2"),
    ] {
        let (nodes, _) = script(vec![("Send", ends(status))], quiet);
        let result = run(&format!("{GOAL}expect:\n- {expect}\n"), Some(nodes));
        assert!(
            result.verdict == Verdict::Failed && reasons(&result).contains(reason),
            "{expect}: {}",
            reasons(&result)
        );
    }
    let (nodes, _) = script(vec![("Send", ends(GoalStatus::Aborted))], quiet);
    let text = format!("{GOAL}expect:\n- navigation: {{status: aborted, error_code: 103}}\n");
    assert_eq!(run(&text, Some(nodes)).verdict, Verdict::Passed);
}

#[test]
fn a_goal_that_nobody_accepts_is_told() {
    for (answers, reason) in [(Vec::new(), "no action server"), (vec![(3, Heard::Sent(0))], "sent, but not accepted")] {
        let (nodes, _) = script(vec![("Send", answers)], quiet);
        let result = run(&format!("{GOAL}expect:\n- navigation: {{by: 1}}\n"), Some(nodes));
        assert!(reasons(&result).contains(reason), "{}", reasons(&result));
        assert!(result.simulated < 1.1, "{}", result.simulated);
    }
    let (nodes, _) = script(Vec::new(), quiet);
    let late = "events:\n- when: {active: bt_navigator}\n  navigate_to: {at: [1, 2]}\nexpect:\n- navigation: {}\n";
    let result = run(late, Some(nodes));
    assert!(reasons(&result).contains("not sent"), "{}", reasons(&result));
}

#[test]
fn an_order_that_nobody_was_there_for_is_a_reason() {
    let absent = |missing: &str, kind, seen: &[String]| {
        let absent = Some(Absent { missing: missing.to_owned(), kind, seen: seen.to_vec() });
        (1, Heard::Absent { order: 0, absent })
    };
    let nobody = absent("no node /robot/amcl", "nodes", &["/amcl".to_owned()]);
    let event = "events:\n- {at: 0.5, parameters: {node: amcl, set: {a: 1}}}\nexpect:\n- ";
    let (nodes, _) = script(vec![("SetParameters", vec![nobody.clone()])], quiet);
    let result = run(&format!("{event}collisions: {{at_most: 0}}\n"), Some(nodes));
    let lapse = "s.yaml:6:3: parameters: no node /robot/amcl within 3.5 s; nodes seen: /amcl";
    assert_eq!(reasons(&result), lapse);
    assert!(matches!(result.verdict, Verdict::Broken(_)) && result.criteria[0].held);
    // It fails for another reason, too.
    let (nodes, _) = script(vec![("SetParameters", vec![nobody.clone()])], quiet);
    let result = run(&format!("{event}goal: {{at: [0, 0], within: 0.1, by: 2}}\n"), Some(nodes));
    let reported = reasons(&result);
    assert!(
        result.verdict == Verdict::Failed && reported.starts_with("goal of robot: ") && reported.lines().count() == 2
    );
    assert!(
        reported.ends_with(
            "event: s.yaml:6:3: parameters: no node /robot/amcl within 1.5 s; nodes seen: /amcl; expected carried out"
        ),
        "{reported}"
    );
    // It comes late, but it comes.
    let carried_out = (100, Heard::Absent { order: 0, absent: None });
    let (nodes, _) = script(vec![("SetParameters", vec![nobody, carried_out])], quiet);
    assert_eq!(run(&format!("{event}collisions: {{at_most: 0}}\n"), Some(nodes)).verdict, Verdict::Passed);
    let server = absent("no action server /robot/navigate_to_pose", "action servers", &[]);
    let (nodes, _) = script(vec![("Send", vec![server])], quiet);
    let result = run(&format!("{GOAL}expect:\n- navigation: {{by: 1}}\n"), Some(nodes));
    let reason =
        "no action server /robot/navigate_to_pose within 1.0 s; action servers seen: none (s.yaml:6:3) at 1.005 s";
    assert!(reasons(&result).contains(reason) && result.criteria.len() == 1, "{}", reasons(&result));
}

#[test]
fn events_follow_goals_and_states() {
    let news = |step: u64| {
        let state = if step < 50 { "inactive" } else { "active" };
        vec![Heard::Lifecycle { node: "amcl".into(), vehicle: "robot".into(), state: state.into() }]
    };
    let (nodes, log) = script(vec![("Send", ends(GoalStatus::Succeeded))], news);
    let text = "events:\n- {when: {active: amcl}, name: go, follow_waypoints: {points: [[0, 0], [1, 0]]}}\n\
                - {when: {goal: accepted, of: go}, initial_pose: truth}\n\
                - {when: {goal: reached, of: go}, parameters: {node: amcl, set: {a: 1}}}\n\
                - {at: 3.5, lifecycle: {node: amcl, transition: deactivate}}\n- {at: 3.6, cancel: go}\n\
                expect:\n- lifecycle: {node: amcl, by: 0.6, until: 4}\n";
    let result = run(text, Some(nodes));
    assert_eq!(reasons(&result), "");
    let log = log.lock().unwrap();
    let orders: Vec<&str> =
        log.iter().filter(|line| !line.starts_with("needs")).map(|line| line.split(' ').next().unwrap()).collect();
    // What has ended is not cancelled.
    assert_eq!(orders, ["Send", "InitialPose", "SetParameters", "ChangeState"]);
    let pose = log.iter().find(|line| line.starts_with("InitialPose")).unwrap();
    assert!(pose.contains("x: -3.0, y: 0.0") && pose.contains("variances: [0.25, 0.25, 0.0685"), "{pose}");
    let notes = result.notes.join("\n");
    assert!(notes.contains("0.010 s: amcl is inactive") && notes.contains("0.500 s: amcl is active"), "{notes}");
    let (nodes, _) = script(Vec::new(), news);
    let early = run("expect:\n- lifecycle: {node: amcl, by: 0.4}\n", Some(nodes));
    assert!(reasons(&early).contains("is inactive") && early.verdict == Verdict::Failed, "{}", reasons(&early));
    let (nodes, _) = script(Vec::new(), quiet);
    let absent = run("expect:\n- lifecycle: {node: amcl, from: 1}\n", Some(nodes));
    assert!(reasons(&absent).contains("the node has not reported its state"), "{}", reasons(&absent));
}

#[test]
fn topics_have_rates_and_delays() {
    // 10 Hz, each message 0.05 s after its stamp; from 2 s on half as often.
    let news = |step: u64| {
        let is_sent = step.is_multiple_of(10) && (step < 200 || step.is_multiple_of(20));
        let stamp = Some(SimTime::from_secs((step as f64) * 0.01 - 0.05));
        (0..2).filter(|_| is_sent).map(|watch| Heard::Message { watch, stamp }).collect()
    };
    for (expect, reason) in [
        (
            "topic_rate: {topic: scan, at_least: 9, at_most: 11, until: 1.9}\n- topic_delay: {topic: scan, at_most: 0.06}",
            "",
        ),
        ("topic_rate: {topic: scan, at_least: 9}", "scan at least 9 Hz"),
        ("topic_rate: {topic: scan, at_least: 9, from: 2.5}", "5 Hz"),
        ("clearance: {at_least: 0}\n- topic_delay: {topic: scan, at_most: 0.04}", "0.05000 s"),
    ] {
        let (nodes, _) = script(Vec::new(), news);
        let result = run(&format!("expect:\n- {expect}\n"), Some(nodes));
        assert!(reasons(&result).contains(reason), "{expect}: {}", reasons(&result));
        assert_eq!(result.verdict == Verdict::Passed, reason.is_empty(), "{expect}: {}", reasons(&result));
    }
    for (expect, reason) in [
        ("topic_rate: {topic: scan, at_least: 1}", "0 Hz"),
        ("topic_delay: {topic: scan, at_most: 1}", "no data received"),
    ] {
        let (nodes, _) = script(Vec::new(), quiet);
        let silent = run(&format!("expect:\n- {expect}\n"), Some(nodes));
        assert!(silent.verdict == Verdict::Failed && reasons(&silent).contains(reason), "{}", reasons(&silent));
    }
}

#[test]
fn the_map_has_its_own_localisation_error() {
    // The robot starts at (−3, 0), which is the origin of its odometry.
    let news = |step: u64| {
        let heading = std::f64::consts::FRAC_PI_2;
        let map_from_odom = Pose2::new(-3.0, if step < 100 { 0.25 } else { 1.0 }, heading);
        vec![Heard::Correction { vehicle: "robot".into(), map_from_odom }]
    };
    let criterion = |bound: f64| format!("expect:\n- localisation_error: {{at_most: {bound}, frame: map}}\n");
    let (nodes, _) = script(Vec::new(), news);
    let result = run(&criterion(0.5), Some(nodes));
    assert!(reasons(&result).contains("1 m") && result.simulated < 1.1, "{}", reasons(&result));
    let (nodes, _) = script(Vec::new(), news);
    assert_eq!(run(&criterion(1.1), Some(nodes)).verdict, Verdict::Passed);
}

#[test]
fn poses_of_a_topic_have_their_localisation_error() {
    // The robot stands at (−3, 0); a pose every 0.5 s, 0.2 s after its stamp.
    let news = |step: u64| {
        let stamp = SimTime::from_secs((step as f64) * 0.01 - 0.2);
        let x = if step < 200 { -2.75 } else { -2.0 };
        let pose = Heard::Pose { watch: 0, stamp, position: skidpad_math::Vec2::new(x, 0.0) };
        if step.is_multiple_of(50) { vec![pose] } else { Vec::new() }
    };
    let criterion = |bound: f64| format!("expect:\n- localisation_error: {{at_most: {bound}, topic: amcl_pose}}\n");
    let (nodes, log) = script(Vec::new(), news);
    let result = run(&criterion(0.5), Some(nodes));
    assert!(reasons(&result).contains("1 m at 2") && result.verdict == Verdict::Failed, "{}", reasons(&result));
    assert_eq!(log.lock().unwrap()[0], "needs localisation_error by amcl_pose of robot");
    let (nodes, _) = script(Vec::new(), news);
    assert_eq!(run(&criterion(1.1), Some(nodes)).verdict, Verdict::Passed);
    let (nodes, _) = script(Vec::new(), quiet);
    assert!(reasons(&run(&criterion(1.1), Some(nodes))).contains("no data received"));
}

#[test]
fn a_run_without_nodes_refuses_what_needs_them() {
    let text = format!("{GOAL}expect:\n- navigation: {{by: 3}}\n- topic_rate: {{topic: scan, at_least: 1}}\n");
    let result = run(&text, None);
    let reported = reasons(&result);
    assert!(matches!(result.verdict, Verdict::Broken(_)), "{reported}");
    assert!(reported.contains("s.yaml:6:3: navigate_to needs ROS nodes, but this run has none"), "{reported}");
    assert!(
        reported.contains("s.yaml:16:3: topic scan needs ROS nodes") && reported.contains("skidpad run --scenario"),
        "{reported}"
    );
    assert_eq!(result.simulated, 0.0);
}

#[test]
fn shipped_scenarios_for_nav2_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/scenarios/nav2");
    let mut count = 0;
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "yaml")) {
        let scenario = Scenario::load(&file, &[]).unwrap_or_else(|problems| panic!("{problems}"));
        assert!(
            scenario.expect.iter().any(|criterion| criterion.kind.key() == "navigation"),
            "{}",
            scenario.file.display()
        );
        count += 1;
    }
    assert_eq!(count, 8);
}
