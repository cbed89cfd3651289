// Makes links to the present view, and opens those that others made.

import type { Page } from "../panels/page";
import type { ViewBar } from "../panels/viewbar";
import { button } from "../parts/button";
import { byId } from "../parts/dom";
import { fragmentOf, type View, viewOf } from "./link";

/** Makes the button. The returned function aims the camera as the address asks, once there is a view. */
export function sharing(page: Page, bar: ViewBar): () => void {
  const { store } = page;
  /** What the address still asks for. */
  let wanted: View = viewOf(location.hash);

  const share = () => {
    const { view } = page;
    const fragment = fragmentOf({
      ...(view === undefined ? {} : { lookout: view.lookout }),
      ...(store.vehicle === undefined ? {} : { vehicle: store.vehicle.name }),
      ...(store.isReplay && store.sample !== undefined ? { time: store.sample.time } : {}),
      ...bar.choices(),
    });
    // In the address it also survives a reload.
    history.replaceState(history.state, "", `${location.pathname}${location.search}#${fragment}`);
    const remark = page.connection.token === undefined ? "" : " It does not contain the token.";
    const copied = navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error("no clipboard"));
    copied.then(
      () => page.say(`Link to this view copied.${remark}`),
      () => page.say(`The address of this page is now a link to this view.${remark}`),
    );
  };
  const maker = (options: { id?: string; tip?: string; class?: string }) =>
    button({ icon: "link", name: "Copy a link to this view", ...options, press: share });
  byId("tools").prepend(maker({ id: "link", tip: "below-end" }));
  byId("viewbar").append(maker({ class: "narrow-only" }));

  function aim(): void {
    if (page.view === undefined || wanted.lookout === undefined) return;
    page.view.lookout = wanted.lookout;
    delete wanted.lookout;
  }
  function choose(): void {
    const index = store.world?.vehicles.findIndex(({ name }) => name === wanted.vehicle) ?? -1;
    if (wanted.vehicle === undefined || store.world === undefined) return;
    if (index >= 0) store.select(index);
    else page.say(`${wanted.vehicle}: the link names a vehicle that is not here`, "warning");
    delete wanted.vehicle;
  }
  function seek(): void {
    const { time } = wanted;
    if (time === undefined || store.running?.span == null || store.isReadOnly || store.current.is !== "live") return;
    delete wanted.time;
    // An instant, not where the recording would be some seconds later.
    page.tell({ do: "pause" });
    page.tell({ do: "seek", time });
  }
  function layers(): void {
    for (const layer of wanted.show ?? []) bar.choose(layer, true);
    for (const layer of wanted.hide ?? []) bar.choose(layer, false);
  }
  layers();
  store.on("scene", choose);
  store.on("status", seek);
  addEventListener("hashchange", () => {
    wanted = viewOf(location.hash);
    layers();
    choose();
    aim();
    seek();
  });
  return aim;
}
