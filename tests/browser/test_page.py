"""The page as such: fast, without errors, readable by everyone, on large and small screens, dark and light."""

import pathlib

import pytest

from viewer import DESKTOP, PHONE

# Put there by `make test-browser`.
AXE = pathlib.Path(__file__).resolve().parents[2] / "target" / "browser" / "node_modules" / "axe-core" / "axe.min.js"
# The aim is 1 s; machines that run tests are busy, and draw in software.
FIRST_PAINT = 3000


def test_the_page_paints_at_once_and_without_errors(serve, look):
    viewer = look(serve().link)
    viewer.let_pass(1)
    paint = viewer.ask("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    scene = viewer.ask("performance.now()")
    size = viewer.ask("performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).reduce((sum, entry) => sum + entry.encodedBodySize, 0)")
    print(f"first paint after {paint:.0f} ms, {size / 1000:.0f} kB; asked {scene:.0f} ms after the start")
    assert paint < FIRST_PAINT
    assert 50_000 < size < 1_000_000, "compressed"
    assert viewer.page.title() == "yard – skidpad"


def serious(viewer):
    """What axe finds, but for advice of minor weight."""
    # Evaluated, because the page's policy lets no script in.
    viewer.page.evaluate(AXE.read_text())
    result = viewer.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['id']}: {violation['help']}: {[node['html'][:120] for node in violation['nodes'][:3]]}"
        for violation in result["violations"] if violation["impact"] != "minor"
    ]


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_everyone_can_read_it(node, look, scheme):
    assert AXE.is_file(), f"{AXE}: not there; run: make test-browser"
    viewer = look(node.link, color_scheme=scheme)
    viewer.page.locator("figure[data-plot=speed] canvas").wait_for()
    assert serious(viewer) == []
    background = viewer.page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number)")
    assert (max(background) < 128) == (scheme == "dark"), background
    # The button counts what is new.
    viewer.page.evaluate("() => skidpad.store.notice({ level: 'warning', text: 'a test', time: null, number: 0 })")
    assert serious(viewer) == [], "something new in the log"
    viewer.page.click("#log-button")
    assert serious(viewer) == [], "the log"
    viewer.page.keyboard.press("?")
    viewer.page.get_by_role("dialog").wait_for()
    assert serious(viewer) == [], "the help"


def test_every_control_is_reached_by_keyboard_and_seen_to_be(viewer):
    wanted = set(viewer.page.evaluate(
        "() => [...document.querySelectorAll('button, select, input, [role=listbox], [role=slider]')]"
        ".filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && e.tabIndex >= 0).map((e, i) => e.dataset.number = String(i))"
    ))
    reached = set()
    unseen = []
    for _ in range(2 * len(wanted)):
        viewer.page.keyboard.press("Tab")
        number, name, ring = viewer.page.evaluate(
            "() => { const e = document.activeElement; const s = getComputedStyle(e);"
            " return [e.dataset.number, e.ariaLabel ?? e.id ?? e.tagName, s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow !== 'none']; }"
        )
        if number is not None:
            reached.add(number)
            if not ring:
                unseen.append(name)
    assert wanted - reached == set()
    assert unseen == [], "no ring where the focus is"


@pytest.mark.page(viewport=PHONE, has_touch=True, is_mobile=True)
def test_a_phone_shows_the_world_and_nothing_beside_the_screen(viewer):
    width = viewer.ask("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    canvas = viewer.page.locator("#view canvas").first.bounding_box()
    assert canvas["width"] >= 0.9 * PHONE["width"] and canvas["height"] > 250
    assert viewer.page.locator("#pause").is_visible()
    time = viewer.ask("skidpad.store.sample.time")
    viewer.until(f"skidpad.store.sample.time > {time} + 0.3", "time to go on")


def test_on_a_small_desktop_nothing_lies_over_anything(viewer):
    boxes = {
        name: box for name in ("#bar", "#left", "#inspector", "#viewbar")
        if (box := viewer.page.locator(name).bounding_box()) is not None and box["height"] > 0
    }
    assert set(boxes) >= {"#bar", "#inspector", "#viewbar"}
    for name, box in boxes.items():
        assert box["x"] >= 0 and box["x"] + box["width"] <= DESKTOP["width"], name
        assert box["y"] >= 0 and box["y"] + box["height"] <= DESKTOP["height"], name
        for other, other_box in boxes.items():
            apart = (
                box["x"] + box["width"] <= other_box["x"] + 1 or other_box["x"] + other_box["width"] <= box["x"] + 1
                or box["y"] + box["height"] <= other_box["y"] + 1 or other_box["y"] + other_box["height"] <= box["y"] + 1
            )
            assert name == other or apart, f"{name} and {other}"
