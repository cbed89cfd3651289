"""Clouds and pictures of sensors on the page, of a running world and of its recording."""

import pathlib
import signal

import pytest
from viewer import GONE

SEEING = pathlib.Path(__file__).parent / "seeing.world.xml"
# Mean red, green and blue of a picture in the dock.
MEAN = """(() => {
  const canvas = document.querySelector(`#cameras figure[data-topic="${values[0]}"] canvas`);
  const { data } = canvas.getContext("2d").getImageData(0.4 * canvas.width, 0.4 * canvas.height, 0.2 * canvas.width, 0.2 * canvas.height);
  const sum = [0, 0, 0];
  for (let i = 0; i < data.length; i += 4) for (const c of [0, 1, 2]) sum[c] += data[i + c];
  return sum.map((total) => (4 * total) / data.length);
})()"""


def picture(viewer, topic):
    """The figure of a topic, once its menu is ticked and a picture is there; time of the picture [s]."""
    figure = viewer.page.locator(f'#cameras figure[data-topic="{topic}"]')
    if figure.count() == 0:
        viewer.page.click("#choose-cameras")
        viewer.page.get_by_label(topic, exact=True).first.check()
        viewer.page.click("#choose-cameras")
    return figure, float(viewer.wait_for(lambda: figure.get_attribute("data-time"), f"a picture of {topic}"))


def check_cloud(viewer):
    """Points of the VLP-16 and of the depth camera, from the floor to the top of the wall."""
    viewer.until("skidpad.view.stats.clouds?.points > 4000", "the clouds of both")
    low, high = viewer.ask("skidpad.view.stats.clouds.reach")
    assert low == pytest.approx(0.0, abs=0.1) and 1.5 < high < 3.1, (low, high)


def check_pictures(viewer):
    """The crate in front of the camera is red, and 1.8 m away."""
    figure, _ = picture(viewer, "front_rgb/image_raw")
    red, green, blue = viewer.ask(MEAN, "front_rgb/image_raw")
    assert red > 1.5 * green and red > 1.5 * blue, (red, green, blue)
    figure, _ = picture(viewer, "front_depth/image_raw")
    assert "white 0 m, dark 10 m" in figure.inner_text() or "white 0 m, dark 5 m" in figure.inner_text()
    black = 10.0 if "10 m" in figure.inner_text() else 5.0
    assert viewer.ask(MEAN, "front_depth/image_raw")[0] == pytest.approx(255 - 254 * 1.8 / black, abs=6)


def test_clouds_and_pictures_of_a_run_and_of_its_recording(serve, replay, look, tmp_path):
    file = tmp_path / "run.mcap"
    node = serve(world=SEEING, args=["--record", str(file)])
    viewer = look(node.link)
    assert viewer.page.locator("#cameras").is_hidden(), "nothing is shown before it is asked for"
    check_cloud(viewer)
    check_pictures(viewer)
    _, first = picture(viewer, "front_rgb/image_raw")
    viewer.wait_for(lambda: picture(viewer, "front_rgb/image_raw")[1] > first + 0.3, "further pictures")

    # Colours follow the choice: those of the camera's own points are red.
    shot = viewer.page.locator("#view canvas").first.screenshot()
    viewer.page.click("#shows")
    viewer.page.get_by_label("Colour of clouds").select_option("intensity")
    viewer.page.click("#shows")
    viewer.wait_for(lambda: viewer.page.locator("#view canvas").first.screenshot() != shot, "other colours")

    viewer.page.keyboard.press("l")
    viewer.page.get_by_role("button", name="Close front_depth/image_raw").click()
    assert viewer.page.locator("#cameras figure").count() == 1
    viewer.let_pass(1.0)
    node.send(signal.SIGINT)
    assert node.wait() == 0
    viewer.allow(GONE)
    viewer.page.close()

    again = look(replay(file).link)
    again.until("skidpad.store.isReplay", "the recording")
    check_cloud(again)
    check_pictures(again)
