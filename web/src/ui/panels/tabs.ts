// On a phone panels fold into a sheet at the bottom; this is the row of tabs that opens them.
import { byId, h } from "../parts/dom";
import { type IconName, icon } from "../parts/icons";

const TABS: { sheet: string; name: string; icon: IconName }[] = [
  { sheet: "vehicles", name: "Vehicles", icon: "list" },
  { sheet: "inspector", name: "Values", icon: "chart" },
  { sheet: "editor", name: "Edit", icon: "pencil" },
  { sheet: "drive", name: "Drive", icon: "gamepad" },
  { sheet: "viewbar", name: "View", icon: "sliders" },
];

/** Fills the row. */
export function tabs(): void {
  const elements = TABS.map((tab) =>
    h(
      "button",
      {
        type: "button",
        class: `tab tab-${tab.sheet}`,
        "aria-controls": tab.sheet,
        "aria-expanded": "false",
        onclick: () => open(document.body.dataset.sheet === tab.sheet ? undefined : tab.sheet),
      },
      icon(tab.icon),
      tab.name,
    ),
  );
  function open(sheet: string | undefined): void {
    if (sheet === undefined) delete document.body.dataset.sheet;
    else document.body.dataset.sheet = sheet;
    elements.forEach((element, i) => {
      element.setAttribute("aria-expanded", String(TABS[i]?.sheet === sheet));
    });
  }
  byId("tabs").append(...elements);
  // What opens over the sheet closes it.
  addEventListener("skidpad:sheet", () => open(undefined));
  // Touching the view or carrying something there closes the panel, to show the world.
  for (const event of ["pointerdown", "focusin"]) byId("view").addEventListener(event, () => open(undefined));
}
