"""Pictures of at most 256 colours as PNG, still or moving (APNG), which browsers and GitHub show as they show any picture."""

import struct
import zlib

import numpy as np


def quantised(pixels, most=256):
    """The index of each pixel in a palette of at most `most` colours, and the palette: boxes of colours halved where they are widest."""
    colours, inverse, counts = np.unique(pixels.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    boxes = [np.arange(len(colours))]
    while len(boxes) < most:
        spread = [np.ptp(colours[box].astype(int), axis=0).max() * np.sqrt(counts[box].sum()) if len(box) > 1 else 0 for box in boxes]
        widest = int(np.argmax(spread))
        if spread[widest] == 0:
            break
        box = boxes.pop(widest)
        axis = np.ptp(colours[box].astype(int), axis=0).argmax()
        box = box[np.argsort(colours[box, axis], kind="stable")]
        middle = np.searchsorted(np.cumsum(counts[box]), counts[box].sum() / 2) if len(box) > 2 else 0
        middle = min(max(int(middle), 1), len(box) - 1)
        boxes += [box[:middle], box[middle:]]
    of_colour = np.empty(len(colours), np.uint8)
    palette = []
    for index, box in enumerate(boxes):
        of_colour[box] = index
        palette.append(np.average(colours[box], axis=0, weights=counts[box]).round().astype(np.uint8))
    return of_colour[inverse.reshape(-1)].reshape(pixels.shape[:2]), np.array(palette, np.uint8)


def nearest(pixels, palette):
    """The index of the nearest colour of a palette for each pixel, to five bits of each channel."""
    levels = np.arange(32) * 8 + 4
    grid = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), -1).reshape(-1, 1, 3)
    of_level = ((grid - palette.astype(int)) ** 2).sum(-1).argmin(-1).astype(np.uint8)
    level = pixels.astype(int) >> 3
    return of_level[(level[..., 0] << 10) | (level[..., 1] << 5) | level[..., 2]]


def still(pixels):
    """The PNG of one picture."""
    indices, palette = quantised(pixels)
    return SIGNATURE + _head(indices.shape) + _chunk(b"PLTE", palette.tobytes()) + _chunk(b"IDAT", _packed(indices)) + _chunk(b"IEND", b"")


def moving(frames, pause):
    """The animated PNG of pictures of one size, shown for `pause` [s] each, over and over."""
    sample = np.concatenate([frames[0], frames[len(frames) // 2], frames[-1]])
    _, palette = quantised(sample, 255)
    # The last colour stands for what stays as it was.
    same = len(palette)
    data = SIGNATURE + _head(frames[0].shape) + _chunk(b"acTL", struct.pack(">II", len(frames), 0))
    data += _chunk(b"PLTE", palette.tobytes() + b"\0\0\0") + _chunk(b"tRNS", b"\xff" * same + b"\0")
    before, number = None, 0
    for frame in frames:
        now = nearest(frame, palette)
        top, left, shown = (0, 0, now) if before is None else _changed(before, now, same)
        height, width = shown.shape
        # Leave what was there, and draw over it.
        control = struct.pack(">IIIIIHHBB", number, width, height, left, top, round(1000 * pause), 1000, 0, 0 if before is None else 1)
        data += _chunk(b"fcTL", control)
        number += 1
        if before is None:
            data += _chunk(b"IDAT", _packed(shown))
        else:
            data += _chunk(b"fdAT", struct.pack(">I", number) + _packed(shown))
            number += 1
        before = now
    return data + _chunk(b"IEND", b"")


SIGNATURE = b"\x89PNG\r\n\x1a\n"


def _changed(before, now, same):
    """The smallest rectangle with all pixels that differ: its top, left, and content, `same` where nothing changed."""
    differs = before != now
    rows, columns = np.flatnonzero(differs.any(1)), np.flatnonzero(differs.any(0))
    if len(rows) == 0:
        return 0, 0, np.full((1, 1), same, np.uint8)
    window = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    return int(rows[0]), int(columns[0]), np.where(differs[window], now[window], same).astype(np.uint8)


def _head(shape):
    return _chunk(b"IHDR", struct.pack(">IIBBBBB", shape[1], shape[0], 8, 3, 0, 0, 0))


def _packed(indices):
    return zlib.compress(b"".join(b"\0" + row.tobytes() for row in indices), 9)


def _chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
