"""Files of grey pictures (PNG) whose bytes are the same on every machine: nothing is compressed, since compressors differ."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Sequence


def grey_png(rows: Sequence[Sequence[int]], bits: int) -> bytes:
    """The file of a picture of so many bits a pixel (2, 4, 8 or 16), by its rows from the top; each fills whole bytes."""
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), bits, 0, 0, 0, 0)
    lines = b"".join(b"\0" + packed(row, bits) for row in rows)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", b"".join(stored(lines))) + chunk(b"IEND", b"")


def packed(row: Sequence[int], bits: int) -> bytes:
    """The pixels of a row, the first in the highest bits."""
    if bits == 16:
        return struct.pack(f">{len(row)}H", *row)
    share = 8 // bits
    return bytes(sum(row[k + i] << (8 - bits * (i + 1)) for i in range(share)) for k in range(0, len(row), share))


def stored(data: bytes) -> Iterator[bytes]:
    """The zlib stream of these bytes, in blocks that are not compressed."""
    yield b"\x78\x01"
    for start in range(0, len(data), 65535):
        block = data[start : start + 65535]
        yield struct.pack("<BHH", start + 65535 >= len(data), len(block), len(block) ^ 0xFFFF) + block
    yield struct.pack(">I", zlib.adler32(data))


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
