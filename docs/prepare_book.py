"""A preprocessor of mdBook: adds the pages that lie above this folder, leads links to them, and writes formulas as MathML.

mdBook starts it with the book as JSON on its standard input, and reads it back from its standard output. What links lead to outside of the book
(sources, worlds) is named without a link. MathML needs no script, and no network.
"""

import json
import pathlib
import posixpath
import re
import sys

from latex2mathml.converter import convert

ROOT = pathlib.Path(__file__).resolve().parent.parent
ADDED = {"ARCHITECTURE.md": "Architecture", "CHANGELOG.md": "Changelog"}
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$([^$\n]+?)\$")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s]+)\)")


def main():
    # `supports RENDERER`: every renderer.
    if len(sys.argv) > 1:
        return
    _, book = json.load(sys.stdin)
    items = book["items" if "items" in book else "sections"]
    pages = set(paths(items))
    for name, title in ADDED.items():
        content = (ROOT / name).read_text()
        items.append({"Chapter": chapter(title, name, content, outside=True)})
        pages.add(name)
    for item in chapters(items):
        folder = posixpath.join("" if item["path"] in ADDED else "docs", posixpath.dirname(item["path"]))
        item["content"] = prepared(item["content"], pages, folder)
    json.dump(book, sys.stdout)


def chapter(title, path, content, outside):
    return {"name": title, "content": content, "number": None, "sub_items": [], "path": path, "source_path": path, "parent_names": []}


def chapters(items):
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


def paths(items):
    return [item["path"] for item in chapters(items) if item["path"]]


def prepared(text, pages, folder):
    """The text of a page of this folder, with links that lead to pages of the book, and with its formulas as MathML."""
    # Where the page is in the book: pages that were added are beside those of docs/.
    folder_in_book = folder.removeprefix("docs").strip("/") or "."

    def link(match):
        picture, label, target = match.groups()
        path, hash_sign, anchor = target.partition("#")
        if "://" in target or not path:
            return match[0]
        path = posixpath.normpath(posixpath.join(folder, path))
        # The overview is not a page of the book.
        if path == "README.md" and folder:
            return label
        path = path.removeprefix("docs/")
        if picture or path in pages:
            return f"{picture}[{label}]({posixpath.relpath(path, folder_in_book)}{hash_sign}{anchor})"
        return label

    # Links may have code in their text.
    text = "".join(part if part.startswith("```") else LINK.sub(link, part) for part in re.split(r"(```.*?```)", text, flags=re.DOTALL))
    return "".join(part if CODE.fullmatch(part) else FORMULA.sub(formula, part) for part in CODE.split(text))


def formula(match):
    shown, inline = match.groups()
    return convert(shown or inline, display="block" if shown else "inline")


if __name__ == "__main__":
    main()
