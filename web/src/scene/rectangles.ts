// Cells of a map as few rectangles.

/** A rectangle of cells: first column, first row, how many of each. */
export type CellRectangle = [x: number, y: number, width: number, height: number];

/**
 * Covers the cells that are not 0 by rectangles that do not overlap: each as wide as it can be, and then as high. None where it would
 * take more than `most`.
 */
export function mergedRectangles(
  cells: Uint8Array,
  columns: number,
  rows: number,
  most: number,
): CellRectangle[] | undefined {
  const isOpen = cells.slice();
  const found: CellRectangle[] = [];
  const isRowOpen = (from: number, width: number) => {
    for (let i = from; i < from + width; i += 1) if (!isOpen[i]) return false;
    return true;
  };
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const first = y * columns + x;
      if (!isOpen[first]) continue;
      let width = 1;
      while (x + width < columns && isOpen[first + width]) width += 1;
      let height = 1;
      while (y + height < rows && isRowOpen(first + height * columns, width)) height += 1;
      for (let row = 0; row < height; row += 1) isOpen.fill(0, first + row * columns, first + row * columns + width);
      if (found.length === most) return undefined;
      found.push([x, y, width, height]);
    }
  }
  return found;
}
