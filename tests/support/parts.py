"""Hooks for tests that run in parts at the same time: they wait more than they work.

`--part 1/2` and `--part 2/2` share the tests among two runs, and `--part alone` has those for which others would take too much of the
machine. With `--shared FOLDER`, an empty folder that the runs have in common, each takes the next test that no other has taken, so that all end at
about the same time. Tests of a file that are marked `together` run in one part, in a row. A conftest imports all names.
"""

import contextlib
import fcntl
import hashlib
import itertools
import os
import pathlib
import tempfile

import pytest

DOMAINS = 100

_count = itertools.count(os.getpid())


def pytest_addoption(parser):
    parser.addoption("--part", default="1/1", help="K/N: a share of the tests, in domains that no other part has, but those marked alone; alone: those")
    parser.addoption("--shared", type=pathlib.Path, help="folder of the parts that run now: without it, part K of N has every N-th test from the K-th on")


def pytest_configure(config):
    config.addinivalue_line("markers", "alone: sends or measures so much that no other test should run at the same time")
    config.addinivalue_line("markers", "long: takes ten seconds or more, and begins before the others, so that no part waits for it at the end")
    config.addinivalue_line("markers", "together(name): shares what is started once with the tests of its file that have the same name: they run in a row")
    config.addinivalue_line("markers", "core: what every middleware of ROS has to pass, not the usual one alone")


def part_of(config):
    """Which part of how many, from 0 on."""
    if config.getoption("part") == "alone":
        return 0, 1
    part, parts = (int(number) for number in config.getoption("part").split("/"))
    assert 1 <= part <= parts, "--part K/N: K from 1 to N"
    return part - 1, parts


def group_of(item):
    """What an item has in common with those that run in a row with it."""
    marker = item.get_closest_marker("together")
    return f"{item.nodeid.partition('::')[0]}::{marker.args[0]}" if marker else item.nodeid


def order_of(group):
    """Those that share a simulator with all others come last, which so is there no longer than it is needed; before that long ones come first."""
    is_common = "reuse" in group[0].fixturenames and group[0].get_closest_marker("together") is None
    return is_common, not any(item.get_closest_marker("long") for item in group)


def pytest_collection_modifyitems(config, items):
    part, parts = part_of(config)
    alone = config.getoption("part") == "alone"
    is_whole = not alone and parts == 1
    groups = {}
    for item in items:
        if is_whole or (item.get_closest_marker("alone") is not None) == alone:
            groups.setdefault(group_of(item), []).append(item)
    chosen = list(groups.values()) if config.getoption("shared") or is_whole else list(groups.values())[part::parts]
    chosen.sort(key=order_of)
    chosen = [item for group in chosen for item in group]
    config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
    items[:] = chosen


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session):
    """As pytest's own loop, over the groups of tests that no other part has taken."""
    folder = session.config.getoption("shared")
    if folder is None or session.config.option.collectonly or session.testsfailed:
        return None

    def is_free(group):
        try:
            (folder / hashlib.sha256(group.encode()).hexdigest()).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True

    # One ahead, because what the following test has in common with this one is kept.
    own_items = (item for group, items in itertools.groupby(session.items, group_of) if is_free(group) for item in items)
    item = next(own_items, None)
    while item:
        following = next(own_items, None)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        for stop, reason in ((session.Failed, session.shouldfail), (session.Interrupted, session.shouldstop)):
            if reason:
                raise stop(reason)
        item = following
    return True


@contextlib.contextmanager
def free_domain(config):
    """A ROS domain that no other test or experiment on this machine uses at the time, in this run or another: its cars would seem to be this test's."""
    part, parts = part_of(config)
    share = DOMAINS // parts
    for _ in range(share):
        number = 1 + part * share + next(_count) % share
        with open(pathlib.Path(tempfile.gettempdir()) / f"skidpad-domain-{number}", "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield number
            return
    pytest.fail(f"all {share} domains are taken by other tests")


@pytest.fixture
def domain(pytestconfig):
    """A free ROS domain of the test."""
    with free_domain(pytestconfig) as number:
        yield number
