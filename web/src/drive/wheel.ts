// The page's end of driving: hands orders to a worker, which sends and repeats them.
import type { Order } from "../protocol/types";
import type { FromWorker, ToWorker } from "./messages";

/** Sends driving orders by a worker, which starts with the first. */
export class Wheel {
  private worker: Worker | undefined;

  /** @param failed called with the reason why an order was not carried out */
  constructor(
    private readonly token: () => string | undefined,
    private readonly failed: (error: string) => void,
  ) {}

  /** Sends an order; one that is held is repeated while the page is busy, for a second and a half at most. */
  send(order: Order, isHeld: boolean): void {
    const address = new URL("api/orders", location.href).href;
    this.tell({ order: JSON.stringify(order), isHeld, address, token: this.token() });
  }

  /** Nothing is driven any more. */
  release(): void {
    if (this.worker) this.tell("release");
  }

  private tell(message: ToWorker): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.failed(data.error);
    return worker;
  }
}
