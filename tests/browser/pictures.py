"""Retakes the pictures of the README (`make pictures`): running worlds, as shown by the page.

Each is a page of 1280 by 720 with at most 256 colours, which keeps it below 200 kB.
"""

import base64
import pathlib
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).resolve().parents[1] / "support")]

from playwright.sync_api import sync_playwright  # noqa: E402
from running import BINARY, ROOT, WORLDS  # noqa: E402
from viewer import DESKTOP, Viewer, free_port, launch  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"


def figure_of_eight(viewer):
    """The racecar on the figure of eight of `make run`."""
    viewer.page.click("#camera-follow")
    viewer.until("skidpad.store.sample.time > 17", "a lap")


def office(viewer):
    """A TurtleBot in a map, with what its lidar sees."""
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


def main():
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for name, arguments, scheme, act in PICTURES:
            take(browser, name, arguments, scheme, act)
        browser.close()


def take(browser, name, arguments, scheme, act):
    """Runs a world, looks at it, and writes a picture."""
    port = free_port()
    command = [BINARY, "run", *arguments, "--no-ros", "--web", f"127.0.0.1:{port}"]
    with tempfile.TemporaryFile() as log, subprocess.Popen([str(word) for word in command], stdout=log, stderr=log) as node:
        try:
            viewer = Viewer(browser.new_context(viewport=DESKTOP, color_scheme=scheme).new_page())
            for _ in range(100):
                try:
                    viewer.page.goto(f"http://127.0.0.1:{port}/")
                    break
                except Exception:
                    time.sleep(0.1)
            viewer.open(f"http://127.0.0.1:{port}/")
            act(viewer)
            stop(viewer)
            viewer.page.mouse.move(640, 300)
            viewer.rest(2)
            viewer.page.evaluate(AT_ITS_BEST)
            viewer.rest(1)
            picture = base64.b64encode(viewer.page.screenshot()).decode()
            blank = browser.new_page()
            found = blank.evaluate(PIXELS, picture)
        finally:
            node.terminate()
    pixels = np.frombuffer(base64.b64decode(found["bytes"]), np.uint8).reshape(found["height"], found["width"], 4)[..., :3]
    file = FOLDER / f"{name}.png"
    file.write_bytes(png(*quantised(pixels)))
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")


def quantised(pixels):
    """The index of each pixel in a palette of at most 256 colours, and the palette: boxes of colours halved where they are widest."""
    colours, inverse, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    boxes = [np.arange(len(colours))]
    while len(boxes) < 256:
        spread = [np.ptp(colours[box].astype(int), axis=0).max() * np.sqrt(counts[box].sum()) if len(box) > 1 else 0 for box in boxes]
        widest = int(np.argmax(spread))
        if spread[widest] == 0:
            break
        box = boxes.pop(widest)
        axis = np.ptp(colours[box].astype(int), axis=0).argmax()
        box = box[np.argsort(colours[box, axis], kind="stable")]
        middle = np.searchsorted(np.cumsum(counts[box]), counts[box].sum() / 2) if len(box) > 2 else 0
        middle = min(max(int(middle), 1), len(box) - 1)
        boxes += [box[:middle], box[middle:]]
    of_colour = np.empty(len(colours), np.uint8)
    palette = []
    for index, box in enumerate(boxes):
        of_colour[box] = index
        palette.append(np.average(colours[box], axis=0, weights=counts[box]).round().astype(np.uint8))
    return of_colour[inverse.reshape(-1)].reshape(pixels.shape[:2]), np.array(palette, np.uint8)


def png(indices, palette):
    """A PNG of indexed colours."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    height, width = indices.shape
    rows = b"".join(b"\0" + row.tobytes() for row in indices)
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", palette.tobytes()) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


if __name__ == "__main__":
    main()
