// What the page and its worker for driving tell each other.

/** To the worker: an order as JSON, or nothing, which ends the driving. */
export type ToWorker = { order: string; isHeld: boolean; address: string; token: string | undefined } | "release";
/** From the worker: why an order was not carried out. */
export type FromWorker = { error: string };
