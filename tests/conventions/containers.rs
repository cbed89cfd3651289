//! The Dockerfile is built where there is Docker, which tests need not have: what it names is there.

use std::collections::BTreeSet;
use std::fs;

use skidpad::server::Listen;

use super::{none, root};

/// Its instructions: each on one line, without comments.
fn instructions(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    lines.join("\n").replace("\\\n", " ").lines().map(str::to_owned).collect()
}

/// What it names that is not there: stages, files, programs of cargo, the port of the page.
fn missing(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut stages = BTreeSet::new();
    for line in instructions(text) {
        let mut wrong_if =
            |is_wrong: bool, fault: &str| faults.extend(is_wrong.then(|| format!("Dockerfile: {fault}: {line}")));
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["FROM", image, "AS", stage] => {
                // An image of a registry has a tag.
                wrong_if(!stages.contains(image) && !image.contains(':'), "no such stage");
                stages.insert(stage.to_owned());
            }
            ["COPY", from, ..] if from.starts_with("--from=") => {
                wrong_if(!stages.contains(from.trim_start_matches("--from=")), "no such stage");
            }
            ["COPY", ref sources @ .., _] => {
                wrong_if(sources.iter().any(|source| !root().join(source).exists()), "no such file");
            }
            ["RUN", ..] => {
                for command in line.trim_start_matches("RUN ").split("&&").map(str::trim) {
                    let words: Vec<&str> = command.split_whitespace().collect();
                    match words[..] {
                        ["cargo", "build", ref options @ ..] => {
                            wrong_if(!options.contains(&"--locked"), "not --locked")
                        }
                        ["cp", "-r", ref sources @ .., _] => {
                            wrong_if(sources.iter().any(|name| !root().join(name).exists()), "no such folder");
                        }
                        ["install", "-D", file, _] => wrong_if(file != "target/release/skidpad", "not built"),
                        _ => {}
                    }
                }
            }
            ["EXPOSE", port] => wrong_if(port != Listen::PORT.to_string(), "not the port of the page"),
            ["ENV", web] if web.starts_with("SKIDPAD_WEB=") => {
                wrong_if(!web.ends_with(&format!(":{}", Listen::PORT)), "not the port of the page");
            }
            _ => {}
        }
    }
    faults
}

#[test]
fn the_dockerfile_names_what_is_there() {
    let text = fs::read_to_string(root().join("Dockerfile")).unwrap();
    let stages = instructions(&text).iter().filter(|line| line.starts_with("FROM ")).count();
    assert!(stages > 3, "{stages} stages read");
    none(missing(&text));
    // The file that colcon asks for, and the Rust of the image.
    assert!(text.contains("colcon build --base-paths skidpad") && root().join("package.xml").exists());
    let version = |text: &str| -> Vec<u32> { text.split('.').filter_map(|part| part.parse().ok()).collect() };
    let given = text.lines().find_map(|line| line.strip_prefix("ARG RUST=")).unwrap();
    assert!(version(given) >= version(env!("CARGO_PKG_RUST_VERSION")), "Rust {given}");
    let bad = "FROM nowhere AS a\nCOPY --from=b /x /y\nCOPY no_such_file /z\nRUN cargo build --release \\\n  && cp -r config no_such /out\n\
               EXPOSE 80\nENV SKIDPAD_WEB=0.0.0.0:80\nRUN install -D target/release/other /out\n";
    assert_eq!(missing(bad).len(), 8, "{:?}", missing(bad));
}

#[test]
fn images_are_built_from_what_git_has() {
    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let ignored = read(".dockerignore");
    let ignored: BTreeSet<&str> = ignored.lines().collect();
    let git = [read(".gitignore"), "/web/node_modules\n".to_owned()].concat();
    let folders = git.lines().filter_map(|line| line.strip_prefix('/')).filter(|line| !line.contains('*'));
    none(
        folders
            .filter(|folder| !ignored.contains(folder))
            .map(|folder| format!(".dockerignore lacks {folder}"))
            .collect(),
    );
}
