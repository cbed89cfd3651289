//! Errors in world files, with their exact messages. `bad.xml:` is left out before each place.

/// Text, and the whole report.
type Row = (&'static str, &'static str);

/// Line 5 of a world, inside `<dynamics class="differential">` on line 4.
pub const IN_DIFFERENTIAL: &[Row] = &[
    (
        r#"<l_wheel pos="0 0.5" mass="-1"/>"#,
        r#"5:28: bad value "-1" for attribute "mass" in <l_wheel>
  accepted: a finite number > 0"#,
    ),
    (
        r#"<l_wheel pos="0 0.5" mass="0"/>"#,
        r#"5:28: bad value "0" for attribute "mass" in <l_wheel>
  accepted: a finite number > 0"#,
    ),
    (
        r#"<l_wheel pos="0 0.5" diameter="0"/>"#,
        r#"5:32: bad value "0" for attribute "diameter" in <l_wheel>
  accepted: a finite number > 0"#,
    ),
    (
        r#"<l_wheel pos="0 0.5" width="-0.1"/>"#,
        r#"5:29: bad value "-0.1" for attribute "width" in <l_wheel>
  accepted: a finite number > 0"#,
    ),
    (
        r#"<l_wheel pos="0 0.5" inertia="0"/>"#,
        r#"5:31: bad value "0" for attribute "inertia" in <l_wheel>
  accepted: a finite number > 0"#,
    ),
    (
        r#"<l_wheel pos="0"/>"#,
        r#"5:15: bad value "0" for attribute "pos" in <l_wheel>
  accepted: 2 or 3 finite numbers, separated by blanks
4:1: the left wheel l_wheel at y = -0.5 is not left of r_wheel at y = -0.5
  accepted: a greater y for the left wheel"#,
    ),
    (
        r#"<l_wheel pos="0 0.5" color="red"/>"#,
        r#"5:29: bad value "red" for attribute "color" in <l_wheel>
  accepted: #RRGGBB, #RRGGBBAA"#,
    ),
    (
        r#"<l_wheel pos="0 -0.5"/><r_wheel pos="0 0.5"/>"#,
        "4:1: the left wheel l_wheel at y = -0.5 is not left of r_wheel at y = 0.5
  accepted: a greater y for the left wheel",
    ),
    (
        r#"<chassis mass="-15"/>"#,
        r#"5:16: bad value "-15" for attribute "mass" in <chassis>
  accepted: a finite number > 0"#,
    ),
    (
        r#"<chassis mass="0"/>"#,
        r#"5:16: bad value "0" for attribute "mass" in <chassis>
  accepted: a finite number > 0"#,
    ),
    (
        r#"<chassis com="1"/>"#,
        r#"5:15: bad value "1" for attribute "com" in <chassis>
  accepted: 2 finite numbers, separated by blanks"#,
    ),
    (
        r#"<chassis com_height="-1"/>"#,
        r#"5:22: bad value "-1" for attribute "com_height" in <chassis>
  accepted: a finite number >= 0"#,
    ),
    (
        r#"<chassis inertia="0"/>"#,
        r#"5:19: bad value "0" for attribute "inertia" in <chassis>
  accepted: a finite number > 0"#,
    ),
    (
        r#"<chassis linear_damping="-0.1"/>"#,
        r#"5:26: bad value "-0.1" for attribute "linear_damping" in <chassis>
  accepted: a finite number >= 0"#,
    ),
    (
        r#"<chassis zmin="low"/>"#,
        r#"5:16: bad value "low" for attribute "zmin" in <chassis>
  accepted: a finite number"#,
    ),
    (
        "<chassis><shape><pt>0 0</pt><pt>1 0</pt></shape></chassis>",
        "5:10: <shape> has 2 points
  accepted: 3 to 14 points",
    ),
    (
        "<chassis><shape><pt>0 0</pt><pt>1 0</pt><pt>2 0</pt></shape></chassis>",
        "5:10: the points of <shape> span no area
  accepted: a polygon of more than 1e-9 m²",
    ),
    (
        "<chassis><shape><pt>0 0</pt><pt>1</pt><pt>0 1</pt></shape></chassis>",
        r#"5:33: bad value "1" for <pt>
  accepted: 2 finite numbers, separated by blanks"#,
    ),
    (
        "<chassis><shape><pt>0 0</pt><pt>1 1</pt><pt>2 4</pt><pt>3 9</pt><pt>4 16</pt><pt>5 25</pt><pt>6 36</pt><pt>7 49</pt><pt>8 64</pt><pt>9 81</pt><pt>10 100</pt><pt>11 121</pt><pt>12 144</pt><pt>13 169</pt><pt>14 196</pt></shape></chassis>",
        "5:10: <shape> has 15 points
  accepted: 3 to 14 points",
    ),
    (
        "<weight>even</weight>",
        r#"5:9: bad value "even" for <weight> in <dynamics class="differential">
  accepted: static, uniform"#,
    ),
    ("<controller/>", "5:1: missing class in <controller>"),
    (
        r#"<controller class="twist"/>"#,
        r#"5:1: unknown class "twist" in <controller> of <dynamics class="differential">
  accepted: raw, twist_ideal, twist_pid, twist_servo"#,
    ),
    (
        r#"<controller class="front_steer_pid"/>"#,
        r#"5:1: unknown class "front_steer_pid" in <controller> of <dynamics class="differential">
  accepted: raw, twist_ideal, twist_pid, twist_servo"#,
    ),
    (
        r#"<controller class="twist_pid"><KP>much</KP></controller>"#,
        r#"5:35: bad value "much" for <KP> in <controller class="twist_pid">
  accepted: a finite number"#,
    ),
    (
        r#"<controller class="twist_pid"><N>-1</N></controller>"#,
        r#"5:34: bad value "-1" for <N> in <controller class="twist_pid">
  accepted: a finite number >= 0"#,
    ),
    (
        r#"<controller class="twist_pid"><enable_antiwindup>maybe</enable_antiwindup></controller>"#,
        r#"5:50: bad value "maybe" for <enable_antiwindup> in <controller class="twist_pid">
  accepted: true, false, 1, 0"#,
    ),
    (
        r#"<controller class="twist_pid"><reference_filter_tau>0</reference_filter_tau></controller>"#,
        r#"5:53: bad value "0" for <reference_filter_tau> in <controller class="twist_pid">
  accepted: a finite number > 0"#,
    ),
    (
        r#"<controller class="twist_pid"><reference_filter_order>3</reference_filter_order></controller>"#,
        r#"5:55: bad value "3" for <reference_filter_order> in <controller class="twist_pid">
  accepted: a whole number from 1 to 2"#,
    ),
    (
        r#"<controller class="twist_pid"><V>fast</V></controller>"#,
        r#"5:34: bad value "fast" for <V> in <controller class="twist_pid">
  accepted: a finite number"#,
    ),
];

/// Line 5, inside `<dynamics class="ackermann">` on line 4.
pub const IN_ACKERMANN: &[Row] = &[
    (
        r#"<controller class="twist_pid"/>"#,
        r#"5:1: unknown class "twist_pid" in <controller> of <dynamics class="ackermann">
  accepted: raw, twist_ideal, twist_front_steer_pid, front_steer_pid, speed_pedals, pedals"#,
    ),
    (
        r#"<controller class="front_steer"/>"#,
        r#"5:1: unknown class "front_steer" in <controller> of <dynamics class="ackermann">
  accepted: raw, twist_ideal, twist_front_steer_pid, front_steer_pid, speed_pedals, pedals"#,
    ),
    (
        r#"<controller class="front_steer_pid"><STEER_ANG>91</STEER_ANG></controller>"#,
        r#"5:48: bad value "91" for <STEER_ANG> in <controller class="front_steer_pid">
  accepted: a finite number from -90 to 90"#,
    ),
    (
        r#"<controller class="raw"><steer_ang_deg>-100</steer_ang_deg></controller>"#,
        r#"5:40: bad value "-100" for <steer_ang_deg> in <controller class="raw">
  accepted: a finite number from -90 to 90"#,
    ),
    (
        "<f_wheels_x>0</f_wheels_x>",
        "4:1: the front axle at x = 0 is not ahead of the rear axle at x = 0
  accepted: f_wheels_x greater than the x of the rear wheels",
    ),
    (
        "<f_wheels_d>0</f_wheels_d>",
        r#"5:13: bad value "0" for <f_wheels_d> in <dynamics class="ackermann">
  accepted: a finite number > 0"#,
    ),
    (
        "<max_steer_ang_deg>90</max_steer_ang_deg>",
        r#"5:20: bad value "90" for <max_steer_ang_deg> in <dynamics class="ackermann">
  accepted: a finite number from 0.001 to 89.4"#,
    ),
    (
        "<max_steer_ang_deg>0</max_steer_ang_deg>",
        r#"5:20: bad value "0" for <max_steer_ang_deg> in <dynamics class="ackermann">
  accepted: a finite number from 0.001 to 89.4"#,
    ),
    (
        r#"<rl_wheel pos="0 1"/><rr_wheel pos="0 1"/><fl_wheel/><fr_wheel/>"#,
        "4:1: both rear wheels stand at y = 1
  accepted: different y of rl_wheel and rr_wheel",
    ),
];

/// Line 5, inside `<dynamics class="ackermann_drivetrain">` on line 4.
pub const IN_DRIVETRAIN: &[Row] = &[
    (
        r#"<drivetrain type="open_4wd"><front_rear_split>1.2</front_rear_split></drivetrain>"#,
        r#"5:47: bad value "1.2" for <front_rear_split> in <drivetrain>
  accepted: a finite number from 0 to 1"#,
    ),
    (
        r#"<drivetrain type="torsen_4wd"><front_rear_bias>0.5</front_rear_bias></drivetrain>"#,
        r#"5:48: bad value "0.5" for <front_rear_bias> in <drivetrain>
  accepted: a finite number from 1 to 1000000"#,
    ),
];

/// Line 5, inside a `<vehicle name="r1">` that has its dynamics.
pub const IN_VEHICLE: &[Row] = &[
    (
        "<friction/>",
        "5:1: missing class in <friction>\n  accepted: default, wardiagnemma, ellipse, linear, fiala, pacejka",
    ),
    (
        r#"<friction class="coulomb"/>"#,
        r#"5:1: unknown class "coulomb" in <friction>
  accepted: default, wardiagnemma, ellipse, linear, fiala, pacejka"#,
    ),
    (
        r#"<friction class="default"><mu>-0.1</mu></friction>"#,
        r#"5:31: bad value "-0.1" for <mu> in <friction class="default">
  accepted: a finite number >= 0"#,
    ),
    (
        r#"<friction class="default"><mu>NaN</mu></friction>"#,
        r#"5:31: bad value "NaN" for <mu> in <friction class="default">
  accepted: a finite number >= 0"#,
    ),
    (
        r#"<friction class="default"><C_rr>-1</C_rr></friction>"#,
        r#"5:33: bad value "-1" for <C_rr> in <friction class="default">
  accepted: a finite number >= 0"#,
    ),
    (
        r#"<friction class="default"><limit>square</limit></friction>"#,
        r#"5:34: bad value "square" for <limit> in <friction class="default">
  accepted: circle, axes"#,
    ),
    (
        r#"<friction class="ellipse"><C_alpha_s>1.5</C_alpha_s></friction>"#,
        r#"5:38: bad value "1.5" for <C_alpha_s> in <friction class="ellipse">
  accepted: a finite number from 0 to 1"#,
    ),
    (
        r#"<friction class="ellipse"><slip_angle_saturation>0</slip_angle_saturation></friction>"#,
        r#"5:50: bad value "0" for <slip_angle_saturation> in <friction class="ellipse">
  accepted: a finite number > 0"#,
    ),
    (
        r#"<friction class="wardiagnemma"><R1>x</R1></friction>"#,
        r#"5:36: bad value "x" for <R1> in <friction class="wardiagnemma">
  accepted: a finite number >= 0"#,
    ),
    (
        r#"<odometry source="gps"/>"#,
        r#"5:19: bad value "gps" for attribute "source" in <odometry>
  accepted: wheels, truth"#,
    ),
    (
        r#"<odometry yaw_multiplier="inf"/>"#,
        r#"5:27: bad value "inf" for attribute "yaw_multiplier" in <odometry>
  accepted: a finite number"#,
    ),
    (r#"<sensor name="scan"/>"#, r#"5:1: missing class in <sensor name="scan">"#),
];

/// Line 4, inside a `<vehicle name="r1">` without dynamics.
pub const IN_UNDRIVEN: &[Row] = &[
    ("", r#"2:1: missing <dynamics> in <vehicle name="r1">"#),
    (
        "<dynamics/>",
        "4:1: missing class in <dynamics>
  accepted: differential, differential_3_wheels, differential_4_wheels, omni_3_wheels, omni_4_wheels, mecanum, tracked, tricycle, articulated, ackermann, ackermann_drivetrain, ackermann_joints, unicycle, kinematic_differential, kinematic_bicycle, single_track, longitudinal, autoware",
    ),
    (
        r#"<dynamics class="ackerman"/>"#,
        r#"4:1: unknown class "ackerman" in <dynamics>
  accepted: differential, differential_3_wheels, differential_4_wheels, omni_3_wheels, omni_4_wheels, mecanum, tracked, tricycle, articulated, ackermann, ackermann_drivetrain, ackermann_joints, unicycle, kinematic_differential, kinematic_bicycle, single_track, longitudinal, autoware
  hint: did you mean "ackermann"?"#,
    ),
    (
        r#"<init_vel>1 0</init_vel><dynamics class="differential"/>"#,
        r#"4:11: bad value "1 0" for <init_vel> in <vehicle name="r1">
  accepted: 3 finite numbers, separated by blanks"#,
    ),
    (
        r#"<init_vel>inf 0 0</init_vel><dynamics class="differential"/>"#,
        r#"4:11: bad value "inf 0 0" for <init_vel> in <vehicle name="r1">
  accepted: 3 finite numbers, separated by blanks"#,
    ),
];

/// Line 2, inside `<mvsim_world>`.
pub const IN_WORLD: &[Row] = &[
    (r#"<vehicle class="car"><init_pose>0 0 0</init_pose></vehicle>"#, r#"2:1: unknown vehicle class "car"
  hint: define <vehicle:class name="car"> before it in the file"#),
    (
        r#"<vehicle:class name="cart"/><vehicle class="car"/>"#,
        r#"2:29: unknown vehicle class "car"
  accepted: cart
  hint: did you mean "cart"?"#,
    ),
    ("<vehicle:class/>", "2:1: missing name in <vehicle:class>"),
    ("<block:class/>", "2:1: missing name in <block:class>"),
    (r#"<block class="crate"/>"#, r#"2:1: unknown block class "crate"
  hint: define <block:class name="crate"> before it in the file"#),
    ("<block/>", "2:1: missing <init_pose> in <block>"),
    (
        r#"<vehicle name="r1"><dynamics class="differential"/></vehicle>"#,
        r#"2:1: missing <init_pose> in <vehicle name="r1">"#,
    ),
    (
        r#"<vehicle name="r1"><init_pose>0 0</init_pose><dynamics class="differential"/></vehicle>"#,
        r#"2:31: bad value "0 0" for <init_pose> in <vehicle name="r1">
  accepted: 3 finite numbers, separated by blanks"#,
    ),
    (
        r#"<vehicle name="r1"><init_pose>0 nan 0</init_pose><dynamics class="differential"/></vehicle>"#,
        r#"2:31: bad value "0 nan 0" for <init_pose> in <vehicle name="r1">
  accepted: 3 finite numbers, separated by blanks"#,
    ),
    (
        r#"<vehicle name="r1"><init_pose3d>0 0 0</init_pose3d><dynamics class="differential"/></vehicle>"#,
        r#"2:33: bad value "0 0 0" for <init_pose3d> in <vehicle name="r1">
  accepted: 6 finite numbers, separated by blanks"#,
    ),
    (
        r#"<vehicle name="a"><init_pose>0 0 0</init_pose><dynamics class="differential"/></vehicle>
<vehicle name="a"><init_pose>9 0 0</init_pose><dynamics class="differential"/></vehicle>"#,
        r#"3:1: a second vehicle called "a"
  hint: names must be unique"#,
    ),
    (
        "<simul_timestep>0.2</simul_timestep>",
        r#"2:17: bad value "0.2" for <simul_timestep>
  accepted: a finite number from 0 to 0.1"#,
    ),
    (
        "<simul_timestep>-0.005</simul_timestep>",
        r#"2:17: bad value "-0.005" for <simul_timestep>
  accepted: a finite number from 0 to 0.1"#,
    ),
    (
        "<simul_timestep>nan</simul_timestep>",
        r#"2:17: bad value "nan" for <simul_timestep>
  accepted: a finite number from 0 to 0.1"#,
    ),
    (
        "<simul_timestep>quick</simul_timestep>",
        r#"2:17: bad value "quick" for <simul_timestep>
  accepted: a finite number from 0 to 0.1"#,
    ),
    (
        "<gravity>-9.81</gravity>",
        r#"2:10: bad value "-9.81" for <gravity>
  accepted: a finite number >= 0"#,
    ),
    (
        "<collision_threshold>2</collision_threshold>",
        r#"2:22: bad value "2" for <collision_threshold>
  accepted: a finite number from 0 to 1"#,
    ),
    (
        "<random_seed>-1</random_seed>",
        r#"2:14: bad value "-1" for <random_seed>
  accepted: a finite number from 0 to 9007199254740992"#,
    ),
    (
        "<physics>bullet</physics>",
        r#"2:1: unknown rules "bullet" in <physics>
  accepted: skidpad, mvsim"#,
    ),
    (
        "<element/>",
        "2:1: missing class in <element>
  accepted: occupancy_grid, ground_grid, horizontal_plane, vertical_plane, elevation_map, pointcloud, property_region, skybox",
    ),
    (
        r#"<element class="occupancy"/>"#,
        r#"2:1: unknown class "occupancy" in <element>
  accepted: occupancy_grid, ground_grid, horizontal_plane, vertical_plane, elevation_map, pointcloud, property_region, skybox"#,
    ),
    (r#"<element class="occupancy_grid"/>"#, r#"2:1: missing <file> in <element class="occupancy_grid">"#),
    ("<walls/>", "2:1: missing <shape> in <walls>"),
    (
        "<walls><shape><pt>0 0</pt></shape></walls>",
        "2:8: <shape> of <walls> has 1 point
  accepted: pairs of points, one pair for each wall",
    ),
    (
        "<walls><shape><pt>0 0</pt><pt>1 0</pt><pt>2 0</pt></shape></walls>",
        "2:8: <shape> of <walls> has 3 points
  accepted: pairs of points, one pair for each wall",
    ),
    (
        "<walls><wallThickness>0</wallThickness><shape><pt>0 0</pt><pt>1 0</pt></shape></walls>",
        r#"2:23: bad value "0" for <wallThickness> in <walls>
  accepted: a finite number > 0"#,
    ),
    (
        "<block><init_pose>0 0 0</init_pose><mass>0</mass></block>",
        r#"2:42: bad value "0" for <mass> in <block>
  accepted: a finite number > 0"#,
    ),
    (
        "<block><init_pose>0 0 0</init_pose><ground_friction>-1</ground_friction></block>",
        r#"2:53: bad value "-1" for <ground_friction> in <block>
  accepted: a finite number >= 0"#,
    ),
    (
        "<block><init_pose>0 0 0</init_pose><restitution>1.1</restitution></block>",
        r#"2:49: bad value "1.1" for <restitution> in <block>
  accepted: a finite number from 0 to 1"#,
    ),
    (
        "<block><init_pose>0 0 0</init_pose><static>perhaps</static></block>",
        r#"2:44: bad value "perhaps" for <static> in <block>
  accepted: true, false, 1, 0"#,
    ),
    (
        "<block><init_pose>0 0 0</init_pose><label></label></block>",
        r#"2:36: <label> "" cannot be a class
  accepted: 1 to 255 bytes of printable text"#,
    ),
    (
        "<block><init_pose>0 0 0</init_pose><color>#12345</color></block>",
        r##"2:43: bad value "#12345" for <color> in <block>
  accepted: #RRGGBB, #RRGGBBAA"##,
    ),
    (
        "<block><init_pose>0 0 0</init_pose><shape><pt>0 0</pt></shape></block>",
        "2:36: <shape> has 1 point
  accepted: 3 to 14 points",
    ),
];
