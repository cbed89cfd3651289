"""skidpad as a ROS 2 package: the manifest, the installed files, and a core without ROS (REQ-P1)."""

import collections
import os
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree

from conftest import ROOT

# Keys of rosdep that the node's interface and its launch files need.
DEPENDS = {
    "rcl", "rcl_action", "ackermann_msgs", "simulation_interfaces", "geometry_msgs", "nav_msgs", "sensor_msgs", "std_msgs", "std_srvs", "tf2_msgs",
    "rosgraph_msgs", "diagnostic_msgs", "visualization_msgs",
}
RUNS_WITH = {"rosidl_default_runtime", "launch", "launch_ros", "ament_index_python", "robot_state_publisher", "nav2_map_server", "rviz2"}


def test_req_p1_the_manifest_is_of_format_3_and_has_the_keys():
    manifest = ElementTree.parse(ROOT / "package.xml").getroot()
    assert manifest.get("format") == "3"
    named = lambda *tags: {element.text for tag in tags for element in manifest.iter(tag)}  # noqa: E731
    assert named("depend", "build_depend") >= DEPENDS - {"simulation_interfaces"}
    assert named("depend", "exec_depend") >= RUNS_WITH
    assert named("build_type") == {"ament_cmake"}
    assert named("member_of_group") == {"rosidl_interface_packages"}


def test_req_p1_cargo_installs_for_colcon_what_cmake_installs():
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text())
    installed = cargo["package"]["metadata"]["ros"]["install_to_share"]
    cmake = (ROOT / "CMakeLists.txt").read_text()
    folders = next(line for line in cmake.splitlines() if line.startswith("install(DIRECTORY launch"))
    assert set(installed) == set(folders.split("DESTINATION")[0].removeprefix("install(DIRECTORY").split())
    assert all((ROOT / folder).is_dir() for folder in installed)
    assert cargo["workspace"]["package"]["version"] == ElementTree.parse(ROOT / "package.xml").findtext("version")


def test_a_message_package_installed_later_is_reported_with_the_command_that_helps(tmp_path):
    script = tmp_path / "script"
    subprocess.run(["rustc", "--edition", "2024", ROOT / "src" / "ros" / "build.rs", "-o", script], check=True)
    share, built = tmp_path / "prefix" / "share", tmp_path / "built"
    index = share / "ament_index" / "resource_index" / "packages"
    for folder in (index, share / "vesc_msgs" / "msg", built):
        folder.mkdir(parents=True)
    environment = dict(os.environ, OUT_DIR=str(built), AMENT_PREFIX_PATH=str(share.parent))
    run = lambda: subprocess.run([script], env=environment, capture_output=True, text=True, check=True).stdout  # noqa: E731
    # Cargo looks again when something is installed.
    before = run()
    assert f"cargo::rerun-if-changed={index}" in before and "rustc-cfg=" not in before
    (share / "vesc_msgs" / "msg" / "VescState.msg").write_text("float64 avg_vq\n")
    (share / "vesc_msgs" / "msg" / "VescImuStamped.msg").write_text("VescImu imu\n")
    (share / "vesc_msgs" / "package.xml").write_text("<package><version>1.2.0</version></package>")
    after = run()
    assert "warning=vesc_msgs: version 1 has been installed since r2r made its bindings" in after and "rustc-cfg=" not in after
    assert "hint: run: cargo clean -p skidpad-ros -p r2r -p r2r_actions -p r2r_msg_gen -p r2r_rcl" in after
    # What that leaves.
    for file in built.iterdir():
        file.unlink()
    assert 'rustc-cfg=vesc_msgs="1"' in run()


def test_req_p1_the_core_depends_on_nothing_of_ros():
    tree = subprocess.run(
        ["cargo", "tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    assert "rapier2d-f64" in tree
    assert not [line for line in tree.splitlines() if line.startswith(("r2r", "ros"))]


def test_all_builds_share_their_libraries():
    """A library with other features is built again, with all that are built on it."""

    def features(edges, *arguments):
        tree = ["cargo", "tree", "--offline", "--locked", *arguments, "--edges", edges, "--prefix", "none", "--format", "{p} {f}"]
        lines = subprocess.run(tree, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
        return {line.removesuffix(" (*)") for line in lines if line and not line.startswith("skidpad")}

    def named(lines, reference):
        """Of these libraries those that are among the others too, whatever their features."""
        names = {tuple(line.split()[:2]) for line in reference}
        return {line for line in lines if tuple(line.split()[:2]) in names}

    program_and_node = ("--package=skidpad", "--package=skidpad-node")
    programs, tests = features("normal", *program_and_node), features("normal,dev", *program_and_node)
    assert len(programs) > 100
    assert programs - tests == set()
    # `make run` builds the node alone, and `make build` both.
    node = features("normal,build", "--package=skidpad-node")
    assert node - features("normal,build", *program_and_node) == set()
    without = features("normal,build,dev")
    without = features("normal,build,dev")
    for other in (("--features=gpu",), program_and_node, ("--package=skidpad-python",)):
        libraries = features("normal,build,dev" if other != ("--package=skidpad-python",) else "normal,build", *other)
        assert len(named(libraries, without)) > 100
        # Small ones, with which others are built.
        differing = {line for line in named(libraries, without) - without if not line.startswith(("rand v0.8", "rand_core v0.6"))}
        assert differing == set(), other
    # What is built, and what builds it, share theirs too: r2r has its generator of bindings in both. Others are small.
    counted = collections.Counter(tuple(line.split()[:2]) for line in features("normal,build", *program_and_node))
    assert {name for (name, _), count in counted.items() if count > 1} <= {"rand", "rand_core", "rust-embed-utils"}


def test_a_release_builds_as_many_crates_as_committed():
    sys.path.insert(0, str(ROOT / "xtask"))
    import write_build

    committed = write_build.committed()
    for name, packages in write_build.BUILDS.items():
        counted = write_build.crates(packages)
        assert counted <= committed[f"crates of {name}"], f"{name}: if {counted} crates are intended, change the line in benches/build.tsv"
