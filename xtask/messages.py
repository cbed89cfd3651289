"""Lists the texts of errors, warnings, verdicts and reports, for a review of their wording: `file:line: [call] text`, one line each.

Usage: `python3 xtask/messages.py [--longest N] [FILE]...` lists the texts of all sources, or of these files. `--longest` prints the N with the
most words, after their number of words.

The list has these texts of Rust: arguments of the calls that make a message, and all other prose. It lacks tests, and calls for programmers
such as `expect`. Of Python it has the texts in `raise` statements. Line breaks are written as ` / `.
"""

import argparse
import ast
import pathlib
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
RUST_FOLDERS = ("src", "python/src")
PYTHON_FOLDER = "python/skidpad"
NOT_FOR_USERS = ("src/test-support", "src/bench")
# Calls whose texts are messages, even of one word.
MESSAGE = {"Diagnostic::new", "Diagnostic::of", "Failure::because", "accepted", "accepted_all", "hint", "note", "after", "warn!", "error!", "error", "refused"}
# Calls whose texts only programmers read.
FOR_PROGRAMMERS = {"expect", "expect_err", "panic!", "unreachable!", "assert!", "assert_eq!", "assert_ne!", "debug_assert!", "debug_assert_eq!", "trace!", "debug!", "concat!", "todo!", "messages!"}
OPEN, CLOSE = "([{", ")]}"
TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*)
    |(?P<raw>[bc]?r(?P<hashes>\#*)"(?P<raw_text>.*?)"(?P=hashes))
    |(?P<string>[bc]?"(?P<text>(?:\\.|[^"\\])*)")
    |(?P<char>b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\])')
    |(?P<lifetime>'\w+)
    |(?P<word>(?:r\#)?\w+(?:::\w+)*!?(?!=))
    |(?P<sign>[^\w\s])""",
    re.DOTALL | re.VERBOSE,
)
COMMENT_EDGE = re.compile(r"/\*|\*/")
ESCAPE = re.compile(r"\\(?:\r?\n\s*|u\{(?P<code>[0-9a-fA-F_]+)\}|x(?P<hex>[0-9a-fA-F]{2})|(?P<one>.))", re.DOTALL)
ONE = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
PLACEHOLDER = re.compile(r"\{[^{} ]*\}")
PROSE = re.compile(r"[a-z]{2,}")


class Token(NamedTuple):
    """A word, a sign or a text of Rust, and its line counted from 1."""

    kind: str
    text: str
    line: int


class Message(NamedTuple):
    """A text and where it stands."""

    file: str
    line: int
    call: str
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: [{self.call}] {' / '.join(self.text.splitlines())}"


def unescaped(text: str) -> str:
    """What a literal says, its continued lines joined."""

    def replace(found: re.Match[str]) -> str:
        if code := found["code"] or found["hex"]:
            return chr(int(code.replace("_", ""), 16))
        return ONE.get(found["one"], found["one"]) if found["one"] else ""

    return ESCAPE.sub(replace, text)


def end_of_comment(source: str, begin: int) -> int:
    """Where a block comment ends, which may hold others."""
    depth = 0
    for edge in COMMENT_EDGE.finditer(source, begin):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    return len(source)


def tokens(source: str) -> Iterator[Token]:
    """The tokens of a file of Rust without its comments."""
    position, line, counted = 0, 1, 0
    while found := TOKEN.search(source, position):
        position = end_of_comment(source, found.start()) if found[0] == "/*" else found.end()
        line += source.count("\n", counted, found.start())
        counted = found.start()
        match found.lastgroup and next(kind for kind in ("comment", "raw", "string", "char", "lifetime", "word", "sign") if found[kind] is not None):
            case "raw":
                yield Token("text", found["raw_text"], line)
            case "string":
                yield Token("text", unescaped(found["text"]), line)
            case "word" | "sign" as kind:
                yield Token(kind, found[0], line)


def without_tests(all_tokens: list[Token]) -> Iterator[Token]:
    """The tokens outside items for tests, and outside attributes but `#[error("…")]`."""
    index = 0
    while index < len(all_tokens):
        if all_tokens[index].text != "#" or all_tokens[index].kind != "sign":
            yield all_tokens[index]
            index += 1
            continue
        begin = index
        index = end_of_group(all_tokens, index, "]")
        if [token.text for token in all_tokens[begin + 1 : begin + 3]] == ["[", "error"]:
            yield from all_tokens[begin:index]
        if {token.text for token in all_tokens[begin:index]} >= {"cfg", "test"} or [token.text for token in all_tokens[begin + 2 : index - 1]] == ["test"]:
            index = end_of_group(all_tokens, index, "};")


def end_of_group(all_tokens: list[Token], begin: int, ends: str) -> int:
    """The index after the first of these signs that stands in no bracket, its own apart."""
    depth = 0
    for index in range(begin, len(all_tokens)):
        token = all_tokens[index]
        if token.kind == "sign":
            depth += (token.text in OPEN) - (token.text in CLOSE)
            if depth == 0 and token.text in ends:
                return index + 1
    return len(all_tokens)


def is_prose(text: str) -> bool:
    """Whether it has two words or more, of which one may be an argument."""
    words = PLACEHOLDER.sub("{}", text).split()
    return len(words) > 1 and any(PROSE.search(word) for word in words) and "</" not in text


def messages_of_rust(path: pathlib.Path, name: str) -> Iterator[Message]:
    """The messages of a file, each with the innermost call that it is given to, `format!` apart."""
    calls: list[str] = []
    before = ""
    for token in without_tests(list(tokens(path.read_text()))):
        if token.kind == "text":
            within = [call for call in calls if call and call not in ("format!", "format_args!", "Some", "Ok")]
            short = {"::".join(call.split("::")[-2:]) for call in within} | {call.split("::")[-1] for call in within}
            if not short & FOR_PROGRAMMERS and token.text.strip() and (short & MESSAGE and PROSE.search(PLACEHOLDER.sub("", token.text)) or is_prose(token.text)):
                yield Message(name, token.line, within[-1] if within else "", token.text)
        elif token.kind == "sign" and token.text in OPEN:
            calls.append(before if token.text != "{" or before.endswith("!") else "")
        elif token.kind == "sign" and token.text in CLOSE and calls:
            calls.pop()
        before = token.text if token.kind == "word" else ""


def text_of_python(node: ast.expr) -> str:
    """The text of a literal, with `{…}` for the values in it."""
    match node:
        case ast.JoinedStr(values):
            return "".join(text_of_python(value) for value in values)
        case ast.FormattedValue(value):
            return f"{{{ast.unparse(value)}}}"
        case ast.Constant(str(text)):
            return text
        case _:
            return ""


def messages_of_python(path: pathlib.Path, name: str) -> Iterator[Message]:
    """The texts that are raised."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for given in node.exc.args:
                if text := text_of_python(given):
                    yield Message(name, node.lineno, ast.unparse(node.exc.func), text)


def sources() -> list[pathlib.Path]:
    """All files of the program but its tests."""
    rust = [path for folder in RUST_FOLDERS for path in (ROOT / folder).rglob("*.rs")]
    kept = (path for path in rust if "tests" not in path.parts and not path.stem.endswith("tests"))
    python = (ROOT / PYTHON_FOLDER).rglob("*.py")
    return sorted(path for path in [*kept, *python] if not path.relative_to(ROOT).as_posix().startswith(NOT_FOR_USERS))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--longest", type=int, metavar="N")
    given = parser.parse_args(arguments)
    found: list[Message] = []
    for path in [file.resolve() for file in given.files] or sources():
        read = messages_of_rust if path.suffix == ".rs" else messages_of_python
        found += read(path, path.relative_to(ROOT).as_posix())
    if given.longest is None:
        print("\n".join(map(str, found)))
    else:
        longest = sorted(((len(one.text.split()), one) for one in found), reverse=True)[: given.longest]
        print("\n".join(f"{words:3} {one}" for words, one in longest))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
