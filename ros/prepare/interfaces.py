"""Generates message packages with CMake: those that the wheels lack into .ros/overlay, and skidpad's own into .ros/messages-<hash>."""

import functools
import glob
import os
import shutil

import host
import state
from report import CommandFailed, Problem, run_at_the_same_time, run_command

# The largest comes first.
MISSING = ["simulation_interfaces", "nav2_msgs", "autoware_vehicle_msgs", "autoware_control_msgs", "ackermann_msgs", "tf2_msgs", "vesc_msgs", "vision_msgs"]
# Packages of which the definitions of more than one major version are here: the first is that of Jazzy, the others lie in a folder
# of that name and are chosen by an environment variable of the package's name in capitals.
VERSIONS = {"simulation_interfaces": ["1", "2"]}
# What skidpad's own messages are made from.
MESSAGES = ["msg", "srv", "ros/messages/__init__.py", "CMakeLists.txt", "package.xml"]
SOURCES = os.path.join(state.ROOT, "ros", "interfaces")
# For the private ROS: what it can use of each package, quick to build.
C_ONLY = [
    "-DCMAKE_PROJECT_INCLUDE=" + os.path.join(SOURCES, "c_only.cmake"),
    "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG",
]


def overlay_inputs(base):
    """Hash of what the overlay is made from, given the hash of the ROS beneath it."""
    return state.digest(base, ("path", SOURCES), ("path", __file__), *[chosen_version(package) for package in VERSIONS])


def chosen_version(package, environment=None):
    """The major version of `package` to generate."""
    variable = package.upper()
    version = (os.environ if environment is None else environment).get(variable) or VERSIONS[package][0]
    if version not in VERSIONS[package]:
        raise Problem(variable, 'found "{}"'.format(version), accepted=", ".join(VERSIONS[package]))
    return version


def build_overlay(environment):
    """All packages that the wheels lack."""
    state.forget("overlay")
    fresh = state.OVERLAY + ".part"
    state.remove(fresh)
    def build(package):
        _build(package, _definitions(package), state.OVERLAY, environment, C_ONLY)

    run_at_the_same_time([functools.partial(build, package) for package in MISSING])
    for package in MISSING:
        _copy_installed(package, state.OVERLAY, fresh)
    _put(fresh, state.OVERLAY)


def _definitions(package):
    """The folder with the package's definitions: a copy where those of another version lie over those of the first."""
    source = os.path.join(SOURCES, package)
    if package not in VERSIONS or chosen_version(package) == VERSIONS[package][0]:
        return source
    merged = os.path.join(state.HOME, "build", package + "-source")
    state.remove(merged)
    shutil.copytree(source, merged)
    shutil.copytree(os.path.join(source, chosen_version(package)), merged, dirs_exist_ok=True)
    return merged


def messages_name(base):
    """The folder in .ros/ for skidpad's messages. A new text makes a new name, because r2r looks again only when a path changes."""
    folders = [("path", os.path.join(state.ROOT, name)) for name in ("msg", "srv")]
    return "messages-" + state.digest(base, *folders)[:12]


def messages_inputs(base):
    """Hash of what skidpad's messages are made from."""
    parts = [("path", os.path.join(state.ROOT, name)) for name in MESSAGES]
    return state.digest(base, ("path", __file__), *parts)


def build_messages(base, environment, private):
    """skidpad's own messages, for cargo to find before colcon has ever run; `private`: for the ROS in .ros/."""
    name = messages_name(base)
    final = os.path.join(state.HOME, name)
    fresh = final + ".part"
    # A copy, because CMake refuses header folders (NumPy's, in .ros/prefix) that lie inside the source folder.
    source = os.path.join(state.HOME, "build", "skidpad-source")
    state.remove(fresh)
    state.remove(source)
    for name in MESSAGES:
        path, copy = os.path.join(state.ROOT, name), os.path.join(source, name)
        if os.path.isdir(path):
            shutil.copytree(path, copy)
        else:
            os.makedirs(os.path.dirname(copy), exist_ok=True)
            shutil.copy(path, copy)
    _build("skidpad", source, final, environment, ["-DSKIDPAD_INTERFACES_ONLY=ON"] + (C_ONLY if private else []))
    _copy_installed("skidpad", final, fresh)
    _put(fresh, final)


def python_folder(name):
    """Where in the messages folder `name` the Python modules are, relative to it: that depends on the distribution."""
    folder = os.path.join(state.HOME, name)
    found = glob.glob(os.path.join(folder, "**", "skidpad", "__init__.py"), recursive=True)
    modules = [path for path in found if os.path.basename(os.path.dirname(os.path.dirname(path))).endswith("-packages")]
    return os.path.relpath(os.path.dirname(os.path.dirname(modules[0])), folder) if modules else "lib"


def _put(fresh, final):
    state.quieten_colcon(fresh)
    state.remove(final)
    os.rename(fresh, final)


def _build(package, source, final, environment, options):
    """Builds for the prefix `final` but installs into a folder of its own, which _copy_installed takes it from."""
    build = os.path.join(state.HOME, "build", package)
    log = os.path.join(state.HOME, "log", package + ".txt")
    cmake = shutil.which("cmake", path=environment["PATH"])
    state.remove(_installed(package))
    state.remove(build)
    try:
        command = [cmake, "-S", source, "-B", build, "-DCMAKE_INSTALL_PREFIX=" + final, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"]
        run_command(command + options, log, environment)
        run_command([cmake, "--build", build, "--parallel", str(os.cpu_count() or 2)], log, environment)
        run_command([cmake, "--install", build], log, dict(environment, DESTDIR=_installed(package)))
    except CommandFailed as failed:
        raise failed.problem("generating " + package, hint="without ROS: " + host.WITHOUT.split(", ")[1]) from None


def _installed(package):
    """The folder that stands for the root of the file system when `package` is installed."""
    return os.path.join(state.HOME, "build", package + "-installed")


def _copy_installed(package, final, fresh):
    """Copies what was built for `final` into `fresh`, which the caller renames once it is complete."""
    shutil.copytree(_installed(package) + final, fresh, symlinks=True, dirs_exist_ok=True)
    state.remove(_installed(package))
