//! Finds the optional message packages on r2r's search path, and passes the major version of each to the code:
//! `cfg(simulation_interfaces)` and `cfg(simulation_interfaces = "1")`. Without a package its part of the node is omitted.
//!
//! r2r generates its bindings once per environment and does not notice a package that is installed later below an existing
//! prefix. The packages found are stored with the build output, so that such a package is reported with the command that helps.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// Environment variables that r2r's bindings depend on.
const OF_BINDINGS: [&str; 5] =
    ["AMENT_PREFIX_PATH", "CMAKE_PREFIX_PATH", "CMAKE_IDL_PACKAGES", "IDL_PACKAGE_FILTER", "ROS_DISTRO"];
/// Command that rebuilds everything that depends on the packages.
const REBUILD: &str = "cargo clean -p skidpad-ros -p r2r -p r2r_actions -p r2r_msg_gen -p r2r_rcl";

/// An optional message package.
struct Optional {
    name: &'static str,
    /// Supported major versions.
    versions: &'static [&'static str],
    /// Definitions that an older minor version lacks, by major version, below `share/<name>`, with what they must contain.
    needs: &'static [(&'static str, &'static str, &'static str)],
}

const OPTIONAL: &[Optional] = &[
    Optional {
        name: "simulation_interfaces",
        versions: &["1", "2"],
        needs: &[
            ("1", "srv/LoadWorld.srv", "string uri"),
            ("1", "srv/SpawnEntities.srv", ""),
            ("2", "srv/SetEntityState.srv", "set_pose"),
            ("2", "srv/SpawnEntities.srv", ""),
        ],
    },
    Optional { name: "nav2_msgs", versions: &["1"], needs: &[("1", "action/FollowPath.action", "goal_checker_id")] },
    Optional {
        name: "autoware_control_msgs",
        versions: &["1"],
        needs: &[("1", "msg/Control.msg", "Longitudinal longitudinal")],
    },
    Optional {
        name: "autoware_vehicle_msgs",
        versions: &["1"],
        needs: &[("1", "srv/ControlModeCommand.srv", "success"), ("1", "msg/VelocityReport.msg", "heading_rate")],
    },
    Optional {
        name: "skidpad",
        versions: &["0"],
        needs: &[("0", "srv/ApplyWrench.srv", "geometry_msgs/Wrench wrench")],
    },
    Optional {
        name: "vision_msgs",
        versions: &["4"],
        needs: &[("4", "msg/BoundingBox2D.msg", "vision_msgs/Pose2D center")],
    },
    Optional {
        name: "vesc_msgs",
        versions: &["1"],
        needs: &[("1", "msg/VescState.msg", "avg_vq"), ("1", "msg/VescImuStamped.msg", "imu")],
    },
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let path = std::env::var_os("AMENT_PREFIX_PATH").unwrap_or_default();
    OF_BINDINGS.iter().for_each(|name| println!("cargo::rerun-if-env-changed={name}"));
    // The folder changes whenever a package is installed.
    let indices = std::env::split_paths(&path).map(|prefix| prefix.join("share/ament_index/resource_index/packages"));
    for index in indices.filter(|index| index.is_dir()) {
        println!("cargo::rerun-if-changed={}", index.display());
    }
    let mut usable = Vec::new();
    for package in OPTIONAL {
        let values: Vec<String> = package.versions.iter().map(|version| format!("\"{version}\"")).collect();
        println!("cargo::rustc-check-cfg=cfg({}, values(none(), {}))", package.name, values.join(", "));
        let mut folders = std::env::split_paths(&path)
            .filter(|prefix| !prefix.as_os_str().is_empty())
            .map(|prefix| prefix.join("share").join(package.name));
        let Some(folder) = folders.find(|folder| folder.join("package.xml").is_file()) else { continue };
        println!("cargo::rerun-if-changed={}", folder.join("package.xml").display());
        match usable_version(package, &folder) {
            Ok(major) => usable.push((package.name, major)),
            Err(reason) => println!("cargo::warning={}: {reason}; the node is built without", folder.display()),
        }
    }
    let in_bindings = in_bindings(&usable);
    for (name, major) in usable {
        if !in_bindings.iter().any(|line| *line == line_of(name, major)) {
            println!(
                "cargo::warning={name}: version {major} has been installed since r2r made its bindings; the node is built without"
            );
            println!("cargo::warning=  hint: run: {REBUILD} && build again");
            continue;
        }
        println!("cargo::rustc-cfg={name}");
        println!("cargo::rustc-cfg={name}=\"{major}\"");
    }
}

fn line_of(name: &str, major: &str) -> String {
    format!("{name} {major}")
}

/// The packages that there were when the bindings for this environment were made, one a line: those of now if that is now.
fn in_bindings(usable: &[(&str, &str)]) -> Vec<String> {
    let mut hasher = DefaultHasher::new();
    OF_BINDINGS.map(std::env::var_os).hash(&mut hasher);
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let file = folder.join(format!("packages-{:016x}", hasher.finish()));
    if let Ok(text) = std::fs::read_to_string(&file) {
        return text.lines().map(str::to_owned).collect();
    }
    let lines: Vec<String> = usable.iter().map(|(name, major)| line_of(name, major)).collect();
    if let Err(error) = std::fs::write(&file, lines.join("\n")) {
        println!("cargo::warning={}: {error}", file.display());
    }
    lines
}

/// The major version of the package in `folder` if the code can be built against it, otherwise why not.
fn usable_version(package: &Optional, folder: &Path) -> Result<&'static str, String> {
    let read = |file: PathBuf| std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()));
    let manifest = read(folder.join("package.xml"))?;
    let version = manifest.split_once("<version>").and_then(|(_, content)| content.split_once("</version>"));
    let version = version.ok_or("package.xml: no <version>")?.0.trim();
    let major = version.split('.').next().unwrap_or_default();
    let Some(known) = package.versions.iter().copied().find(|known| *known == major) else {
        return Err(format!("version {version} found, accepted: {}", package.versions.join(", ")));
    };
    for (_, file, text) in package.needs.iter().filter(|(of, ..)| *of == known) {
        if !read(folder.join(file)).is_ok_and(|definition| definition.contains(text)) {
            return Err(format!("version {version} is too old, its {file} is not the one that is needed"));
        }
    }
    Ok(known)
}
