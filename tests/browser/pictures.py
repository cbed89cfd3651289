"""Takes the pictures of the viewer for README and manual (`make pictures`): worlds that run, as the page shows them.

Pictures are pages of 1280 by 720 with at most 256 colours, below 200 kB each. One of them moves: a lap of the figure of eight, below 1 MB.
`pictures.py NAME...` takes only those.
"""

import base64
import contextlib
import pathlib
import subprocess
import sys
import tempfile
import time
import urllib.request

import numpy as np

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).resolve().parents[1] / "support")]

import palette_png  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from running import BINARY, ROOT, WORLDS  # noqa: E402
from viewer import DESKTOP, Viewer, free_port, launch  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"


def figure_of_eight(viewer):
    """The racecar on the figure of eight of `make run`."""
    viewer.page.click("#camera-follow")
    viewer.until("skidpad.store.sample.time > 17", "a lap")


def office(viewer):
    """A TurtleBot in a map, with its lidar scan."""
    viewer.page.click("#camera-orbit")
    drive(viewer)


def track(viewer):
    """The racecar as it speeds up between walls, with the forces on its wheels."""
    viewer.page.click("#camera-follow")
    if not viewer.ask("skidpad.view.getShown('forces')"):
        viewer.page.keyboard.press("f")
    drive(viewer)


def drive(viewer):
    """Drives ahead, and lets time stand on the way."""
    with viewer.held("w"):
        viewer.until("skidpad.store.value('vx') > 0.5", "it to drive")
        # While the key is down, so that forces and plots show it.
        stop(viewer)


def stop(viewer):
    """Lets time stand."""
    if not viewer.ask("skidpad.store.running.paused"):
        viewer.page.click("#pause")
    viewer.until("skidpad.store.running.paused", "the pause")


# Name, arguments of `skidpad run`, colours of the page, what is done before the picture is taken.
PICTURES = [
    (
        "viewer_tracking",
        [WORLDS / "tracking.world.xml", "--set", "lidar=1", "--track", ROOT / "config" / "figure_eight.yaml"],
        "dark",
        figure_of_eight,
    ),
    ("viewer_office", [WORLDS / "office.world.xml"], "light", office),
    ("viewer_track", [WORLDS / "racecar.world.xml"], "dark", track),
]
# Lays the view as the page's own pictures have it, which do without haste, over the one that it can afford while things move.
AT_ITS_BEST = """async () => {
  const image = await createImageBitmap(await skidpad.view.screenshot());
  const live = document.querySelector("#view canvas");
  const still = document.createElement("canvas");
  [still.width, still.height] = [image.width, image.height];
  Object.assign(still.style, { position: "absolute", left: "0", top: "0", width: `${live.clientWidth}px`, height: `${live.clientHeight}px` });
  still.getContext("2d").drawImage(image, 0, 0);
  live.after(still);
}"""

PIXELS = """async (data) => {
  const image = await createImageBitmap(await (await fetch("data:image/png;base64," + data)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const bytes = context.getImageData(0, 0, image.width, image.height).data;
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return { width: image.width, height: image.height, bytes: btoa(text) };
}"""


# The picture that moves: its size, the simulated time between frames and of all of them [s], how long each is shown [s].
MOVING = "viewer_moving"
MOVING_SIZE = {"width": 1000, "height": 562}
FRAME_EVERY, FRAMES_END, FRAME_SHOWN = 0.2, 16.0, 0.1
# Step of the world [s].
STEP = 0.005


def main():
    wanted = sys.argv[1:] or [MOVING, *(name for name, *_ in PICTURES)]
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, arguments, scheme, act in PICTURES:
            if name in wanted:
                take(browser, name, arguments, scheme, act)
        if MOVING in wanted:
            film(browser)
        browser.close()


def take(browser, name, arguments, scheme, act):
    """Runs a world, looks at it, and writes a picture."""
    with watched(browser, arguments, scheme, DESKTOP) as viewer:
        act(viewer)
        stop(viewer)
        viewer.page.mouse.move(640, 300)
        viewer.let_pass(2)
        viewer.page.evaluate(AT_ITS_BEST)
        viewer.let_pass(1)
        picture = pixels(browser, viewer)
    write(name, palette_png.still(picture))


def film(browser):
    """Steps through a lap of the figure of eight, and writes the picture that moves."""
    _, arguments, scheme, _ = PICTURES[0]
    frames = []
    with watched(browser, arguments, scheme, MOVING_SIZE) as viewer:
        stop(viewer)
        viewer.page.keyboard.press("Shift+R")
        viewer.look("orbit")
        # The paths driven before, and the tooltip of the button.
        viewer.page.keyboard.press("c")
        viewer.page.mouse.move(500, 70)
        for _ in range(round(FRAMES_END / FRAME_EVERY)):
            order = {"do": "step", "count": round(FRAME_EVERY / STEP)}
            time_after = viewer.page.request.post(viewer.page.url.split("#")[0] + "api/orders", data=order).json()["time"]
            viewer.until(f"skidpad.store.sample.time > {time_after - 0.5 * STEP}", "the step")
            viewer.let_pass(0.3)
            frames.append(pixels(browser, viewer))
    write(MOVING, palette_png.moving(frames, FRAME_SHOWN))


@contextlib.contextmanager
def node(arguments):
    """The address of a world that runs."""
    port = free_port()
    address = f"http://127.0.0.1:{port}/"
    command = [BINARY, "run", *arguments, "--no-ros", "--web", f"127.0.0.1:{port}"]
    with tempfile.TemporaryFile() as log, subprocess.Popen([str(word) for word in command], stdout=log, stderr=log) as running:
        try:
            for _ in range(100):
                try:
                    urllib.request.urlopen(address).close()
                    break
                except OSError:
                    time.sleep(0.1)
            yield address
        finally:
            running.terminate()


@contextlib.contextmanager
def watched(browser, arguments, scheme, size):
    """A page that shows a world that runs."""
    with node(arguments) as address:
        yield Viewer(browser.new_context(viewport=size, color_scheme=scheme).new_page()).open(address)


def pixels(browser, viewer):
    """The page as an array of rows, columns and red, green, blue."""
    picture = base64.b64encode(viewer.page.screenshot()).decode()
    blank = browser.new_page()
    decoded = blank.evaluate(PIXELS, picture)
    blank.close()
    return np.frombuffer(base64.b64decode(decoded["bytes"]), np.uint8).reshape(decoded["height"], decoded["width"], 4)[..., :3]


def write(name, data):
    """Writes a picture of the manual."""
    file = FOLDER / f"{name}.png"
    file.write_bytes(data)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
