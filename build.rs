//! Finds the message packages that skidpad can do without, on the path where r2r looks for all of them, and tells the code which
//! major version of each is there: `cfg(simulation_interfaces)` and `cfg(simulation_interfaces = "1")`. Without one of them its part of the node is left out.

use std::path::{Path, PathBuf};

/// A message package that need not be there.
struct Optional {
    name: &'static str,
    /// Major versions that the code knows.
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
    Optional {
        name: "vesc_msgs",
        versions: &["1"],
        needs: &[("1", "msg/VescState.msg", "avg_vq"), ("1", "msg/VescImuStamped.msg", "imu")],
    },
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=AMENT_PREFIX_PATH");
    let path = std::env::var_os("AMENT_PREFIX_PATH").unwrap_or_default();
    let with_ros = std::env::var_os("CARGO_FEATURE_ROS").is_some();
    for package in OPTIONAL {
        let values: Vec<String> = package.versions.iter().map(|version| format!("\"{version}\"")).collect();
        println!("cargo::rustc-check-cfg=cfg({}, values(none(), {}))", package.name, values.join(", "));
        let mut folders = std::env::split_paths(&path)
            .filter(|prefix| with_ros && !prefix.as_os_str().is_empty())
            .map(|prefix| prefix.join("share").join(package.name));
        let Some(folder) = folders.find(|folder| folder.join("package.xml").is_file()) else { continue };
        println!("cargo::rerun-if-changed={}", folder.join("package.xml").display());
        match usable_version(package, &folder) {
            Ok(major) => {
                println!("cargo::rustc-cfg={}", package.name);
                println!("cargo::rustc-cfg={}=\"{major}\"", package.name);
            }
            Err(reason) => println!("cargo::warning={}: {reason}; the node is built without", folder.display()),
        }
    }
}

/// The major version of the package in `folder` if the code can be built against it, otherwise why not.
fn usable_version(package: &Optional, folder: &Path) -> Result<&'static str, String> {
    let read = |file: PathBuf| std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()));
    let manifest = read(folder.join("package.xml"))?;
    let version = manifest.split_once("<version>").and_then(|(_, rest)| rest.split_once("</version>"));
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
