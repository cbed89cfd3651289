// Shared state of the parts of the page.
import type { Driver } from "../drive/driver";
import type { Connection } from "../protocol/connection";
import type { Order } from "../protocol/types";
import type { View3D } from "../scene/view3d";
import type { Store } from "../store/store";
import type { Level } from "./toast";

/** Handed to every part. */
export interface Page {
  store: Store;
  connection: Connection;
  driver: Driver;
  /** Undefined before it is loaded, and in browsers that cannot draw in 3-D. */
  view: View3D | undefined;
  /** Sends an order; shows a toast if it fails. Returns whether it succeeded. */
  tell(order: Order): Promise<boolean>;
  say(text: string, level?: Level): void;
}

/** Whether the page is as narrow as a phone, where panels fold into a sheet. */
export const NARROW = matchMedia("(max-width: 720px)");
