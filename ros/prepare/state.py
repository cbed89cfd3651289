"""Paths of the set-up, and its finished steps.

A step is finished if the file `.ros/done/<step>` contains the hash of its inputs. That file is written last and by renaming, so an interrupted step
counts as unfinished and is repeated from its start.
"""

import hashlib
import os
import shutil

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOME = os.path.join(ROOT, ".ros")
PREFIX = os.path.join(HOME, "prefix")
OVERLAY = os.path.join(HOME, "overlay")


def digest(*parts):
    """Hash of texts, and of files and folders with their names; a part is a file or folder if it is written as ("path", p)."""
    total = hashlib.sha256()
    for part in parts:
        if isinstance(part, tuple):
            for path in _files(part[1]):
                total.update(os.path.relpath(path, ROOT).encode() + b"\0")
                with open(path, "rb") as file:
                    total.update(hashlib.sha256(file.read()).digest())
        else:
            total.update(part.encode() + b"\0")
    return total.hexdigest()


def _files(path):
    if os.path.isfile(path):
        return [path]
    found = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        found += [os.path.join(folder, name) for name in sorted(names)]
    return found


def is_done(step, inputs):
    """True if `step` was finished from these inputs."""
    try:
        with open(os.path.join(HOME, "done", step)) as file:
            return file.read() == inputs
    except OSError:
        return False


def mark_done(step, inputs):
    """Records that `step` was finished from these inputs."""
    write(os.path.join(HOME, "done", step), inputs)


def forget(step):
    """Records that `step` is not finished."""
    remove(os.path.join(HOME, "done", step))


def write(path, text):
    """Writes a file atomically."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = path + ".part"
    with open(part, "w") as file:
        file.write(text)
    os.replace(part, path)


def remove(path):
    """Removes a file, link or folder, if there is one."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.remove(path)


def quieten_colcon(prefix):
    """colcon warns about a prefix without these files, which it would source; here ros/env.sh sets the variables instead."""
    for shell in ("sh", "bash", "zsh"):
        write(os.path.join(prefix, "local_setup." + shell), "# Nothing to do: ros/env.sh sets the variables of this prefix.\n")
