//! Descriptions written here, imported and loaded: what becomes of them, and what is said of what they lack.

mod left_out;
mod refused;
mod roles;
mod sensors;
mod urdf;
mod worlds;

use std::fmt::Write;

use skidpad_math::Twist2;
use skidpad_sim::vehicle::{Action, Command};
use skidpad_sim::world::{LoadOptions, World};
use skidpad_xml::Problem;

/// What became of a description.
struct Done {
    folder: tempfile::TempDir,
    summary: Vec<String>,
    /// Each as the program prints it, with the name of the file alone.
    warnings: Vec<String>,
    errors: Vec<String>,
    /// Name of the world that was written.
    world: Option<String>,
}

/// Imports `text` as a file of this name.
fn import(name: &str, text: &str) -> Done {
    import_beside(name, text, &[])
}

/// As [`import`], with other files beside it, of which these are paths and texts.
fn import_beside(name: &str, text: &str, others: &[(&str, &str)]) -> Done {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in others.iter().chain(&[(name, text)]) {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let out = folder.path().join("out");
    let imported = crate::import(&folder.path().join(name), &out, None).unwrap();
    std::fs::create_dir_all(&out).unwrap();
    for file in &imported.files {
        std::fs::write(out.join(&file.name), &file.text).unwrap();
    }
    let prefix = format!("{}/", folder.path().display());
    let shown = |problems: &[Problem]| problems.iter().map(|one| one.to_string().replace(&prefix, "")).collect();
    Done {
        summary: imported.summary,
        warnings: shown(&imported.warnings),
        errors: shown(&imported.errors),
        world: imported.files.last().map(|file| file.name.clone()),
        folder,
    }
}

impl Done {
    /// The world that was written, which loads without a warning.
    fn load(&self) -> World {
        assert_eq!(self.errors, [""; 0]);
        let path = self.folder.path().join("out").join(self.world.as_ref().unwrap());
        let (world, warnings) = World::load(&path, &LoadOptions::default()).unwrap();
        assert_eq!(warnings, []);
        world
    }

    /// The text of a file that was written.
    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join("out").join(name)).unwrap()
    }
}

/// The only vehicle's velocity after `seconds` of a command.
fn driven(world: &mut World, twist: Twist2, seconds: f64) -> Twist2 {
    world.command(Command { vehicle: 0, action: Action::Twist(twist) }).unwrap();
    let end = world.frame().time.secs() + seconds;
    while world.frame().time.secs() < end {
        world.step().unwrap();
    }
    world.frame().vehicles[0].velocity_in_body
}

/// Text of a link with a mass [kg] and this in it, in SDF.
fn link(name: &str, pose: &str, mass: f64, inside: &str) -> String {
    let (flat, thick) = (0.003 * mass, 0.005 * mass);
    format!(
        "<link name='{name}'><pose>{pose}</pose><inertial><mass>{mass}</mass><inertia><ixx>{flat}</ixx><iyy>{thick}</iyy><izz>{thick}</izz></inertia></inertial>{inside}</link>\n"
    )
}

/// A collision of this shape, in SDF.
fn collision(pose: &str, solid: &str) -> String {
    format!("<collision name='c'><pose>{pose}</pose><geometry>{solid}</geometry></collision>")
}

fn box_of(size: &str) -> String {
    format!("<box><size>{size}</size></box>")
}

/// A cylinder of 0.1 m radius whose axis lies along y, with more in its collision.
fn tyre(more: &str) -> String {
    collision("0 0 0 1.5707963267948966 0 0", "<cylinder><radius>0.1</radius><length>0.04</length></cylinder>")
        .replace("</collision>", &format!("{more}</collision>"))
}

/// A joint of SDF with this in it.
fn joint(name: &str, kind: &str, parent: &str, child: &str, inside: &str) -> String {
    format!("<joint name='{name}' type='{kind}'><parent>{parent}</parent><child>{child}</child>{inside}</joint>\n")
}

fn axis(xyz: &str, limits: Option<[f64; 2]>) -> String {
    let limit = limits
        .map_or_else(String::new, |[low, high]| format!("<limit><lower>{low}</lower><upper>{high}</upper></limit>"));
    format!("<axis><xyz>{xyz}</xyz>{limit}</axis>")
}

/// A body of 5 kg, and wheels at these places, each on a joint of its own about +y.
fn wheeled(wheels: &[(&str, [f64; 2])]) -> String {
    let mut text = link("body", "0 0 0.2 0 0 0", 5.0, &collision("0 0 0 0 0 0", &box_of("0.5 0.3 0.1")));
    for (name, [x, y]) in wheels {
        text += &link(name, &format!("{x} {y} 0.1 0 0 0"), 0.5, &tyre(""));
        text += &joint(&format!("{name}_spin"), "revolute", "body", name, &axis("0 1 0", None));
    }
    text
}

/// A robot on two wheels with other parts.
fn two_wheels(more: &str) -> String {
    model("pair", &(wheeled(&[("left", [0.0, 0.2]), ("right", [0.0, -0.2])]) + more))
}

/// An SDF file with a model.
fn model(name: &str, inside: &str) -> String {
    let mut text = String::from("<sdf version='1.9'>\n");
    let _ = write!(text, "<model name='{name}'>\n{inside}</model></sdf>");
    text
}

/// An SDF file with a world.
fn world(inside: &str) -> String {
    format!("<sdf version='1.9'><world name='w'>\n{inside}</world></sdf>")
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found} is not {expected}");
}
