//! `skidpad check` explains a world: what is in it, and everything that is wrong with one in a single run.

use crate::support::{Lab, Table};

/// A mistake of each kind that people make, and one of them in an included file.
const TEN_MISTAKES: &str = r##"<mvsim_world version="1.0">
  <simul_timestep>fast</simul_timestep>
  <include file="robot.vehicle.xml" color="#00ff00"/>
  <include file="nowhere.xml"/>
  <vehicle name="r1" class="robot"><init_pose>0 0</init_pose></vehicle>
  <vehicle name="r1" class="robot"><init_pose>$f{2*} 0 0</init_pose></vehicle>
  <vehicle name="r2" class="robo"><init_pose>1 0 0</init_pose></vehicle>
  <block><init_pose>${X} 0 0</init_pose></block>
  <element class="horizontal_plan"/>
  <element class="occupancy_grid"><file>lost.png</file></element>
  <joint type="rope" body_a="r1" body_b="r9" anchor_a="0 0" anchor_b="0 0"/>
  <blok/>
</mvsim_world>
"##;

const ROBOT: &str = r#"<vehicle:class name="robot">
  <dynamics class="differential">
    <chassis mass="heavy"/>
    <controller class="twist_ideal"/>
  </dynamics>
  <visual><model_uri>robot.dae</model_uri></visual>
</vehicle:class>
"#;

const ALL_WARNINGS: &str = r#"warning: robot.vehicle.xml:6:22: no file "robot.dae" for <model_uri> in <visual>
  included from w.xml:3:3
warning: w.xml:12:3: unknown tag "blok" in <mvsim_world>
  accepted: vehicle, vehicle:class, block, block:class, actor, actor:class, element, walls, joint, marker, gui, lights, georeference, include, variable, for, if, simul_timestep, gravity, collision_threshold, random_seed, physics
  hint: did you mean "block"?
w.xml:2:19: bad value "fast" for <simul_timestep>
  accepted: a finite number from 0 to 0.1
w.xml:4:18: "nowhere.xml" cannot be read: no such file
w.xml:5:47: bad value "0 0" for <init_pose> in <vehicle class="robot">
  accepted: 3 finite numbers, separated by blanks
robot.vehicle.xml:3:20: bad value "heavy" for attribute "mass" in <chassis>
  included from w.xml:3:3
  accepted: a finite number > 0
w.xml:6:3: a second vehicle called "r1"
  hint: names must be unique
w.xml:6:47: bad expression "2*": a value expected, the end found
w.xml:7:3: unknown vehicle class "robo"
  accepted: robot
  hint: did you mean "robot"?
w.xml:8:21: variable "X" is not defined
  hint: <variable name="X" value="…"/> before it defines it
w.xml:9:3: unknown class "horizontal_plan" in <element>
  accepted: occupancy_grid, ground_grid, horizontal_plane, vertical_plane, elevation_map, pointcloud, property_region, skybox
  hint: did you mean "horizontal_plane"?
w.xml:10:35: ./lost.png: cannot be read: No such file or directory (os error 2)
w.xml:11:42: no body called "r9" before this <joint>
  accepted: r1, r1_2, block000
"#;

#[test]
fn all_mistakes_of_a_world_are_reported_in_one_run_with_line_and_column() {
    let lab = Lab::new();
    lab.write("w.xml", TEN_MISTAKES);
    lab.write("robot.vehicle.xml", ROBOT);
    let done = lab.run("check w.xml");
    assert_eq!((done.status, done.stdout.as_str()), (Some(1), ""));
    assert_eq!(done.errors(), ALL_WARNINGS);
}

/// Channels of clips that move what the format does not know, that move nothing, and a node that is not there.
#[test]
fn a_mesh_with_a_wrong_clip_is_there_without_the_clip() {
    for target in [r#""path":"translationx","node":0"#, r#""path":"pointer""#, r#""path":"translation","node":9"#] {
        let lab = Lab::new();
        let mesh = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
            "animations":[{"samplers":[{"input":1,"output":0}],"channels":[{"sampler":0,"target":{TARGET}}]}],
            "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":0,"componentType":5126,"count":1,"type":"SCALAR"}],
            "bufferViews":[{"buffer":0,"byteLength":36}],
            "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]}"#;
        lab.write("m.gltf", &mesh.replace("TARGET", target));
        lab.write(
            "w.xml",
            "<mvsim_world><block name='b'><static>true</static><init_pose>0 0 0</init_pose><visual><model_uri>m.gltf</model_uri></visual></block></mvsim_world>",
        );
        let done = lab.run("check w.xml");
        assert_eq!(done.status, Some(0), "{target}: {}", done.errors());
        assert!(!done.errors().contains("cannot be read"), "{target}: {}", done.errors());
    }
}

#[test]
fn a_scenario_in_place_of_a_world_is_called_one() {
    let lab = Lab::new();
    lab.write("door.yaml", "world: empty\nexpect:\n  image: {at_most: 0}\n");
    assert_eq!(
        lab.run("check door.yaml").errors(),
        "door.yaml: is a scenario or an experiment, not a world\n  \
         accepted: a world file, or a map of map_server\n  \
         hint: run it with skidpad test or skidpad experiment\n"
    );
}

/// A class with a mistake in its `<dynamics>`, beside tags that are read with it.
const BROKEN_CLASS: &str = r#"<mvsim_world version="1.0">
  <vehicle:class name="robot">
    <dynamics class="differential"><controller class="twist_idea"/></dynamics>
    <sensor class="laser" name="scan"/>
    <odometry source="truth"/>
  </vehicle:class>
  <vehicle name="r1" class="robot"><init_pose>0 0 0</init_pose></vehicle>
  <vehicle name="r2" class="robot"><init_pose>0 3 0</init_pose></vehicle>
  <joint type="rope" body_a="r1" body_b="r2" anchor_a="0 0" anchor_b="0 0"/>
</mvsim_world>
"#;

#[test]
fn one_mistake_has_one_message() {
    let lab = Lab::with_world(BROKEN_CLASS);
    assert_eq!(
        lab.run("check w.xml").errors(),
        "w.xml:3:36: unknown class \"twist_idea\" in <controller> of <dynamics class=\"differential\">\n  \
         accepted: raw, twist_ideal, twist_pid, twist_servo\n  hint: did you mean \"twist_ideal\"?\n"
    );
    lab.write("w.xml", &BROKEN_CLASS.replace("<dynamics class=\"differential\">", "<dynamics class=\"differentia\">"));
    let done = lab.run("check w.xml");
    assert_eq!(done.stderr.lines().filter(|line| line.contains("w.xml:")).count(), 1, "{}", done.stderr);
}

/// Numbers that are possible but implausible, and two robots in one place.
const HARDLY_MEANT: &str = r#"<mvsim_world version="1.0">
  <vehicle name="r1">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential">
      <l_wheel pos="0 0.3" diameter="2.5"/> <r_wheel pos="0 -0.3" radius="0.1"/>
      <chassis zmin="0.6" zmax="0.05" com="250 0" com_height="300">
        <shape><pt>-0.5 -0.5</pt><pt>-0.5 0.5</pt><pt>0.5 0.5</pt><pt>0.5 -0.5</pt></shape>
      </chassis>
    </dynamics>
  </vehicle>
  <vehicle name="r2">
    <init_pose>9 0 0</init_pose>
    <dynamics class="ackermann">
      <rl_wheel/> <rr_wheel/> <fl_wheel/> <fr_wheel/> <max_steer_ang_deg>0.61</max_steer_ang_deg>
    </dynamics>
  </vehicle>
  <block name="crate"><init_pose>9.5 0.5 0</init_pose><zmin>2</zmin><zmax>0.5</zmax></block>
  <block name="stone"><init_pose>9 0.4 0</init_pose></block>
  <for var="i" from="0" to="2">
    <vehicle><init_pose>0 -9 0</init_pose><dynamics class="differential"/></vehicle>
  </for>
</mvsim_world>
"#;

const DOUBTED: &str = r#"w.xml:5:67: unknown attribute "radius" in <r_wheel>
  accepted: pos, mass, diameter, width, inertia, camber_deg, color
  hint: a wheel has a diameter, twice its radius
w.xml:6:22: zmin = 0.6 m is above zmax = 0.05 m in <chassis>
w.xml:6:44: the centre of mass is 249.5 m outside a vehicle that is 1.000 m long
  hint: com is in metres, in the vehicle's frame
w.xml:6:63: the centre of mass is 300 m high in a vehicle that is 0.05 m high
  hint: com_height is in metres
w.xml:5:38: a wheel of 2.5 m on a vehicle that is 1.000 m long
  hint: diameters are in metres
w.xml:14:74: the steering is limited to 0.6100°
  hint: <max_steer_ang_deg> is in degrees: 0.6100 rad are 34.95°
w.xml:17:61: zmin = 2 m is above zmax = 0.5 m in <block name="crate">
w.xml:12:16: "r2" starts inside "stone"
w.xml:20:25: "veh2" starts inside "veh1", and 1 more vehicle at this pose inside others
"#;

#[test]
fn numbers_that_are_hardly_meant_are_warnings_and_errors_when_strict() {
    let lab = Lab::with_world(HARDLY_MEANT);
    let strict = lab.run("check --strict w.xml");
    assert_eq!((strict.status, strict.errors().as_str()), (Some(1), DOUBTED));
    assert_eq!(lab.run("check w.xml").status, Some(0));
}

/// A hill of 12 to 15 m, a block that keeps its height below it, and sensors inside of a block whose mesh is missing, of a map, and below the level ground.
const BELOW: [(&str, &str); 4] = [
    (
        r#"<mvsim_world version="1.0">
  <element class="elevation_map"><elevation_data_matrix>[12 12 12; 12 15 12; 12 12 12]</elevation_data_matrix><resolution>10</resolution></element>
  <vehicle name="on"><init_pose>3 0 0</init_pose><dynamics class="differential"/></vehicle>
  <block name="under"><init_pose3d>0 3 0 0 0 0</init_pose3d><skip_elevation_adjust/></block>
</mvsim_world>
"#,
        "w.xml: \"under\" is 13.10 m below the elevation map\n",
    ),
    (
        r#"<mvsim_world version="1.0">
  <block name="hall"><init_pose>0 0 0</init_pose><shape><pt>-9 -9</pt><pt>-9 9</pt><pt>9 9</pt><pt>9 -9</pt></shape><zmin>0</zmin><zmax>3</zmax><intangible>true</intangible></block>
  <vehicle name="r">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential"/>
    <sensor class="lidar3d" name="velodyne"><pose_3d>0 0 1 0 0 0</pose_3d></sensor>
    <sensor class="laser" name="scan"/>
  </vehicle>
</mvsim_world>
"#,
        "w.xml:4:16: sensor \"velodyne\" of \"r\" starts inside \"hall\"\n\
         w.xml: sensor \"velodyne\" of \"r\" will see no ground: the default ground at 0 has no shape\n  \
         hint: add <element class=\"horizontal_plane\"/>\n",
    ),
    (
        r#"<mvsim_world version="1.0">
  <element class="horizontal_plane"/>
  <vehicle name="r">
    <init_pose>0 0 0</init_pose>
    <dynamics class="differential"/>
    <sensor class="lidar3d" name="velodyne"><pose_3d>0 0 1 0 0 0</pose_3d></sensor>
  </vehicle>
</mvsim_world>
"#,
        "",
    ),
    (
        r#"<mvsim_world version="1.0">
  <element class="horizontal_plane"><init_pose3d>0 0 0 0 -10 0</init_pose3d></element>
  <vehicle name="r">
    <init_pose3d>5 0 0 0 0 0</init_pose3d>
    <dynamics class="differential"/>
  </vehicle>
  <vehicle name="on"><init_pose>5 3 0</init_pose><dynamics class="differential"/></vehicle>
</mvsim_world>
"#,
        "w.xml:4:18: \"r\" starts 0.88 m below a tilted plane\n  \
         hint: <init_pose> with x, y and yaw sets it on the ground\n",
    ),
];

/// A car with a stiff PID on tyres that damp its wheels the less the faster it rolls.
const STIFF: &str = r#"<mvsim_world><simul_timestep>0.01</simul_timestep><vehicle name="car"><init_pose>0 0 0</init_pose>
  <dynamics class="ackermann_drivetrain">
    <rl_wheel pos="0 0.75" mass="20" diameter="0.62"/><rr_wheel pos="0 -0.75" mass="20" diameter="0.62"/>
    <fl_wheel mass="20" diameter="0.62"/><fr_wheel mass="20" diameter="0.62"/><f_wheels_x>2.6</f_wheels_x><f_wheels_d>1.5</f_wheels_d>
    <chassis mass="1320" com="1.25 0" inertia="1900" linear_damping="0" angular_damping="0"><shape><pt>-0.9 -0.8</pt><pt>-0.9 0.8</pt><pt>3.5 0.8</pt><pt>3.5 -0.8</pt></shape></chassis>
    <drivetrain type="open_rear"/>
    <controller class="front_steer_pid"><KP>3000</KP><KI>3000</KI><max_torque>3000</max_torque></controller>
  </dynamics>
  <friction class="linear"><mu>5</mu><C_damping>0</C_damping><stiffness>absolute</stiffness><C_alpha>40000</C_alpha><C_s>60000</C_s></friction>
</vehicle></mvsim_world>"#;

#[test]
fn a_step_is_tried_at_the_speed_that_a_run_commands() {
    let lab = Lab::with_world(STIFF);
    assert_eq!(lab.run("check --strict w.xml").status, Some(0));
    for (speed, is_reported) in [(1, false), (30, true)] {
        lab.write("c.csv", &format!("time,vehicle,speed,steering_angle\n0,car,{speed},0\n"));
        let done = lab.run("run w.xml --headless --rate max --duration 0.1 --commands c.csv");
        let reported = "w.xml:2:3: a step of 0.01 s is too large for \"car\": in a trial run at 30 m/s its yaw rate is";
        assert_eq!((done.status, done.stderr.contains(reported)), (Some(0), is_reported), "{speed}: {}", done.stderr);
    }
}

#[test]
fn what_starts_below_the_ground_or_inside_of_a_solid_is_named() {
    for (world, expected) in BELOW {
        let lab = Lab::with_world(world);
        let strict = lab.run("check --strict w.xml");
        assert_eq!(
            (strict.status, strict.errors().as_str()),
            (Some(i32::from(!expected.is_empty())), expected),
            "{world}"
        );
    }
}

const CHOICE: &str = r#"<mvsim_world version="1.0">
  <variable name="plant" value="slow"/>
  <variable name="size" value="1"/>
  <include file="robot.vehicle.xml"/>
  <vehicle name="r1" class="robot_${plant}"><init_pose>$f{2*SIZE} 0 0</init_pose></vehicle>
</mvsim_world>
"#;

const CHOSEN: &str = r#"<vehicle:class name="robot_slow"><dynamics class="differential"/></vehicle:class>
<vehicle:class name="robot_fast"><dynamics class="ackermann"><chassis mass="${mass|100}"/></dynamics></vehicle:class>
"#;

#[test]
fn variables_of_a_world_are_set_on_the_command_line() {
    let lab = Lab::new();
    lab.write("w.xml", CHOICE);
    lab.write("robot.vehicle.xml", CHOSEN);
    assert!(lab.run("check w.xml").stdout.contains("r1 (robot_slow): differential"));
    let done = lab.run("check w.xml --set plant=fast --set mass=60 --set size=7");
    assert!(done.stdout.contains("r1 (robot_fast): ackermann, 68.0 kg"), "{done:?}");
    assert_eq!(
        lab.run("check w.xml --set plamt=fast").errors(),
        "variable \"plamt\": this world has no such variable\n  accepted: mass, plant, size\n  hint: did you mean \"plant\"?\n"
    );
    assert_eq!(
        lab.run("check w.xml --set plant=fasd").errors(),
        "w.xml:5:3: unknown vehicle class \"robot_fasd\"\n  accepted: robot_fast, robot_slow\n  hint: did you mean \"robot_fast\"?\n"
    );
    lab.write(
        "plain.xml",
        "<mvsim_world><vehicle><init_pose>0 0 0</init_pose><dynamics class=\"differential\"/></vehicle></mvsim_world>",
    );
    assert_eq!(
        lab.run("run plain.xml --set a=1").errors(),
        "variable \"a\": this world has no such variable\n  hint: a world declares its variables with <variable name=\"…\" value=\"…\"/>\n"
    );
    for bad in ["plant", "=1", "a-b=1"] {
        let done = lab.run(&format!("check w.xml --set {bad}"));
        assert_eq!(done.status, Some(2));
        let text = "not a variable\n  accepted: NAME=VALUE, with letters, digits and _ in the name\n";
        assert!(done.stderr.contains(text), "{}", done.stderr);
    }
}

/// Things of every kind, some without a name and some with one that is taken.
const ALL_ELEMENTS: &str = r#"<mvsim_world version="1.0">
  <georeference><latitude>36.9</latitude><longitude>-2.3</longitude></georeference>
  <element class="horizontal_plane"><z>-1</z></element>
  <element class="elevation_map"><elevation_data_matrix>[0 0; 1 1]</elevation_data_matrix></element>
  <element class="vertical_plane"><door position="0.5"/></element>
  <element class="property_region"><property_name>friction_mu</property_name><value_double>0.1</value_double></element>
  <vehicle><init_pose>0 0 0</init_pose><dynamics class="differential"/></vehicle>
  <vehicle><init_pose>0 4 0</init_pose><dynamics class="differential"/></vehicle>
  <block name="crate"><init_pose>3 0 0</init_pose></block>
  <block name="crate"><init_pose>6 0 0</init_pose></block>
  <block><init_pose>9 0 0</init_pose><static>true</static></block>
  <joint type="rope" body_a="crate" body_b="crate_2" anchor_a="0 0" anchor_b="0 0"/>
  <actor name="ann"><init_pose>0 -5 0</init_pose><path><waypoint>4 -5 0</waypoint></path></actor>
</mvsim_world>
"#;

#[test]
fn everything_in_a_world_is_listed_under_a_name_of_its_own() {
    let lab = Lab::new();
    lab.write("w.xml", ALL_ELEMENTS);
    let done = lab.run("check w.xml");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    assert_eq!(done.stdout, LISTED);
    assert_eq!(lab.run("check w.xml").stdout, LISTED, "the same at every load");
}

const LISTED: &str = "w.xml: loads
step 5 ms, seed 0
place: 36.9000000°, -2.3000000°, 0.00 m; UTM zone 30N 562365.15 4084007.89; x points 0° north of east
2 vehicles
  veh1: differential, 19.0 kg, 2 wheels, takes no commands
    starts at 36.9000000°, -2.3000000°, 0.50 m
  veh2: differential, 19.0 kg, 2 wheels, takes no commands
    starts at 36.9000360°, -2.3000000°, -1.00 m
3 blocks, 1 static
  movable: crate, crate_2
  static: block000
no maps
1 horizontal plane
  horizontal_plane_1: 20 x 20 m, at z = -1 m
1 elevation map
  elevation_map_1: 2 x 2 points, 1 m apart, 0.00 to 1.00 m high
1 vertical plane
  vertical_plane_1: 20.00 m long, 0 to 3 m high, 0.02 m thick, 1 door
1 region
  region1: friction_mu = 0.1 for x -1 to 1, y -1 to 1 m
1 joint
  joint1: crate and crate_2, rope, 0 to 5 m
1 actor
  ann: 1 waypoint, over and over
";

/// A room of 4 x 4 cells of 1 m, of which the middle is free; `x` and `y` of its corner are -1 m and -2 m.
const MAP: &str = "image: room.pgm\nresolution: 1.0\norigin: [-1.0, -2.0, 0.0]\nnegate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.25\n";
const ROOM: &str = "P2\n4 4\n255\n0 0 0 0\n0 254 254 0\n0 254 254 0\n0 0 0 0\n";

#[test]
fn a_map_is_a_world_with_a_robot_in_it() {
    let lab = Lab::new();
    lab.write("own.yaml", MAP);
    lab.write("room.pgm", ROOM);
    let done = lab.run("check --strict own.yaml");
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
    for expected in ["robot (nav2_waffle): differential", "scan: planar lidar, 360 beams", "4 x 4 cells of 1 m"] {
        assert!(done.stdout.contains(expected), "{}", done.stdout);
    }
    let end_of = |arguments: &str| {
        let done = lab.run(&format!("run own.yaml --headless --duration 0.01 --rate max --csv logs {arguments}"));
        assert_eq!(done.status, Some(0), "{}", done.stderr);
        let table = Table::parse(&lab.read("logs/session_001/robot_pose.csv"));
        std::fs::remove_dir_all(lab.path().join("logs")).unwrap();
        ["q0x", "q1y", "q3yaw"].map(|name| table.column(name).last().copied().unwrap())
    };
    // No place is free for a metre around: the free cell at the origin of the map's frame.
    let near = |actual: [f64; 3], expected: [f64; 3]| actual.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3);
    let actual = end_of("");
    assert!(near(actual, [0.5, 0.5, 0.0]), "{actual:?}");
    let actual = end_of("--set vehicle=turtlebot3_burger --set x=1.2 --set y=0.3 --set yaw=1.5");
    assert!(near(actual, [1.2, 0.3, 1.5]), "{actual:?}");
    // What it names is looked for beside it, and what is no map says so.
    lab.write("lost.yaml", &MAP.replace("room.pgm", "gone.pgm"));
    lab.write("config.yaml", "rate: 1\n");
    for (file, expected) in [("lost.yaml", "gone.pgm"), ("config.yaml", "missing field `image`")] {
        let done = lab.run(&format!("check {file}"));
        assert!(done.status == Some(1) && done.stderr.contains(expected), "{}", done.stderr);
    }
}
