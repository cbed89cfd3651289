//! `skidpad plot` from outside: files, their contents, and errors of wrong names.

use crate::support::{CAR, IDEAL, Lab};

#[test]
fn a_plot_is_svg_png_or_csv_by_the_name_of_its_file() {
    let lab = Lab::with_world(CAR);
    for (out, starts) in [("a.svg", &b"<svg"[..]), ("a.png", b"\x89PNG"), ("a.csv", b"panel,series,")] {
        let done = lab.run(&format!("plot tyre default ellipse w.xml --out {out} --size 900x400"));
        assert_eq!((done.status, done.stdout.as_str()), (Some(0), ""), "{}", done.stderr);
        let bytes = std::fs::read(lab.path().join(out)).unwrap();
        assert!(bytes.starts_with(starts), "{out}");
    }
    let svg = lab.read("a.svg");
    for word in ["width=\"900\" height=\"400\"", "slip angle [°]", "slip ratio [-]", "ellipse", "car"] {
        assert!(svg.contains(word), "{word}");
    }
    // The default tyre slides with 0.8 times its load of 4 kN.
    let rows = lab.read("a.csv");
    assert!(rows.contains("Pure lateral slip,\"default, load 4000.0 N\",slip angle [°],lateral force"), "{rows}");
}

#[test]
fn unknown_subjects_are_reported_together_with_the_known_ones() {
    let lab = Lab::with_world(IDEAL);
    for (arguments, expected) in [
        ("tyre elipse --out a.svg", "elipse: no friction law, parameter set or world has this name\n  accepted: "),
        ("tyre ellipse --out a.eps", "a.eps: unknown ending \".eps\"\n  accepted: .svg, .pdf, .png, .csv\n"),
        ("tyre ellipse --out no/a.svg", "no/a.svg: cannot be written: "),
        ("tyre w.xml --vehicle r2 --out a.svg", "r2: no vehicle of w.xml has this name\n  accepted: r1\n"),
        ("model nope --out a.svg", "nope: no parameter set or world has this name\n  accepted: autoware, av21, "),
        (
            "torque nope --out a.svg",
            "nope: no engine preset, parameter set or world has this name\n  accepted: autoware, av21, ",
        ),
    ] {
        let done = lab.run(&format!("plot {arguments}"));
        assert_eq!((done.status, done.stdout.as_str()), (Some(1), ""), "{arguments}");
        assert!(done.errors().starts_with(expected), "{arguments}: {}", done.errors());
    }
    for (arguments, expected) in [
        (
            "tyre ellipse --vehicle r2 --out a.svg",
            "r2: no vehicle of ellipse has this name\n  hint: --vehicle picks one of a world\n",
        ),
        ("model no/w.xml --out a.svg", "no/w.xml: no such file\n"),
        (
            "model set.vehicle.xml --vehicle nope --out a.svg",
            "nope: no vehicle of set.vehicle.xml has this name\n  accepted: one, two\n",
        ),
    ] {
        std::fs::write(
            lab.path().join("set.vehicle.xml"),
            ["one", "two"]
                .map(|name| format!("<vehicle:class name=\"{name}\"><dynamics class=\"unicycle\"/></vehicle:class>"))
                .concat(),
        )
        .unwrap();
        let done = lab.run(&format!("plot {arguments}"));
        assert_eq!((done.status, done.errors().as_str()), (Some(1), expected), "{arguments}");
    }
    assert_eq!(lab.run("plot model set.vehicle.xml --vehicle two --out two.csv").status, Some(0));
    let rows = lab.read("two.csv");
    assert!(rows.contains("Path after it,two,") && !rows.contains(",one,"), "only the one that was asked for");
    assert!(lab.run("plot tyre elipse --out a.svg").stderr.ends_with("  hint: did you mean \"ellipse\"?\n"));
    for usage in ["plot", "plot tyre default", "plot tyre --out a.svg", "plot tyre default --out a.svg --size 10"] {
        assert_eq!(lab.run(usage).status, Some(2), "{usage}");
    }
    assert!(!lab.path().join("a.svg").exists());
}

#[test]
fn models_and_powertrains_are_plotted_from_sets_and_worlds() {
    let lab = Lab::with_world(&CAR.replace("front_steer_pid", "twist_ideal"));
    for (arguments, words) in [
        ("model w.xml --out m.csv", &["Yaw-rate gain r/δ,car,", "Step steer,car,", "Path after the step,car,"][..]),
        ("torque gasoline electric --out t.csv", &["\"gasoline, gear 5\"", "\"electric, resistance at 10 %\""]),
    ] {
        let done = lab.run(&format!("plot {arguments}"));
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        let text = lab.read(arguments.rsplit(' ').next().unwrap());
        for word in words {
            assert!(text.contains(word), "{arguments}: {word}");
        }
    }
    let done = lab.run("plot torque w.xml --out t.svg");
    let (status, last) = (done.status, done.stderr.lines().rev().take(2).collect::<Vec<_>>());
    assert_eq!(
        (status, last),
        (
            Some(1),
            vec!["  accepted: gasoline, diesel, electric, vehicles with <powertrain>", "error: car: has no powertrain"]
        )
    );
}

#[test]
fn trajectories_are_plotted_by_name_and_from_waypoints() {
    let lab = Lab::new();
    lab.write("route.csv", "x,y\n0,0\n2,0\n3,2\n");
    lab.write("bad.csv", "time,x,y\n0,0,0\n0,1,1\n2,3\n");
    let done = lab.run("plot trajectory circle route.csv --set R=1.5 --set speed=0.5 --duration 4 --out a.csv");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    let rows = lab.read("a.csv");
    let speeds = |name: &str| {
        let row = format!("Speed,{name},time [s],speed [m/s],");
        rows.lines()
            .filter_map(|line| line.strip_prefix(&row)?.split_once(',')?.1.parse::<f64>().ok())
            .collect::<Vec<_>>()
    };
    for (name, speed) in [("circle", 0.6), ("route.csv", 0.5)] {
        let speeds = speeds(name);
        assert!(speeds.len() > 1000 && speeds.iter().all(|shown| (shown - speed).abs() < 1e-9), "{name}: {rows}");
    }
    // A racing line has its own speeds.
    let rows: String = (0..24)
        .map(|k| {
            let (angle, speed) = (f64::from(k) * std::f64::consts::TAU / 24.0, 2.0 + f64::from(k % 12) / 12.0);
            format!("{};{};{};{angle};0.5;{speed};0\n", 2.0 * angle, 2.0 * angle.sin(), 2.0 - 2.0 * angle.cos())
        })
        .collect();
    lab.write("line.csv", &format!("# 1\n# 2\n# s_m; x_m; y_m; psi_rad; kappa_radpm; vx_mps; ax_mps2\n{rows}"));
    let done = lab.run("plot trajectory line.csv --set speed=3 --set closed=true --duration 9 --out b.csv");
    let expected = "warning: line.csv: its column vx_mps gives the speed, and the parameter speed, 3, is not used\n";
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), expected));
    let rows = lab.read("b.csv");
    let actual: Vec<f64> = rows
        .lines()
        .filter_map(|line| line.strip_prefix("Speed,line.csv,time [s],speed [m/s],")?.split_once(',')?.1.parse().ok())
        .collect();
    let (least, most) = (actual.iter().copied().fold(9.0, f64::min), actual.iter().copied().fold(0.0, f64::max));
    assert!((2.0..2.01).contains(&least) && (2.9..2.917).contains(&most), "{least} {most}");
    assert!(!rows.contains("border"), "{rows}");
    // The borders of a track are drawn where its widths are known.
    lab.write("track.csv", "# x_m,y_m,w_tr_right_m,w_tr_left_m\n0,0,1,2\n5,0,1,2\n5,5,1,2\n0,5,1,2\n");
    let done = lab.run("plot trajectory track.csv --set closed=true --set y0=10 --out d.csv");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    for (side, x, y) in [("right", -1.0, -1.0), ("left", 2.0, 2.0)] {
        let rows = lab.read("d.csv");
        let row = format!("Path,\"track.csv, {side} border\",x [m],y [m],");
        let first = rows.lines().find_map(|line| line.strip_prefix(&row)?.split_once(',')).expect(&rows);
        let [found_x, found_y] = [first.0, first.1].map(|number| number.parse::<f64>().unwrap());
        // Across the middle of the corner, which turns by a right angle.
        let share = 0.5_f64.sqrt();
        assert!((found_x - share * x).abs() < 1e-9 && (found_y - 10.0 - share * y).abs() < 1e-9, "{rows}");
    }
    let done = lab.run("plot trajectory line.csv --out c.csv");
    assert!(done.stderr.ends_with("the path stops there\n  hint: closed=true repeats the lap\n"), "{}", done.stderr);
    for (arguments, expected) in [
        ("circle --set R=-1", "circle: R: found -1\n  accepted: a number > 0 [m]\n"),
        ("circle --set R", "--set R: has no value\n  accepted: NAME=VALUE, such as R=1.5\n"),
        (
            "bad.csv",
            "bad.csv:3: time 0 does not come after 0\n  accepted: times that rise from row to row [s]\n\
             bad.csv:4: 2 columns\n  accepted: time,x,y\n",
        ),
    ] {
        let done = lab.run(&format!("plot trajectory {arguments} --out a.svg"));
        assert_eq!((done.status, done.errors().as_str()), (Some(1), expected), "{arguments}");
    }
}

/// A class on rigid axles, and one on springs, for manoeuvres.
const CARS: &str = r#"
<vehicle:class name="rigid"><dynamics class="ackermann">
  <rl_wheel pos="0 0.1" diameter="0.1" mass="0.2"/> <rr_wheel pos="0 -0.1" diameter="0.1" mass="0.2"/>
  <fl_wheel diameter="0.1" mass="0.2"/> <fr_wheel diameter="0.1" mass="0.2"/>
  <f_wheels_x>0.3</f_wheels_x> <f_wheels_d>0.2</f_wheels_d> <chassis mass="3" com="0.15 0" com_height="0.07"/>
  <controller class="twist_ideal"/> </dynamics></vehicle:class>
<vehicle:class name="sprung"><dynamics class="ackermann">
  <rl_wheel pos="0 0.1" diameter="0.1" mass="0.2"/> <rr_wheel pos="0 -0.1" diameter="0.1" mass="0.2"/>
  <fl_wheel diameter="0.1" mass="0.2"/> <fr_wheel diameter="0.1" mass="0.2"/>
  <f_wheels_x>0.3</f_wheels_x> <f_wheels_d>0.2</f_wheels_d> <chassis mass="3" com="0.15 0" com_height="0.07"/>
  <suspension> <axle> <ride_frequency>4</ride_frequency> <damping_ratio>0.4</damping_ratio> </axle> </suspension>
  <controller class="twist_ideal"/> </dynamics></vehicle:class>"#;

#[test]
fn a_manoeuvre_is_drawn_and_has_its_numbers() {
    let lab = Lab::with_world(CAR);
    lab.write("cars.vehicle.xml", CARS);
    let done = lab.run("plot manoeuvre kerb cars.vehicle.xml --out a.csv");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""), "{}", done.stdout);
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines[0].split_whitespace().collect::<Vec<_>>(), ["rigid", "sprung"], "{}", done.stdout);
    let row = |title: &str| -> Vec<f64> {
        let line = lines.iter().find_map(|line| line.strip_prefix(title)).unwrap_or_else(|| panic!("{}", done.stdout));
        line.split_whitespace().map(|number| number.parse().unwrap()).collect()
    };
    let upwards = row("largest acceleration upwards [m/s²]");
    assert!(upwards[0] > 3.0 * upwards[1] && upwards[1] > 1.0, "{upwards:?}");
    let rows = lab.read("a.csv");
    let last = |name: &str| -> f64 {
        let row = format!("Height of the body,{name},time [s],height [m],");
        let mut rows = rows.lines().filter_map(|line| line.strip_prefix(&row)?.split_once(',')?.1.parse().ok());
        rows.next_back().unwrap()
    };
    // 8 cm for a car, at the scale of these; the sprung one still swings.
    let kerb = 0.08 * 0.3 / 2.6;
    assert!((last("rigid") - kerb).abs() < 1e-6 && (last("sprung") / kerb - 1.0).abs() < 0.3, "{}", last("sprung"));

    let done = lab.run("plot manoeuvre frequency_response cars.vehicle.xml --vehicle rigid --out a.svg --json");
    let document: serde_json::Value = serde_json::from_str(&done.stdout).unwrap();
    assert_eq!((&document["command"], &document["status"]), (&"plot".into(), &0.into()));
    let [vehicle] = &document["result"]["vehicles"].as_array().unwrap()[..] else { panic!("{document}") };
    let number = |key: &str| {
        let number = vehicle["numbers"].as_array().unwrap().iter().find(|number| number["key"] == key).unwrap();
        number["value"].as_f64().unwrap()
    };
    // v/L without slip.
    assert!((number("steady_gain_per_s") - number("speed_mps") / 0.3).abs() < 0.1, "{document}");
    assert_eq!(document["result"]["manoeuvre"], "frequency_response");
}

#[test]
fn a_manoeuvre_says_what_it_cannot_drive() {
    let lab = Lab::with_world(CAR);
    for (arguments, status, expected) in [
        (
            "bump w.xml --out a.svg",
            1,
            "w.xml: has a ground of its own, but the manoeuvre brings one\n  accepted: parameter sets and vehicle files\n",
        ),
        (
            "kerb turtlebot3_burger --out a.svg",
            1,
            "turtlebot3_burger: is not steered\n  accepted: vehicles that take velocity or Ackermann commands\n",
        ),
        ("kerbs w.xml --out a.svg", 2, "kerbs: no such value\n  accepted: sine_with_dwell, double_lane_change, "),
    ] {
        let done = lab.run(&format!("plot manoeuvre {arguments}"));
        assert_eq!((done.status, done.stdout.as_str()), (Some(status), ""), "{arguments}");
        assert!(done.errors().starts_with(expected), "{arguments}: {}", done.errors());
    }
}
