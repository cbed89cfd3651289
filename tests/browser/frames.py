"""Counts the pictures that the page draws in software while a vehicle drives: frames per second, processor time of the browser for each [ms], and
pixels of the canvas per pixel of the page.

`frames.py [--against FOLDER] [WORLD...]` (make frames). With `--against` the page built in another checkout, `web/dist` there, draws the same world
from the same camera in turn with this one, and each number is the median of the turns: what else the machine does meets both.
"""

import argparse
import os
import pathlib
import statistics
import sys
import time

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).resolve().parents[1] / "support")]

from pictures import node  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from running import ROOT  # noqa: E402
from viewer import FLAGS, Viewer, chromium  # noqa: E402

SIZE = {"width": 1440, "height": 900}
# Arguments of `skidpad run`, and the key that is held down meanwhile.
WORLDS = {
    "tracking": (["tracking", "--track", ROOT / "config" / "figure_eight.yaml"], None),
    "office": (["office"], "a"),
    "for_loop_fleet": (["for_loop_fleet"], "a"),
}
# Time in which the page finds the quality that it can draw [s].
SETTLING = 11
# A picture is a frame of the browser with any draw call.
COUNT = """() => {
  window.pictures = 0;
  let last = -1;
  const context = WebGL2RenderingContext.prototype;
  for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) {
    const draw = context[name];
    context[name] = function (...values) {
      const now = document.timeline.currentTime;
      if (now !== last) window.pictures += 1;
      last = now;
      return draw.apply(this, values);
    };
  }
}"""
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html", ".svg": "image/svg+xml"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("worlds", nargs="*", default=list(WORLDS), metavar="WORLD", help=f"of {', '.join(WORLDS)}; default: all")
    parser.add_argument("--against", type=pathlib.Path, metavar="FOLDER", help="web/dist of another checkout")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=8.0, help="how long pictures are counted in each turn")
    options = parser.parse_args()
    pages = {"before": options.against} if options.against else {}
    pages["now"] = ROOT / "web" / "dist"
    print(f"{'world':16}{'page':8}{'frames/s':>10}{'ms/frame':>10}{'canvas':>8}{'load':>8}", flush=True)
    with sync_playwright() as playwright:
        for world in options.worlds:
            counts = {name: [] for name in pages}
            aim = None
            for _ in range(options.turns):
                for name, folder in reversed(pages.items()):
                    seen, aim = count(playwright, world, folder, aim, options.seconds)
                    counts[name].append(seen)
            for name, turns in counts.items():
                frames, cost, canvas = (statistics.median(values) for values in zip(*turns, strict=True))
                print(f"{world:16}{name:8}{frames:10.1f}{cost:10.1f}{canvas:8.2f}{os.getloadavg()[0]:8.1f}", flush=True)


def count(playwright, world, folder, aim, seconds):
    """Frames per second, processor milliseconds of each, pixels per pixel; and where the camera looks, which is `aim` if given."""
    arguments, key = WORLDS[world]
    # The page's files are not the node's: the browser would keep such a page away from it.
    browser = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS, "--disable-features=LocalNetworkAccessChecks"])
    with node(arguments) as address:
        page = browser.new_context(viewport=SIZE, color_scheme="light").new_page()
        page.add_init_script(f"({COUNT})()")
        page.route(lambda link: "/api/" not in link, lambda route: answer(route, folder))
        viewer = Viewer(page).open(address)
        viewer.let_pass(1)
        if aim:
            viewer.ask("void (skidpad.view.lookout = values[0])", aim)
        else:
            aim = viewer.ask("skidpad.view.lookout")
        with viewer.held(*filter(None, [key])):
            viewer.let_pass(SETTLING)
            before, cost, start = viewer.ask("window.pictures"), processor(), time.monotonic()
            viewer.let_pass(seconds)
            pictures, cost, passed = viewer.ask("window.pictures") - before, processor() - cost, time.monotonic() - start
            canvas = viewer.ask("((canvas) => canvas.width / canvas.clientWidth)(document.querySelector('#view canvas'))")
    browser.close()
    return (pictures / passed, 1000 * cost / max(pictures, 1), canvas), aim


def answer(route, folder):
    """A file of the page."""
    name = route.request.url.split("#")[0].split("?")[0].split("/", 3)[3] or "index.html"
    file = folder / name
    route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix]) if file.is_file() else route.continue_()


def processor():
    """Processor time that the browsers of this program have taken [s]."""
    parents, times = {}, {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            _, _, after_number = (entry / "stat").read_text().partition("(")
        except OSError:
            continue
        command, _, values = after_number.rpartition(")")
        fields = values.split()
        parents[int(entry.name)] = int(fields[1])
        if command.startswith("chrom"):
            times[int(entry.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def is_ours(process):
        while process > 1 and process != os.getpid():
            process = parents.get(process, 0)
        return process == os.getpid()

    return sum(spent for process, spent in times.items() if is_ours(process))


if __name__ == "__main__":
    main()
