"""Fingerprints of functions and values: equal in another process and in another call exactly if what they do has not changed, as far as Python can tell.

Of a function, its code, default values and enclosed variables count, and the globals that it names: functions and classes in the same way, data by value, modules of the
user's own by their files and their data. What belongs to Python, to installed packages or to this package counts by its name and version. Names of variables, comments and
places in files do not count. The code is that of a Python version: 3.11 and 3.12 give different fingerprints.
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
import importlib.metadata
import importlib.util
import pathlib
import sys
import sysconfig
import types
from typing import Any

import numpy as np

from .errors import SweepError

# Values that are their own text.
PLAIN = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented), range)

# Attributes of a class that say nothing of what it does.
IGNORED = {"__dict__", "__weakref__", "__module__", "__doc__", "__firstlineno__", "__static_attributes__", "__annotations__", "__abstractmethods__", "_abc_impl"}


def fingerprint(value: Any, place: str, version: str | None = None) -> str:
    """16 hexadecimal digits for a function or another value. `place` names it in messages.

    Raises SweepError for what cannot be compared, such as an open file; with a `version`, that counts by its type alone.
    """
    walk = _Walk(place, version is not None)
    try:
        walk.add(value)
    except RecursionError:
        walk.place = [place]
        walk.refuse(value, "it is nested too deeply")
    return walk.digest.hexdigest()[:16]


def is_own(module: str | None) -> bool:
    """Whether a module belongs to the user: not to Python, to an installed package or to this one."""
    if module in (None, "builtins") or module.partition(".")[0] == "skidpad":
        return False
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is not None:
        return _is_own_file(file)
    # Of a notebook or a prompt, or made by a program; others without a file are compiled into Python.
    return module.partition(".")[0] not in {*sys.builtin_module_names, *sys.stdlib_module_names} or module == "__main__"


def _is_own_file(file: str) -> bool:
    path = pathlib.Path(file).resolve()
    is_installed = {"site-packages", "dist-packages"} & set(path.parts) or any(path.is_relative_to(folder) for folder in _python_folders())
    return not is_installed


@functools.cache
def _python_folders() -> list[pathlib.Path]:
    paths = sysconfig.get_paths()
    return [pathlib.Path(paths[name]).resolve() for name in ("stdlib", "platstdlib")]


@functools.cache
def _release(package: str) -> str:
    """Version of the package that a module belongs to; empty for Python's own."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return str(getattr(sys.modules.get(package), "__version__", ""))


class _Walk:
    """Goes through values in an order that is always the same, and feeds a checksum."""

    def __init__(self, place: str, lenient: bool) -> None:
        self.digest = hashlib.sha256()
        self.lenient = lenient
        self.place = [place]
        # Number of each object that can contain itself, and the object, which keeps its id from being given again.
        self.met: dict[int, tuple[int, Any]] = {}

    def note(self, *texts: str) -> None:
        """Feeds texts, so that no two lists of them are alike."""
        for text in texts:
            data = text.encode("utf-8", "surrogatepass")
            self.digest.update(f"{len(data)}:".encode() + data)

    def within(self, name: str, value: Any) -> None:
        """Adds a part, under its name."""
        self.place.append(name)
        self.note(name)
        self.add(value)
        self.place.pop()

    def is_known(self, value: Any) -> bool:
        """Whether the object has been met before; then its number is noted."""
        if id(value) in self.met:
            self.note("again", str(self.met[id(value)][0]))
            return True
        self.met[id(value)] = (len(self.met), value)
        return False

    def add(self, value: Any) -> None:
        """Feeds a value with all that it refers to."""
        kind = type(value)
        if kind in PLAIN:
            self.note(kind.__name__, value if isinstance(value, str) else repr(value))
        elif isinstance(value, enum.Enum):
            self.note("enum", kind.__qualname__, value.name)
            self.within("value", value.value)
        elif isinstance(value, np.dtype):
            self.note("dtype", str(np.dtype(value).descr))
        elif isinstance(value, np.generic | np.ndarray) and kind.__module__ == "numpy":
            self.add_array(np.asarray(value))
        elif kind in (list, tuple):
            if kind is tuple or not self.is_known(value):
                self.note(kind.__name__, str(len(value)))
                for index, item in enumerate(value):
                    self.within(f"[{index}]", item)
        elif kind is dict:
            self.add_items(value)
        elif kind in (set, frozenset):
            self.note(kind.__name__, *sorted(self.text_of(item) for item in value))
        elif isinstance(value, types.CodeType):
            self.add_code(value)
        elif isinstance(value, types.ModuleType):
            self.add_module(value)
        elif isinstance(value, type):
            self.add_class(value)
        elif not self.is_known(value):
            self.add_object(value)

    def text_of(self, item: Any) -> str:
        """A text that sorts members of sets and keys of dictionaries, and stands for them."""
        if type(item) in PLAIN:
            return f"{type(item).__name__} {item!r}"
        return fingerprint(item, self.place[0], "" if self.lenient else None)

    def add_items(self, values: dict[Any, Any]) -> None:
        if self.is_known(values):
            return
        self.note("dict", str(len(values)))
        items = list(values.values())
        for text, index in sorted((self.text_of(key), index) for index, key in enumerate(values)):
            self.within(text, items[index])

    def add_array(self, array: np.ndarray[Any, Any]) -> None:
        self.note("array", str(array.dtype.descr), str(array.shape))
        if array.dtype.hasobject:
            self.add(array.tolist())
        else:
            self.digest.update(np.ascontiguousarray(array).tobytes())

    def add_code(self, code: types.CodeType) -> None:
        arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        self.note("code", code.co_name, str(code.co_argcount), str(code.co_posonlyargcount), str(code.co_kwonlyargcount), str(code.co_flags))
        self.note(code.co_code.hex(), getattr(code, "co_exceptiontable", b"").hex(), *arguments)
        self.note(*code.co_names, *code.co_freevars, *code.co_cellvars)
        for constant in code.co_consts:
            self.add(constant)

    def add_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        if not is_own(name):
            self.note("module", name, _release(name.partition(".")[0]))
            return
        if self.is_known(module):
            return
        self.note("module", name)
        file = getattr(module, "__file__", None)
        if file and pathlib.Path(file).is_file():
            self.note(hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest())
        for key, value in sorted(vars(module).items()):
            if key.startswith("__"):
                continue
            if isinstance(value, types.ModuleType):
                self.within(key, value)
            elif isinstance(value, type | types.FunctionType):
                # What is defined there is in its file; what comes from elsewhere, in another one.
                if value.__module__ != name and is_own(value.__module__):
                    self.within(key, sys.modules.get(value.__module__, value))
            else:
                self.add_data(key, value)

    def add_import(self, name: str, package: str) -> None:
        """A module that a function imports when it runs; `package` is that of the function, for relative imports."""
        for full in (name, f"{package}.{name}".strip(".")):
            if full in sys.modules:
                self.within(full, sys.modules[full])
                return
            try:
                file = getattr(importlib.util.find_spec(full), "origin", None)
            except (ImportError, ValueError):
                continue
            if file is not None and pathlib.Path(file).is_file() and _is_own_file(file):
                self.note("module", full, hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest())
                return

    def add_data(self, name: str, value: Any) -> None:
        """Data of a module, which a program may have changed; what cannot be compared is as the file has made it."""
        try:
            self.note(name, fingerprint(value, self.place[0]))
        except SweepError:
            self.note(name, type(value).__qualname__)

    def add_class(self, kind: type) -> None:
        self.note("class", kind.__module__, kind.__qualname__)
        if not is_own(kind.__module__):
            self.note(_release(kind.__module__.partition(".")[0]))
            return
        if self.is_known(kind):
            return
        for base in kind.__bases__:
            self.add(base)
        if issubclass(kind, enum.Enum):
            self.within("members", {name: member.value for name, member in kind.__members__.items()})
        for name, value in sorted(vars(kind).items()):
            is_data = not isinstance(value, types.FunctionType | classmethod | staticmethod | property)
            if name in IGNORED or (is_data and name.startswith("__")) or (is_data and issubclass(kind, enum.Enum)):
                continue
            self.within(name, value)

    def add_function(self, function: types.FunctionType) -> None:
        self.note("function", function.__module__ or "", function.__qualname__)
        if not is_own(function.__module__):
            self.note(_release((function.__module__ or "").partition(".")[0]))
        else:
            self.add_code(function.__code__)
            for name in names(function.__code__, {"LOAD_GLOBAL", "LOAD_NAME", "LOAD_FROM_DICT_OR_GLOBALS"}):
                if name in function.__globals__:
                    self.within(name, function.__globals__[name])
            for name in names(function.__code__, {"IMPORT_NAME"}):
                self.add_import(name, str(function.__globals__.get("__package__") or ""))
        # Those of functions of packages may be the user's.
        self.within("default values", function.__defaults__)
        self.within("default values", function.__kwdefaults__)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                content = cell.cell_contents
            except ValueError:
                continue
            self.within(name, content)

    def add_object(self, value: Any) -> None:
        if isinstance(value, types.FunctionType):
            self.add_function(value)
        elif isinstance(value, types.MethodType):
            self.note("method")
            self.within(value.__func__.__name__, value.__func__)
            self.within("self", value.__self__)
        elif isinstance(value, types.BuiltinFunctionType):
            self.note("builtin", value.__module__ or "", value.__qualname__, _release((value.__module__ or "").partition(".")[0]))
            if value.__self__ is not None and not isinstance(value.__self__, types.ModuleType):
                self.within("self", value.__self__)
        elif isinstance(value, functools.partial):
            self.note("partial")
            for name, part in (("func", value.func), ("args", value.args), ("keywords", value.keywords)):
                self.within(name, part)
        elif isinstance(value, property):
            self.add((value.fget, value.fset, value.fdel))
        elif isinstance(value, classmethod | staticmethod | functools.cached_property):
            self.note(type(value).__name__)
            self.add(getattr(value, "__func__", None) or value.func)  # type: ignore[union-attr]
        elif isinstance(value, types.MemberDescriptorType | types.GetSetDescriptorType | types.MethodDescriptorType | types.WrapperDescriptorType | np.ufunc):
            kind: type = type(value)
            owner: type = getattr(value, "__objclass__", kind)
            self.note(kind.__name__, owner.__qualname__, value.__name__)
        elif type(value).__module__ == "typing" or isinstance(value, types.GenericAlias | types.UnionType):
            self.note("type", repr(value))
        elif callable(value) and hasattr(value, "__wrapped__"):
            self.note(type(value).__qualname__)
            self.within("wrapped", value.__wrapped__)
        else:
            self.add_instance(value)

    def add_instance(self, value: Any) -> None:
        """An instance, by its class and by what pickle would keep of it."""
        self.add(type(value))
        try:
            made = value.__reduce_ex__(4)
        except Exception as error:  # noqa: BLE001 - whatever a class raises when it is asked
            self.refuse(value, str(error))
            return
        if isinstance(made, str):
            self.note("global", made)
            return
        maker, arguments, state, items, pairs = (*made, None, None, None)[:5]
        self.note(getattr(maker, "__module__", ""), getattr(maker, "__qualname__", ""))
        self.within("arguments", tuple(arguments))
        self.within("state", _named(state))
        self.within("items", list(items) if items is not None else None)
        self.within("items", dict(pairs) if pairs is not None else None)

    def refuse(self, value: Any, reason: str) -> None:
        """Raises SweepError for what cannot be compared, unless a version stands for it."""
        if self.lenient:
            return
        path = " → ".join(self.place)
        raise SweepError(
            f"{path}: changes of an object of type {type(value).__module__}.{type(value).__qualname__} cannot be detected: {reason.splitlines()[0] if reason else 'no reason given'}"
            "\n  accepted: functions, and numbers, texts, arrays, containers and instances of them"
            '\n  hint: create the object inside the function, or give version="1" and raise it with each change'
        )


def _named(state: Any) -> Any:
    """The state of an instance; of one with slots, a pair of dictionaries."""
    if isinstance(state, tuple) and len(state) == 2 and isinstance(state[1], dict) and (state[0] is None or isinstance(state[0], dict)):
        return {**(state[0] or {}), **state[1]}
    return state


def names(code: types.CodeType, operations: set[str]) -> list[str]:
    """The names that these operations of code refer to, with those of functions defined in it, each once and sorted."""
    referenced = {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname in operations}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            referenced.update(names(constant, operations))
    return sorted(referenced)
