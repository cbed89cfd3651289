//! Errors of invalid powertrains and differentials.

use super::common::*;

fn problems_of(drivetrain: &str, powertrain: &str, controller: &str) -> Vec<String> {
    problems(&format!(
        "<mvsim_world><vehicle><init_pose>0 0 0</init_pose>\n<dynamics class=\"ackermann_drivetrain\">\n{drivetrain}\n{powertrain}\n\
         {controller}</dynamics></vehicle></mvsim_world>"
    ))
    .into_iter()
    .filter(|problem| !problem.contains("_wheel>"))
    .collect()
}

#[test]
fn errors_of_a_powertrain_are_explained() {
    let pedals = r#"<controller class="pedals"/>"#;
    for (powertrain, expected) in [
        (
            r#"<powertrain><engine type="table"><torque_curve>1000 90 900 100</torque_curve></engine></powertrain>"#,
            "bad.xml:4:48: 900 rpm after 1000 rpm in <torque_curve>\n  accepted: speeds that rise from point to point",
        ),
        (
            r#"<powertrain><engine type="table"/></powertrain>"#,
            "bad.xml:4:13: missing <torque_curve> in <engine>\n  accepted: pairs of speed [rpm] and torque [N·m], such as \
             1000 90 4000 150 6000 130",
        ),
        (
            r#"<powertrain><engine type="wankel"/></powertrain>"#,
            "bad.xml:4:27: bad value \"wankel\" for attribute \"type\" in <engine>\n  accepted: gasoline, diesel, electric, table",
        ),
        (
            "<powertrain><gearbox><ratios></ratios></gearbox></powertrain>",
            "bad.xml:4:22: 0 gears in <ratios>\n  accepted: 1 to 100 gears",
        ),
        (
            "<powertrain><gearbox><ratios>3 0 1</ratios></gearbox></powertrain>",
            "bad.xml:4:30: the ratio 0 in <ratios>\n  accepted: ratios > 0, first gear first, each below the one before",
        ),
        (
            "<powertrain><gearbox><ratios>1 2</ratios></gearbox></powertrain>",
            "bad.xml:4:30: the ratio 2 after 1 in <ratios>\n  accepted: ratios > 0, first gear first, each below the one before",
        ),
        (
            "<powertrain><gearbox><final_drive>-4</final_drive></gearbox></powertrain>",
            "bad.xml:4:35: bad value \"-4\" for <final_drive> in <gearbox>\n  accepted: a finite number > 0",
        ),
        (
            r#"<powertrain><coupling type="none"/></powertrain>"#,
            "bad.xml:4:13: an engine that idles cannot be coupled rigidly\n  accepted: torque_converter, clutch\n  \
             hint: only <engine type=\"electric\"> starts from standstill",
        ),
        (
            "<powertrain><coupling><characteristic>0 2 1 0.5 1 1</characteristic></coupling></powertrain>",
            "bad.xml:4:39: bad rows in <characteristic>\n  accepted: rows of speed ratio, torque ratio and relative capacity, such as \
             0 2 1  0.9 1 0.7  1 1 0\n  hint: the speed ratio rises from 0 to 1, its product with the torque ratio is at most 1, and nothing is negative",
        ),
        (
            "<powertrain><coupling><characteristic>0 2 1 0.9 3 0.9 1 1 0</characteristic></coupling></powertrain>",
            "bad.xml:4:39: bad rows in <characteristic>\n  accepted: rows of speed ratio, torque ratio and relative capacity, such as \
             0 2 1  0.9 1 0.7  1 1 0\n  hint: the speed ratio rises from 0 to 1, its product with the torque ratio is at most 1, and nothing is negative",
        ),
    ] {
        assert_eq!(problems_of("", powertrain, pedals), [expected], "{powertrain}");
    }
}

#[test]
fn a_powertrain_needs_pedals_and_differentials() {
    let raw = r#"<controller class="raw"/>"#;
    assert_eq!(
        problems_of("", "<powertrain/>", raw),
        ["bad.xml:5:1: the controller has no pedals, which a <powertrain> needs\n  accepted: \
          <controller class=\"speed_pedals\">, <controller class=\"pedals\">"]
    );
    let text = "<mvsim_world><vehicle><init_pose>0 0 0</init_pose><dynamics class=\"ackermann\"><powertrain/>\
                <controller class=\"pedals\"/></dynamics></vehicle></mvsim_world>";
    let actual = problems(text);
    assert!(
        actual.iter().any(|problem| problem.contains(
            "<powertrain> in <dynamics class=\"ackermann\">\n  accepted: <dynamics class=\"ackermann_drivetrain\">"
        )),
        "{actual:?}"
    );
}

#[test]
fn a_differential_has_one_of_four_types() {
    assert_eq!(
        problems_of(r#"<drivetrain type="open_4wd"><rear type="loked"/></drivetrain>"#, "", ""),
        [
            "bad.xml:3:41: bad value \"loked\" for attribute \"type\" in <rear>\n  accepted: open, torsen, locked, viscous\n  \
          hint: did you mean \"locked\"?"
        ]
    );
}
