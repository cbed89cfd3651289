//! Meshes and models of others: where they are looked for, how they are scaled, and what is said of those that are not there.

use skidpad::world::{LoadOptions, World};

use super::drives::robot;
use super::{imported, inertial, near, wheel};
use crate::support::Lab;

/// Half a box, without symmetry.
const WEDGE: &str =
    "mtllib wedge.mtl\nv 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nusemtl red\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// Writes a file, and the folders that it is in.
fn put(lab: &Lab, file: &str, text: &str) {
    std::fs::create_dir_all(lab.path().join(file).parent().unwrap()).unwrap();
    lab.write(file, text);
}

/// Two wheels on a base with this visual.
fn with_visual(mesh: &str) -> String {
    let parts = wheel("left", "base", "0 0.2 0.1", "") + &wheel("right", "base", "0 -0.2 0.1", "");
    robot(&parts, "").replace(
        "</link><link name=\"left\"",
        &format!("<visual><geometry>{mesh}</geometry></visual></link><link name=\"left\""),
    )
}

#[test]
fn mirrored_and_stretched_meshes_are_written_anew() {
    let lab = Lab::new();
    lab.write("wedge.obj", WEDGE);
    lab.write("wedge.mtl", "newmtl red\nKd 1 0 0\n");
    lab.write("bot.urdf", &with_visual("<mesh filename=\"wedge.obj\" scale=\"0.1 -0.2 0.1\"/>"));
    let world = imported(&lab, "bot.urdf", "bot.world.xml");
    let class = lab.read("imported/bot.vehicle.xml");
    assert!(class.contains("<model_uri>wedge_scaled_1.obj</model_uri>") && !class.contains("model_scale"), "{class}");
    let mesh = skidpad::mesh::load(&lab.path().join("imported/wedge_scaled_1.obj")).unwrap();
    near(mesh.vertices[2].y, -0.4);
    near(mesh.vertices[3].z, 0.3);
    assert_eq!(mesh.colors, [Some([255, 0, 0]); 4]);
    // Its faces look outwards still: the volume within them is positive.
    let volume: f64 = mesh
        .triangles
        .iter()
        .map(|t| t.map(|k| mesh.vertices[k as usize]))
        .map(|[a, b, c]| a.dot(&b.cross(&c)) / 6.0)
        .sum();
    assert!((volume - 0.002).abs() < 1e-6, "{volume}");
    assert_eq!(world.scene().vehicles.len(), 1);
    // One that is only larger is named as it is; what nobody looks at is not written.
    lab.write(
        "bot.urdf",
        &with_visual("<mesh filename=\"wedge.obj\" scale=\"2 2 2\"/>").replace("visual", "collision"),
    );
    let done = lab.run("import bot.urdf --out even");
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    lab.write(
        "bot.urdf",
        &with_visual("<mesh filename=\"wedge.obj\" scale=\"-2 2 2\"/>").replace("visual", "collision"),
    );
    assert_eq!(lab.run("import bot.urdf --out odd").status, Some(0));
    assert!(!lab.path().join("odd/wedge_scaled_1.obj").exists());
    lab.write("bot.urdf", &with_visual("<mesh filename=\"wedge.obj\" scale=\"1 1 0\"/>"));
    let done = lab.run("import bot.urdf --out flat");
    let reported = "the mesh is left out: it is scaled by 0\n  accepted: a scale other than 0 along each axis\n";
    assert!(done.stderr.contains(reported), "{}", done.stderr);
}

#[test]
fn meshes_are_found_from_the_folders_above_and_by_the_name_of_their_package() {
    let lab = Lab::new();
    put(
        &lab,
        "sim/models/post/model.sdf",
        "<sdf version=\"1.6\"><model name=\"post\"><static>true</static><link name=\"l\"><collision name=\"c\"><geometry><mesh>\
         <uri>file://models/post/meshes/wedge.obj</uri><scale>0.5 1 1</scale></mesh></geometry></collision></link></model></sdf>",
    );
    put(&lab, "sim/models/post/meshes/wedge.obj", WEDGE);
    put(
        &lab,
        "sim/worlds/yard.world",
        "<sdf version=\"1.6\"><world name=\"w\"><include><uri>model://post</uri></include></world></sdf>",
    );
    let done = lab.run("import sim/worlds/yard.world --out yard");
    assert_eq!((done.status, done.stdout.as_str()), (Some(0), "yard: 1 block\n"), "{}", done.stderr);
    let (world, _) = World::load(&lab.path().join("yard/yard.world.xml"), &LoadOptions::default()).unwrap();
    near(world.scene().blocks[0].z[1], 3.0);
    // Two of one name, as of one model, are at their own places.
    let twice =
        "<include><uri>model://post</uri></include><include><uri>model://post</uri><pose>3 0 0 0 0 0</pose></include>";
    put(&lab, "sim/worlds/yard.world", &format!("<sdf version=\"1.6\"><world name=\"w\">{twice}</world></sdf>"));
    let done = lab.run("import sim/worlds/yard.world --out twice");
    let reported = "warning: sim/worlds/yard.world:1:78: a second model \"post\": here it is \"post_2\"\n  accepted: a <name> of its own\n";
    assert!(done.stderr.contains(reported), "{}", done.stderr);
    let (world, _) = World::load(&lab.path().join("twice/yard.world.xml"), &LoadOptions::default()).unwrap();
    let apart = world.scene().blocks[1].world_from_start.x - world.scene().blocks[0].world_from_start.x;
    near(apart, 3.0);
    // A package may be in a folder of another name, beside that of the description.
    put(&lab, "src/arm/package.xml", "<package format=\"3\"><name>arm_description</name></package>");
    put(&lab, "src/looks/package.xml", "<package format=\"3\"><name>arm_meshes</name></package>");
    put(&lab, "src/looks/wedge.obj", WEDGE);
    put(&lab, "src/arm/urdf/bot.urdf", &with_visual("<mesh filename=\"package://arm_meshes/wedge.obj\"/>"));
    let done = lab.run("import src/arm/urdf/bot.urdf --out arm");
    assert!(!done.stderr.contains("warning"), "{}", done.stderr);
    assert!(lab.read("arm/bot.vehicle.xml").contains("<model_uri>../src/looks/wedge.obj</model_uri>"));
}

#[test]
fn a_wheel_whose_mesh_is_missing_is_told_by_its_joint() {
    let lab = Lab::new();
    let part = |name: &str, y: f64| {
        format!(
            "<link name=\"{name}\">{}<visual><geometry><mesh filename=\"{name}.stl\"/></geometry></visual></link>\
             <joint name=\"{name}_joint\" type=\"continuous\"><origin xyz=\"0 {y} 0.1\"/><parent link=\"base\"/><child link=\"{name}\"/><axis xyz=\"0 1 0\"/></joint>",
            inertial(0.5, [0.002, 0.003, 0.002], "xyz=\"0 0 0\"")
        )
    };
    let parts = part("left", 0.2) + &part("right", -0.2);
    lab.write("bot.urdf", &robot(&parts, ""));
    let done = lab.run("import bot.urdf");
    assert_eq!(done.status, Some(1));
    for side in ["left", "right"] {
        let reported = format!("joint \"{side}_joint\" may carry a wheel, but its mesh \"{side}.stl\" is missing\n");
        assert!(done.stderr.contains(&reported), "{}", done.stderr);
    }
    let hint = "  hint: provide the missing meshes of the wheels (see the warnings), or give those links cylinders as collisions\n";
    assert!(done.stderr.ends_with(hint), "{}", done.stderr);
    let drive = "<plugin filename=\"libgazebo_ros_diff_drive.so\" name=\"d\"><left_joint>left_joint</left_joint><right_joint>right_joint</right_joint>RADIUS</plugin>";
    lab.write("bot.urdf", &robot(&parts, &drive.replace("RADIUS", "")));
    let done = lab.run("import bot.urdf");
    assert!(
        done.stderr.contains("the wheel of joint \"left_joint\" has no radius: its mesh \"left.stl\" is missing\n"),
        "{}",
        done.stderr
    );
    // The plugin knows it.
    lab.write("bot.urdf", &robot(&parts, &drive.replace("RADIUS", "<wheel_diameter>0.2</wheel_diameter>")));
    let done = lab.run("import bot.urdf");
    assert!(done.stdout.starts_with("bot: differential, 6 kg, track 0.4 m, wheel radius 0.1 m\n"), "{}", done.stdout);
}
