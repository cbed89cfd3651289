"""Recordings as MCAP (https://mcap.dev/spec): their topics and messages, in the order of the file."""

import ctypes
import ctypes.util
import struct

from problem import Problem

MAGIC = b"\x89MCAP0\r\n"
SCHEMA, CHANNEL, MESSAGE, CHUNK, DATA_END = 3, 4, 5, 6, 15
# Compressions of chunks, with the library that unpacks each.
LIBRARIES = {"zstd": "zstd", "lz4": "lz4"}
# Largest chunk [bytes]: skidpad's are of 1 MiB, those of rosbag2 of 768 KiB by default.
MAX_BYTES = 1 << 30


class Reader:
    """Reads one file. `topics` has name, type, encoding and quality of service of each channel by its number, as far as the file has been read."""

    def __init__(self, path):
        self.path, self.types, self.topics = path, {}, {}

    def messages(self):
        """Number of its channel, log time [ns] and bytes of each message. A file that was cut off is read as far as it is whole."""
        with open(self.path, "rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise Problem(self.path, "this is no MCAP file", ["a folder of ros2 bag record", "a file FILE.mcap"])
            try:
                yield from self._records(file)
            except (struct.error, OverflowError):
                raise self._broken("a record is not whole") from None

    def _records(self, file):
        while len(head := file.read(9)) == 9:
            kind, length = struct.unpack("<BQ", head)
            if kind == DATA_END:
                return
            if kind not in (SCHEMA, CHANNEL, MESSAGE, CHUNK):
                file.seek(length, 1)
                continue
            content = file.read(length)
            if len(content) < length:
                return
            if kind != CHUNK:
                yield from self._take(kind, content)
                continue
            for kind, part in _parts(self._unpacked(content)):
                yield from self._take(kind, part)

    def _take(self, kind, content):
        if kind == MESSAGE:
            channel, _, time, _ = struct.unpack_from("<HIQQ", content)
            yield channel, time, content[22:]
        elif kind == SCHEMA:
            name, _ = _text(content, 2)
            self.types[struct.unpack_from("<H", content)[0]] = name
        elif kind == CHANNEL:
            number, schema = struct.unpack_from("<HH", content)
            name, place = _text(content, 4)
            form, place = _text(content, place)
            end = place + 4 + struct.unpack_from("<I", content, place)[0]
            more, place = {}, place + 4
            while place < end:
                key, place = _text(content, place)
                more[key], place = _text(content, place)
            self.topics[number] = (name, self.types.get(schema, ""), form, more.get("offered_qos_profiles", ""))

    def _unpacked(self, chunk):
        """The records of a chunk."""
        size = struct.unpack_from("<Q", chunk, 16)[0]
        compression, place = _text(chunk, 28)
        length = struct.unpack_from("<Q", chunk, place)[0]
        packed = chunk[place + 8:place + 8 + length]
        if not compression:
            return packed
        found = ctypes.util.find_library(LIBRARIES[compression]) if compression in LIBRARIES else None
        if found is None:
            hint = "install lib{0}; `skidpad analyze` and `skidpad replay` read it without".format(compression)
            raise Problem(self.path, "its compression is " + compression, ["none", "one whose library is there"], hint)
        if size > MAX_BYTES:
            raise self._broken("a chunk of {} bytes".format(size))
        unpacked = (_zstd if compression == "zstd" else _lz4)(ctypes.CDLL(found), packed, size)
        if unpacked is None:
            raise self._broken("a chunk cannot be unpacked")
        return unpacked

    def _broken(self, found):
        return Problem(self.path, "is broken: " + found, hint="mcap recover saves what can be saved")


def _text(content, place):
    """A text with its length before it, and the place behind it."""
    begin = place + 4
    end = begin + struct.unpack_from("<I", content, place)[0]
    return content[begin:end].decode(errors="replace"), end


def _parts(records):
    """Kind and content of the records in a chunk."""
    place = 0
    while place + 9 <= len(records):
        kind, length = struct.unpack_from("<BQ", records, place)
        place += 9 + length
        yield kind, records[place - length:place]


def _zstd(library, packed, size):
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = (ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t)
    unpacked = ctypes.create_string_buffer(size)
    return unpacked.raw if library.ZSTD_decompress(unpacked, size, packed, len(packed)) == size else None


def _lz4(library, packed, size):
    """A chunk is one frame of LZ4."""
    version = 100
    library.LZ4F_decompress.restype = ctypes.c_size_t
    context = ctypes.c_void_p()
    if library.LZ4F_createDecompressionContext(ctypes.byref(context), ctypes.c_uint(version)):
        return None
    unpacked, done, used = ctypes.create_string_buffer(size), 0, 0
    while used < len(packed):
        room, left = ctypes.c_size_t(size - done), ctypes.c_size_t(len(packed) - used)
        state = library.LZ4F_decompress(
            context, ctypes.byref(unpacked, done), ctypes.byref(room), packed[used:], ctypes.byref(left), None)
        done, used = done + room.value, used + left.value
        # 0 at the end of the frame; errors are beyond any size.
        if state == 0 or library.LZ4F_isError(ctypes.c_size_t(state)) or not (room.value or left.value):
            break
    library.LZ4F_freeDecompressionContext(context)
    return unpacked.raw if done == size else None
