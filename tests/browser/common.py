"""Simulators and pages that tests have in common.

A test that asks for `node` gets a simulator that tests before it may have used, and with `viewer` a page of it. Both are as at their start: all is
reset, time goes on at its usual speed, and nothing is open, chosen or hidden on the page. What fails leaves neither to the next test.
"""

import json
import pathlib
import urllib.request
from contextlib import ExitStack

from parts import free_domain
from running import PATIENCE
from viewer import DESKTOP, Viewer

# Simulators that wait, paused, for further tests.
MAX_WAITING = 2
# What tests before may have left on a page.
STATE = """() => {
  const { store, view } = skidpad;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const named = (element) => element.id || element.ariaLabel || element.textContent.trim().slice(0, 30);
  return {
    bodies: [...store.world.vehicles, ...store.world.blocks].map(({ name }) => name),
    selected: store.selected,
    carried: view.load ?? null,
    camera: view.lookout.mode,
    pressed: all("[aria-pressed=true]").map(named),
    expanded: all("[aria-expanded=true]").map(named),
    ticked: all("input:checked").map((box) => box.parentElement.textContent),
    values: all("select, input:not([type=checkbox])").filter((field) => field.checkVisibility()).map(({ value }) => value),
    panels: all(".panel, .menu, dialog[open]").filter((panel) => panel.checkVisibility()).map(named),
    page: [...document.body.classList].sort().join(" "),
    sheet: document.body.dataset.sheet ?? "",
    address: location.hash,
    stored: { ...localStorage },
    focus: document.activeElement.tagName,
    globals: Object.keys(window).join(),
  };
}"""
# Lets go of what has the focus, and of what the selected vehicle did; messages, paths and the camera are as at first.
CLEAR = """([lookout, selected]) => {
  document.activeElement.blur();
  for (const button of document.querySelectorAll(".toast button")) button.click();
  skidpad.store.select(undefined);
  skidpad.store.select(selected);
  skidpad.view.clearPaths();
  skidpad.view.lookout = lookout;
  history.replaceState(null, "", location.pathname);
}"""
LAYERS = "Object.fromEntries([...'fltbnoux'].map((key, i) => [key, skidpad.view.getShown(values[i])]))"
NAMES = ["forces", "points", "paths", "reference", "names", "shadows", "relief", "frames"]


def order(node, **fields):
    """Carries out an order of the viewer's protocol; its answer."""
    content = {"Content-Type": "application/json"}
    request = urllib.request.Request(node.link.split("#")[0] + "api/orders", json.dumps(fields).encode(), content)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


class Common:
    """Simulators by what they were started with, each with its domain and its last page."""

    def __init__(self, config, browser, start, folder):
        self.config, self.browser, self.start, self.folder = config, browser, start, folder
        # Those used last are at the end.
        self.running = {}

    def take(self, world, args=(), ros_args=()):
        """A simulator of this world, a file or its text, at its start."""
        key = (world, tuple(args), tuple(ros_args))
        entry = self.running.pop(key, None)
        if entry is not None and not entry.is_clean:
            entry.close()
            entry = None
        while entry is None and len(self.running) >= MAX_WAITING:
            self.running.pop(next(iter(self.running))).close()
        entry = self.running[key] = entry or Entry(self, *key)
        entry.is_clean = False
        for request in ({"do": "reset"}, {"do": "set_rate", "rate": 1.0}, {"do": "resume"}):
            order(entry.node, **request)
        return entry

    def close(self):
        for entry in self.running.values():
            entry.close()
        self.running.clear()


class Entry:
    """A running simulator, and the page that looks at it."""

    def __init__(self, common, world, args, ros_args):
        self.browser = common.browser
        with ExitStack() as ends:
            self.domain = ends.enter_context(free_domain(common.config))
            self.node = common.start(ends, self.domain, as_file(world, common.folder), args, ros_args)
            # Nothing of it ends before `close` unless its start has failed.
            self.ends = ends.pop_all()
        self.is_clean = False
        self.heard = 0
        self.page = self.page_options = None

    def viewer(self, viewport=DESKTOP, color_scheme="light", **options):
        """A page of this simulator with these options, as just opened."""
        if self.page is not None and self.page_options != (viewport, options):
            self.leave()
        if self.page is not None:
            self.page.renew(self.node, color_scheme)
            return self.page
        context = self.browser.new_context(viewport=viewport, color_scheme=color_scheme, **options)
        self.page, self.page_options = CommonViewer(context), (viewport, options)
        self.page.open(self.node.link)
        self.page.settle()
        self.page.remember()
        return self.page

    def leave(self):
        """Closes the page."""
        if self.page is not None:
            self.page.page.context.close()
        self.page = None

    def pause(self):
        """Lets time stand until the next test, which gets what this one has used."""
        order(self.node, do="pause")
        self.is_clean = True

    def new_output(self):
        """What the simulator has printed since the last test."""
        text, before = self.node.log, self.heard
        self.heard = len(text)
        return text[before:]

    def close(self):
        self.leave()
        self.ends.close()


class CommonViewer(Viewer):
    """A page that one test after the other uses."""

    def __init__(self, context):
        context.set_default_timeout(1000 * PATIENCE)
        super().__init__(context.new_page())
        self.link = None
        # Orders that are on their way.
        self.orders = 0
        self.page.on("request", lambda request: self.count(request, 1))
        self.page.on("requestfinished", lambda request: self.count(request, -1))
        self.page.on("requestfailed", lambda request: self.count(request, -1))

    def count(self, request, change):
        if request.url.endswith("api/orders"):
            self.orders += change

    def remember(self):
        """Takes what the page shows now for its beginning."""
        self.lookout, self.layers = self.ask("[skidpad.view.lookout, LAYERS]".replace("LAYERS", LAYERS), *NAMES)
        self.first = self.page.evaluate(STATE)

    def renew(self, node, color_scheme):
        """Brings the page of a simulator that was reset back to its beginning: by closing what is open, or else by loading it again."""
        self.page.emulate_media(color_scheme=color_scheme)
        self.faults, self.allowed = [], self.allowed[:1]
        self.follow(node)
        self.clear()
        if self.page.evaluate(STATE) != self.first:
            self.reload()

    def follow(self, node):
        """Waits until the page shows what is so since the reset."""
        status = ask(node, "status")
        self.until(
            f"skidpad.store.running.resets === {status['resets']} && !skidpad.store.running.paused && skidpad.store.running.rate === 1"
            f" && skidpad.store.sample?.time > {status['time']}", "the page to show the reset",
        )

    def clear(self):
        """Closes what is open, and shows what was shown at first."""
        self.page.mouse.move(0, 0)
        for _ in range(2):
            self.page.keyboard.press("Escape")
        if self.page.locator("#log").is_visible():
            self.page.click("#log-button")
        if self.ask("document.body.classList.contains('bare')"):
            self.page.keyboard.press("z")
        if sheet := self.ask("document.body.dataset.sheet ?? ''"):
            self.page.locator(f".tab-{sheet}").click()
        self.page.evaluate(CLEAR, [self.lookout, self.first["selected"]])
        for key, shown in self.ask(LAYERS, *NAMES).items():
            if shown is not self.layers[key]:
                self.page.keyboard.press(key)

    def reload(self):
        """Loads the page anew, as for somebody who has never seen it."""
        self.page.evaluate("() => { localStorage.clear(); history.replaceState(null, '', location.pathname); }")
        self.page.reload()
        self.until_shown()
        self.settle()
        now = self.page.evaluate(STATE)
        assert now == self.first, {key: (self.first[key], now[key]) for key in now if now[key] != self.first[key]}

    def let_go(self):
        """Waits until the page drives nothing any more and all its orders have been answered."""
        self.until("!document.querySelector('#drive.active')", "the page to let go")
        self.wait_for(lambda: self.orders == 0, "answers to the page's orders")


def ask(node, path):
    """What a request of the viewer's protocol answers."""
    with urllib.request.urlopen(f"{node.link.split('#')[0]}api/{path}", timeout=PATIENCE) as answer:
        return json.load(answer)


def as_file(world, folder):
    """The world's file, written if this is its text."""
    if isinstance(world, pathlib.Path):
        return world
    file = folder / f"{abs(hash(world))}.world.xml"
    file.write_text(world)
    return file
