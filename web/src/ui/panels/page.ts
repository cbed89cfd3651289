// Shared state of the parts of the page.
import type { Driver } from "../../drive/driver";
import type { Connection } from "../../protocol/connection";
import type { Order } from "../../protocol/types";
import type { Load, View3D } from "../../scene/view3d";
import type { Store } from "../../store/store";
import type { Level } from "../parts/toast";

/** Editing of the world file, as far as other parts deal with it. */
export interface EditMode {
  /** Whether clicks and drags edit the world file instead of the running world. */
  readonly isOn: boolean;
  /** Id of the body that is edited. */
  readonly chosen: number | undefined;
  /** A body was clicked, or what is none. */
  choose(entity: number | undefined): void;
  /** Gives a body another start pose. Returns whether that was done. */
  place(load: Load): Promise<boolean>;
}

/** Handed to every part. */
export interface Page {
  store: Store;
  connection: Connection;
  driver: Driver;
  /** Undefined before it is loaded, and in browsers that cannot draw in 3-D. */
  view: View3D | undefined;
  /** Undefined where the server does not let viewers edit. */
  edit: EditMode | undefined;
  /** Sends an order; shows a toast if it fails. Returns whether it succeeded. */
  tell(order: Order): Promise<boolean>;
  say(text: string, level?: Level): void;
}

/** Whether the page is as narrow as a phone, where panels fold into a sheet. */
export const NARROW = matchMedia("(max-width: 720px)");
