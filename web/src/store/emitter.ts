// Events by name, each with the type of its data.

/** Calls listeners in the order in which they came. */
export class Emitter<Events extends object> {
  private readonly listeners = new Map<keyof Events, Set<(value: never) => void>>();

  /** Listens; the result stops that. */
  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    let listeners = this.listeners.get(name);
    if (listeners === undefined) {
      listeners = new Set();
      this.listeners.set(name, listeners);
    }
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  protected emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    for (const listener of this.listeners.get(name) ?? []) (listener as (value: Events[Name]) => void)(value);
  }
}
