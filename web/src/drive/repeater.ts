// Repeats the last driving order while the page is too busy to send the next one: the server stops a vehicle whose driver falls silent.

/** Longest pause between two orders that reach the server while the page drives [ms]; the page itself sends one each 50 ms. */
const PERIOD = 80;
/** How long the page may be silent before it counts as gone: then the server stops the vehicle, half a second later [ms]. */
const MAX_SILENCE = 1500;

/** Sends orders one after the other, so that none overtakes the one before; of those that wait, the newest. */
export class Repeater {
  private held: string | undefined;
  private waiting: string | undefined;
  private isBusy = false;
  private heard = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly post: (order: string) => Promise<void>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Takes the page's order; one that is held is repeated until the next one. */
  take(order: string, isHeld: boolean): void {
    this.held = isHeld ? order : undefined;
    this.heard = this.now();
    this.send(order);
  }

  /** Repeats nothing from now on. */
  release(): void {
    this.held = this.waiting = undefined;
    clearTimeout(this.timer);
  }

  private send(order: string): void {
    clearTimeout(this.timer);
    if (this.held !== undefined) this.timer = setTimeout(() => this.repeat(), PERIOD);
    this.waiting = order;
    if (!this.isBusy) void this.empty();
  }

  private repeat(): void {
    if (this.held !== undefined && this.now() - this.heard < MAX_SILENCE) this.send(this.held);
  }

  private async empty(): Promise<void> {
    this.isBusy = true;
    while (this.waiting !== undefined) {
      const order = this.waiting;
      this.waiting = undefined;
      await this.post(order);
    }
    this.isBusy = false;
  }
}
