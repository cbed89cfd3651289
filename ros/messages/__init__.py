"""The Python package of skidpad's ROS messages, `skidpad.msg`.

skidpad's own Python package has the same name. Where it is installed too, this one hands over to it, so that `import skidpad` in a sourced shell
gives both, whichever comes first on the path. The other order is in python/skidpad/__init__.py.
"""

import importlib.machinery
import os
import sys


def _own_package():
    """The specification of skidpad's own package, by its compiled module; none where it is not on the path."""
    find = importlib.machinery.PathFinder.find_spec
    for entry in sys.path:
        spec = find(__name__, [entry])
        folders = (spec and spec.submodule_search_locations) or []
        if any(find(__name__ + "._skidpad", [folder]) for folder in folders):
            return spec
    return None


def _hand_over(spec):
    """Makes this module the one of `spec`, with the messages behind it; why that is not possible, or none."""
    module = sys.modules[__name__]
    before = {name: getattr(module, name) for name in ("__file__", "__spec__", "__loader__", "__path__", "__doc__")}
    module.__file__, module.__spec__, module.__loader__ = spec.origin, spec, spec.loader
    module.__path__ = [*spec.submodule_search_locations, *before["__path__"]]
    try:
        spec.loader.exec_module(module)
    except ImportError as error:
        # Nodes go on with the messages alone.
        for name, value in before.items():
            setattr(module, name, value)
        return "{}: {}".format(os.path.dirname(spec.origin), error)
    return None


_found = _own_package()
_problem = _hand_over(_found) if _found else "only the messages of the ROS package are on the path\n  hint: install skidpad's wheel for " + sys.executable

if _problem:

    def __getattr__(name):
        raise AttributeError("module 'skidpad' has no attribute {!r}: {}".format(name, _problem), name=name)
