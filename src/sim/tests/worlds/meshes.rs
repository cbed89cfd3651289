//! Meshes, solids and walls from meshes: the worlds that show them, and what files get wrong about them.

use std::f64::consts::PI;

use super::{folder, load_under as load};
use skidpad_files::mesh::primitives::Geometry;
use skidpad_math::{Twist2, Vec2};
use skidpad_sim::vehicle::chassis::plate;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::terrain::BlockTop;
use skidpad_sim::world::visual::CullFaces;
use skidpad_sim::world::{BlockInfo, LoadOptions, PhysicsRules, World};

/// Everything said about `body` inside a world that starts on line 1, with paths from `worlds/`; and the world.
fn read(body: &str) -> (Option<World>, Vec<String>) {
    let text = format!("<mvsim_world>{body}</mvsim_world>");
    match World::load_text("w", &folder(), &text, &LoadOptions::default()) {
        Ok((world, warnings)) => (Some(world), warnings.iter().map(ToString::to_string).collect()),
        Err(problems) => (None, problems.0.iter().map(ToString::to_string).collect()),
    }
}

/// The only block of a world that loads without a word.
fn block(inner: &str) -> BlockInfo {
    let (world, said) = read(&format!("<block name=\"b\"><init_pose>0 0 0</init_pose>{inner}</block>"));
    assert!(said.is_empty(), "{inner}: {said:?}");
    world.unwrap().scene().blocks[0].clone()
}

fn named<'a>(world: &'a World, name: &str) -> &'a BlockInfo {
    world.scene().blocks.iter().find(|block| block.name == name).unwrap()
}

/// Lower left and upper right corner.
fn extent(outline: &[Vec2]) -> [f64; 4] {
    let least = |f: fn(&Vec2) -> f64| outline.iter().map(f).fold(f64::INFINITY, f64::min);
    [least(|p| p.x), least(|p| p.y), -least(|p| -p.x), -least(|p| -p.y)]
}

#[track_caller]
fn near<const N: usize>(actual: [f64; N], expected: [f64; N], tolerance: f64) {
    let close = actual.iter().zip(expected).all(|(f, e)| (f - e).abs() <= tolerance);
    assert!(close, "{actual:?}, not {expected:?}");
}

#[test]
fn bodies_have_the_outlines_of_their_meshes() {
    let world = load("mesh_shapes", PhysicsRules::Skidpad);
    let crate_block = named(&world, "crate");
    near(extent(&crate_block.outline), [-0.3, -0.2, 0.3, 0.2], 1e-9);
    near(crate_block.z, [0.0, 0.3], 1e-9);
    // The cone without its foot of 0.4 m.
    let cone = named(&world, "cone");
    near(extent(&cone.outline), [-0.14, -0.14, 0.14, 0.14], 1e-3);
    near(cone.z, [0.04, 0.5], 1e-9);
    assert_eq!(cone.visuals[0].color, Some([0xff, 0x60, 0, 0xff]));
    // The notch stays: 1.5² · (1 − 0.7²).
    let bracket = named(&world, "bracket");
    near(extent(&bracket.outline), [0.0, 0.0, 1.5, 1.5], 1e-6);
    near([plate(&bracket.outline).0, bracket.z[1]], [1.5 * 1.5 * 0.51, 0.6], 0.06);
    assert_eq!(bracket.visuals[0].scale, 1.5);

    let cart = &world.scene().vehicles[0];
    near(extent(&cart.outline), [-0.3, -0.2, 0.3, 0.2], 2e-3);
    near([plate(&cart.outline).0], [0.6 * 0.4 - 0.1 * 0.1], 0.01);
    near(cart.chassis_z, [0.05, 0.55], 1e-9);
    assert!((3..=14).contains(&cart.outline.len()));
    assert_eq!(cart.visuals.len(), 3);
    assert!(cart.visuals.iter().all(|visual| visual.file.as_ref().is_some_and(|file| file.is_file())));
    assert!((cart.visuals[0].body_from_mesh.roll - 0.5 * PI).abs() < 1e-15);
    assert_eq!(cart.wheels[0].visuals[0].scale, 0.08);
    assert_eq!(cart.wheels[0].linked_yaw, None);
    assert_eq!(cart.wheels[2].linked_yaw, Some(("left_fender".to_string(), 0.0)));
}

#[test]
fn a_cart_stops_where_the_mesh_of_the_crate_begins() {
    let mut world = load("mesh_shapes", PhysicsRules::Skidpad);
    world.command(Command { vehicle: 0, action: Action::Twist(Twist2::new(0.5, 0.0, 0.0)) }).unwrap();
    while !world.frame().vehicles[0].colliding {
        assert!(world.step().unwrap().time.secs() < 10.0, "it never touched the crate");
    }
    // Nose at 0.3, the side of the crate at 1.7, and 3 cm before it counts as a collision.
    let x = world.frame().vehicles[0].world_from_body.x;
    assert!((x - 1.4).abs() < 0.035, "{x}");
}

#[test]
fn blocks_are_as_large_as_their_geometry_and_squares_by_mvsims_rules() {
    let world = load("geometry_blocks", PhysicsRules::Skidpad);
    // A polygon of 14 corners around the circle.
    let drum = named(&world, "drum");
    assert_eq!(drum.outline.len(), 14);
    near([plate(&drum.outline).0], [14.0 * 0.09 * (PI / 14.0).tan()], 1e-12);
    near(drum.z, [0.0, 0.9], 1e-12);
    near(named(&world, "ball").z, [-0.2, 0.2], 1e-12);
    near(extent(&named(&world, "shelf").outline), [0.0, 0.0, 0.4, 1.2], 1e-12);
    let ramp = named(&world, "ramp");
    near(extent(&ramp.outline), [0.0, -0.6, 1.0, 0.6], 1e-12);
    assert_eq!((ramp.top, ramp.is_intangible), (BlockTop::Ramp { length: 1.0, height: 0.1 }, true));
    let bump = named(&world, "bump");
    near(extent(&bump.outline), [-0.6, -0.15, 0.6, 0.15], 1e-12);
    assert_eq!(bump.top, BlockTop::Bump { width: 0.3, height: 0.03 });
    assert_eq!(bump.geometry, Some(Geometry::Bump { size: [1.2, 0.3, 0.03], vertex_count: 10 }));

    let world = load("geometry_blocks", PhysicsRules::Mvsim);
    assert_eq!(named(&world, "drum").outline.len(), 14);
    for name in ["ball", "shelf", "ramp", "bump"] {
        let block = named(&world, name);
        near(extent(&block.outline), [-0.5, -0.5, 0.5, 0.5], 0.0);
        assert_eq!(block.z, [0.0, 1.0]);
    }
    assert_eq!(named(&world, "ramp").top, BlockTop::Ramp { length: 1.0, height: 0.1 });
}

#[test]
fn walls_stand_along_the_lines_of_a_mesh() {
    let mut world = load("walls_from_mesh", PhysicsRules::Skidpad);
    let blocks = &world.scene().blocks;
    assert_eq!(blocks.len(), 6);
    assert_eq!((blocks[0].name.as_str(), blocks[5].name.as_str()), ("wall_0001", "wall_0006"));
    // The first has both ends free, the fourth closes two corners: 6 m and half a thickness at both.
    near(extent(&blocks[0].outline), [-4.0, -0.06, 4.0, 0.06], 1e-9);
    near(extent(&blocks[3].outline), [-3.06, -0.06, 3.06, 0.06], 1e-9);
    let middle = blocks[3].world_from_start;
    near([middle.x, middle.y, middle.yaw.abs()], [-1.5, -0.25, 0.5 * PI], 1e-9);
    assert_eq!((blocks[0].z, blocks[0].is_static), ([0.0, 2.4], true));
    // The robot's lidar at x = 0.1 looks through the passage to the far wall, whose face is at 6.5 − 0.06.
    while world.step().unwrap().fresh_readings().count() == 0 {}
    let scan = world.frame().readings[0].data.scan().unwrap();
    let ahead = scan.ranges[scan.ranges.len() / 2];
    assert!((f64::from(ahead) - 6.34).abs() < 0.06, "{ahead}");
}

#[test]
fn visuals_are_read_completely() {
    let block = block(
        r##"<visual>
          <model_uri>models/crate.obj</model_uri> <model_scale>2</model_scale>
          <model_offset_x>1</model_offset_x> <model_offset_y>2</model_offset_y> <model_offset_z>3</model_offset_z>
          <model_yaw>90</model_yaw> <model_pitch>-90</model_pitch> <model_roll>180</model_roll>
          <model_color>#ff000080</model_color> <model_cull_faces>BACK</model_cull_faces>
          <model_split_size>1.5</model_split_size> <name>group</name> <show_bounding_box>true</show_bounding_box>
        </visual>
        <visual enabled="false"> <model_uri>models/none.obj</model_uri> </visual>
        <visual> <model_color>#ff0000</model_color> </visual>
        <visual> <model_uri>models/crate.obj</model_uri> <model_color>#FFFFFF</model_color> </visual>"##,
    );
    assert_eq!(block.visuals.len(), 2);
    let visual = &block.visuals[0];
    assert_eq!((visual.uri.as_str(), visual.name.as_str()), ("models/crate.obj", "group"));
    assert_eq!((visual.scale, visual.color, visual.cull), (2.0, Some([255, 0, 0, 128]), CullFaces::Back));
    assert!(visual.show_bounding_box);
    let pose = visual.body_from_mesh;
    near([pose.x, pose.y, pose.z], [1.0, 2.0, 3.0], 0.0);
    near([pose.yaw, pose.pitch, pose.roll], [0.5 * PI, -0.5 * PI, PI], 1e-15);
    assert_eq!(block.visuals[1].color, None);
    // Without <shape_from_visual> the mesh is for the eye alone.
    near(extent(&block.outline), [-0.5, -0.5, 0.5, 0.5], 0.0);
}

#[test]
fn several_visuals_and_a_geometry_make_one_shape() {
    let block = block(
        r#"<shape_from_visual/> <geometry type="box" lx="1" ly="0.2" lz="0.5"/>
        <visual> <model_uri>models/crate.obj</model_uri> </visual>
        <visual> <model_uri>models/crate.obj</model_uri> <model_offset_y>0.4</model_offset_y> <model_offset_z>1</model_offset_z> </visual>"#,
    );
    near(extent(&block.outline), [-0.3, -0.2, 1.0, 0.6], 1e-6);
    near(block.z, [0.0, 1.3], 1e-9);
    near([plate(&block.outline).0], [0.6 * 0.8 + 0.7 * 0.2], 0.05);
}

#[test]
fn a_part_beyond_the_heights_and_a_lone_height_do_not_count() {
    let inner = |z: &str| {
        format!(
            "<shape_from_visual/> {z} <visual> <model_uri>models/crate.obj</model_uri> </visual> <visual>
            <model_uri>models/crate.obj</model_uri> <model_scale>3</model_scale> <model_offset_z>1</model_offset_z> </visual>"
        )
    };
    near(extent(&block(&inner("<zmin>0</zmin> <zmax>0.5</zmax>")).outline), [-0.3, -0.2, 0.3, 0.2], 1e-6);
    let (world, said) =
        read(&format!("<block name=\"b\"><init_pose>0 0 0</init_pose>{}</block>", inner("<zmax>0.5</zmax>")));
    assert_eq!(said, ["w:1:85: <zmax> has no effect without <zmin>\n  accepted: both, or neither"]);
    let all = named(world.as_ref().unwrap(), "b");
    near(extent(&all.outline), [-0.9, -0.6, 0.9, 0.6], 1e-6);
    near(all.z, [0.0, 1.9], 1e-9);
}

#[test]
fn a_mesh_that_cannot_be_read_leaves_a_box_and_a_warning() {
    let (world, said) = read(
        "<block name=\"b\"><init_pose>0 0 0</init_pose><zmin>0.1</zmin><zmax>0.6</zmax><shape_from_visual/>
<visual><model_uri>models/none.dae</model_uri></visual></block>",
    );
    let b = world.unwrap().scene().blocks[0].clone();
    near(extent(&b.outline), [-0.5, -0.5, 0.5, 0.5], 0.0);
    assert_eq!((b.z, &b.visuals[0].file), ([0.1, 0.6], &None));
    assert_eq!(said.len(), 2, "{said:?}");
    let start = "w:2:20: no file \"";
    assert!(
        said[0].starts_with(start) && said[0].ends_with("models/none.dae\" for <model_uri> in <visual>"),
        "{said:?}"
    );
    assert_eq!(
        said[1],
        "w:1:90: the meshes of <block name=\"b\"> cannot be read: it uses a square of 1 m, from z = 0.1 to 0.6 m"
    );

    let (world, said) = read(
        "<vehicle name=\"v\"><init_pose>0 0 0</init_pose><visual><model_uri>mesh_shapes.world.xml</model_uri></visual>
<dynamics class=\"differential\"><l_wheel pos=\"0 0.2\" diameter=\"0.2\" width=\"0.1\"/><r_wheel pos=\"0.1 -0.2\" diameter=\"0.2\" width=\"0.1\"/>
<chassis zmin=\"0.1\"><shape_from_visual/></chassis></dynamics></vehicle>",
    );
    let v = world.unwrap().scene().vehicles[0].clone();
    near(extent(&v.outline), [-0.1, -0.25, 0.2, 0.25], 1e-12);
    assert_eq!(v.chassis_z, [0.1, 0.6]);
    assert!(
        said[0].starts_with("w:1:79: ") && said[0].contains(": cannot be read: unknown format \".xml\""),
        "{said:?}"
    );
    assert_eq!(
        said[1..],
        ["w:3:21: the meshes of <vehicle name=\"v\"> cannot be read: it uses a box around its wheels".to_string()]
    );
}

/// What is inside a block from line 2 on, and what is said about it.
const BAD_BLOCKS: &[(&str, &str)] = &[
    (
        "<geometry type=\"cone\"/>",
        "w:2:1: unknown type \"cone\" in <geometry>\n  accepted: cylinder, sphere, box, ramp, semi_cylinder_bump",
    ),
    (
        "<geometry/>",
        "w:2:1: missing type in <geometry>\n  accepted: cylinder, sphere, box, ramp, semi_cylinder_bump",
    ),
    ("<geometry type=\"box\" lx=\"1\" lz=\"1\"/>", "w:2:1: missing ly in <geometry>"),
    ("<geometry type=\"sphere\"/>", "w:2:1: missing radius in <geometry>"),
    (
        "<geometry type=\"cylinder\" radius=\"-1\" length=\"1\"/>",
        "w:2:35: bad value \"-1\" for attribute \"radius\" in <geometry>\n  accepted: a finite number > 0",
    ),
    (
        "<geometry type=\"sphere\" radius=\"1\" vertex_count=\"2\"/>",
        "w:2:50: bad value \"2\" for attribute \"vertex_count\" in <geometry>\n  accepted: a whole number from 3 to 1000",
    ),
    (
        "<geometry type=\"sphere\" radius=\"1e-9\"/>",
        "w:2:1: bad <geometry>: its shape has a volume of",
    ),
    (
        "<geometry type=\"box\" lx=\"1e9\" ly=\"1\" lz=\"1\"/><shape_from_visual/>",
        "w:2:1: bad <geometry>: its shape reaches 1.00e9 m far, more than 1e6 m",
    ),
    (
        "<shape_from_visual/><geometry type=\"box\"  ly=\"1\" lz=\"1\"/>",
        "w:2:21: missing lx in <geometry>",
    ),
    (
        "<shape_from_visual/>",
        "w:2:1: <shape_from_visual> without a <visual> or a <geometry> in <block name=\"b\">
  hint: give it a <visual> with a <model_uri>, or a <shape>",
    ),
    (
        "<shape_from_visual/><visual><model_uri>models/crate.obj</model_uri><model_scale>0.001</model_scale></visual>",
        "w:2:1: no shape from the visuals of <block name=\"b\">: its shape has a volume of 7.20e-11 m³, less than 1e-8 m³
  hint: check model_scale and zmin, zmax, or give a <shape>",
    ),
    (
        "<shape_from_visual/><zmin>2</zmin><zmax>3</zmax><visual><model_uri>models/crate.obj</model_uri></visual>",
        "w:2:1: no shape from the visuals of <block name=\"b\">: its mesh has nothing between zmin = 2 and zmax = 3
  hint: check model_scale and zmin, zmax, or give a <shape>",
    ),
    (
        "<visual><model_uri>models/crate.obj</model_uri><model_cull_faces>left</model_cull_faces></visual>",
        "w:2:66: bad value \"left\" for <model_cull_faces> in <visual>\n  accepted: NONE, FRONT, BACK",
    ),
    (
        "<visual><model_uri>models/${file}</model_uri></visual>",
        "w:2:20: variable \"file\" cannot be used here",
    ),
];

#[test]
fn errors_of_a_block_are_reported_at_their_place() {
    for (inner, expected) in BAD_BLOCKS {
        let head = "<variable name=\"file\" value=\"crate.obj\"/><block name=\"b\"><init_pose>0 0 0</init_pose>";
        let (world, said) = read(&format!("{head}\n{inner}</block>"));
        assert!(world.is_none(), "{inner}");
        assert_eq!(said.len(), 1, "{inner}: {said:?}");
        assert!(said[0].starts_with(expected), "{inner}: {}", said[0]);
    }
}

#[test]
fn errors_of_a_vehicles_visuals_are_reported_at_their_place() {
    let vehicle = |inner: &str, visual: &str| {
        read(&format!(
            "<vehicle name=\"v\"><init_pose>0 0 0</init_pose>{visual}<dynamics class=\"differential\">\n{inner}</dynamics></vehicle>"
        ))
    };
    let (world, said) = vehicle("<chassis><shape_from_visual/></chassis>", "");
    assert!(world.is_none());
    assert_eq!(
        said,
        ["w:2:10: <shape_from_visual> without a <visual> in <vehicle name=\"v\">
  hint: give it a <visual> with a <model_uri>, or the chassis a <shape>"]
    );
    let visual = "<visual><model_uri>models/crate.obj</model_uri><name>fender</name></visual>";
    let (world, said) = vehicle("<l_wheel pos=\"0 0.5\" linked_yaw=\"fendr\"/>", visual);
    assert_eq!(world.unwrap().scene().vehicles[0].wheels[0].linked_yaw, None);
    assert_eq!(
        said,
        [
            "w:2:34: no <visual> of the vehicle is called \"fendr\"\n  accepted: fender\n  hint: did you mean \"fender\"?"
        ]
    );
    let (world, said) = vehicle("<l_wheel pos=\"0 0.5\" linked_yaw=\"fender\" linked_yaw_offset_deg=\"90\"/>", visual);
    assert_eq!(world.unwrap().scene().vehicles[0].wheels[0].linked_yaw, Some(("fender".into(), 0.5 * PI)));
    assert!(said.is_empty(), "{said:?}");
}

#[test]
fn errors_of_walls_are_reported_at_their_place() {
    let (world, said) = read("<walls>\n<model_uri>models/crate.obj</model_uri></walls>");
    assert!(world.unwrap().scene().blocks.is_empty());
    assert_eq!(
        said,
        ["w:2:12: the model has no lines: no walls are made
  hint: walls are made along lines (<lines> in COLLADA), not along triangles"]
    );
    let (_, said) = read("<walls></walls>");
    assert_eq!(said, ["w:1:14: missing <shape> in <walls>"]);
    let (_, said) =
        read("<walls><shape><pt>0 0</pt><pt>1 0</pt></shape>\n<transformation>[1 2; 3 4]</transformation></walls>");
    assert_eq!(
        said,
        ["w:2:17: <transformation> in <walls> has 2 x 2 numbers
  accepted: 4 rows of 4 numbers: [1 0 0 0; 0 1 0 0; 0 0 1 0; 0 0 0 1]"]
    );
}
