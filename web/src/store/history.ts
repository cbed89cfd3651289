// Recent history of one vehicle: a ring buffer of rows of equal size, so that memory is bounded however long the page is open.

/** Rows of numbers over time; the oldest go first. */
export class History {
  private readonly times: Float64Array;
  private readonly rows: Float64Array;
  private first = 0;
  private count = 0;

  constructor(
    /** Numbers of a row. */
    readonly width: number,
    /** Rows that are kept. */
    readonly capacity: number,
  ) {
    this.times = new Float64Array(capacity);
    // Not f32: rounded for display, a number has to be that of the newest state.
    this.rows = new Float64Array(capacity * width);
  }

  get length(): number {
    return this.count;
  }

  /** Time of the newest row [s]. */
  get end(): number | undefined {
    return this.count === 0 ? undefined : this.time(this.count - 1);
  }

  /** Time of a row [s], 0 being the oldest. */
  time(row: number): number {
    return this.times[this.slot(row)] ?? Number.NaN;
  }

  /** A number of a row. */
  value(row: number, column: number): number {
    return this.rows[this.slot(row) * this.width + column] ?? Number.NaN;
  }

  /** Whether this time [s] is so far from the newest row that it was a jump. */
  isLeap(time: number): boolean {
    if (this.count === 0) return false;
    const newest = this.time(this.count - 1);
    const previous = this.count > 1 ? newest - this.time(this.count - 2) : 0;
    return time - newest > Math.max(1, 10 * previous);
  }

  /** Adds a row out of `values`, from `offset` on. The same time again replaces the newest; time that runs back begins anew. */
  push(time: number, values: ArrayLike<number>, offset: number): void {
    const end = this.end;
    if (end !== undefined && time < end) this.clear();
    const replaces = this.count > 0 && time === end;
    if (!replaces) {
      if (this.count === this.capacity) this.first = (this.first + 1) % this.capacity;
      else this.count += 1;
    }
    const slot = this.slot(this.count - 1);
    this.times[slot] = time;
    for (let column = 0; column < this.width; column += 1) {
      this.rows[slot * this.width + column] = values[offset + column] ?? Number.NaN;
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.first = 0;
    this.count = 0;
  }

  /** The oldest row at or after this time [s]; `length` when there is none. */
  rowAt(time: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The rows from `start` to `end` [s], both included, as a copy that stays as it is. */
  slice(start: number, end: number): History {
    const from = this.rowAt(start);
    let to = this.rowAt(end);
    while (to < this.count && this.time(to) <= end) to += 1;
    const copy = new History(this.width, Math.max(1, to - from));
    const row = new Float64Array(this.width);
    for (let i = from; i < to; i += 1) {
      for (let column = 0; column < this.width; column += 1) row[column] = this.value(i, column);
      copy.push(this.time(i), row, 0);
    }
    return copy;
  }

  private slot(row: number): number {
    return (this.first + row) % this.capacity;
  }
}
