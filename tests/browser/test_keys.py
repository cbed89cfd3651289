"""Keys have their documented effects, whatever has the focus and whether or not caps lock is on."""


def driven(viewer):
    """Whether the drive panel shows a held key."""
    return viewer.page.locator("#drive .cap.held").count() > 0


def test_the_shift_lock_resets_nothing(viewer):
    resets = viewer.ask("skidpad.store.running.resets")
    # As with the shift lock: a capital, and no Shift.
    viewer.page.keyboard.press("R")
    shown = viewer.ask("skidpad.view.getShown('forces')")
    viewer.page.keyboard.press("F")
    assert viewer.ask("skidpad.view.getShown('forces')") is not shown, "F without Shift is f"
    viewer.let_pass(0.5)
    assert viewer.ask("skidpad.store.running.resets") == resets
    viewer.page.keyboard.press("Shift+R")
    viewer.until(f"skidpad.store.running.resets === {resets + 1}", "the reset")


def test_space_is_the_boxes_that_have_the_focus(viewer):
    viewer.page.locator("#transport select").focus()
    with viewer.held("Space"):
        viewer.let_pass(0.2)
        assert not driven(viewer)
    viewer.page.keyboard.press("Escape")
    viewer.page.locator("#transport select").blur()
    with viewer.held("Space"):
        viewer.wait_for(lambda: driven(viewer), "the brake")


def test_the_bare_view_is_left_by_its_button(viewer):
    viewer.page.click("#shows")
    viewer.page.get_by_role("button", name="Only the view").click()
    assert not viewer.page.locator("#inspector").is_visible()
    viewer.page.click("#panels")
    assert viewer.page.locator("#inspector").is_visible() and not viewer.page.locator("#panels").is_visible()
    assert not viewer.page.get_by_role("button", name="Only the view").is_visible(), "the menu is closed"


def test_the_button_for_dark_and_light_follows_the_system(viewer):
    drawn = "document.querySelector('#theme path').getAttribute('d')"
    light = viewer.ask(drawn)
    viewer.page.emulate_media(color_scheme="dark")
    viewer.until(f"{drawn} !== {light!r}", "the other sign")


def test_escape_closes_a_menu_wherever_the_focus_is(viewer):
    menu = viewer.page.get_by_role("group", name="What is shown")
    viewer.page.click("#shows")
    assert menu.is_visible()
    viewer.page.keyboard.press("Escape")
    assert not menu.is_visible()
    viewer.page.locator("#shows").focus()
    viewer.page.keyboard.press("Enter")
    assert menu.is_visible()
    viewer.page.keyboard.press("Escape")
    assert not menu.is_visible()
    assert viewer.ask("document.activeElement?.id") == "shows", "keyboard users keep their place"


def test_driving_while_time_stands_says_so(viewer):
    viewer.page.keyboard.press("p")
    viewer.until("skidpad.store.running.paused", "the pause")
    assert viewer.page.locator("#drive .when-paused").is_visible()
    with viewer.held("w"):
        viewer.page.get_by_text("Time is paused").wait_for()
