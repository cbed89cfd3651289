"""Measures the sentences of the Markdown pages, doc comments and help texts: words a sentence, as median, 90th percentile and longest.

Usage: `python3 xtask/prose.py` prints the figures of all areas; with pages as arguments their figures and longest sentences. `make lint` runs
`--check`: each page has to meet the target of its kind.
Code, formulas, tables and parts between comments such as `<!-- table: … -->` and `<!-- table end -->`, which programs write, do not count.
"""

import argparse
import ast
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
END_OF_SENTENCE = re.compile(r"(?<=[.!?:;])\s+(?=[A-Z`*\[(])")
LIST_ITEM = re.compile(r"([-*]|\d+\.) ")
GENERATED_BEGINS, GENERATED_ENDS = re.compile(r"<!-- (?!.*\bend\b)"), re.compile(r"<!-- .*\bend\b|<!-- end\b")
# Largest median, 90th percentile and longest sentence, by the page or its area.
TARGETS = {"README.md": (9, 16, 30), "CHANGELOG.md": (10, 17, 30), "ARCHITECTURE.md": (14, 25, 45), "docs": (12, 24, 45)}


def paragraphs_of_page(text):
    """(line, text) of each paragraph and list item of a Markdown page."""
    block, start, is_code, is_generated = [], 0, False, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        plain = line.strip()
        is_fence = plain.startswith("```")
        is_code = is_code != is_fence
        if not is_code and GENERATED_BEGINS.match(plain):
            is_generated = True
        ends_block = is_fence or is_code or is_generated or not plain or plain.startswith(("|", "#", "<", "!", "$$"))
        if block and (ends_block or LIST_ITEM.match(plain)):
            yield start, " ".join(block)
            block = []
        if not ends_block:
            start = start if block else number
            item = LIST_ITEM.match(plain) if not block else None
            block.append(plain[item.end() :] if item else plain)
        if GENERATED_ENDS.match(plain):
            is_generated = False


def paragraphs_of_rust(text, marker):
    """(line, text) of each paragraph of the comments with this marker, a regular expression."""
    block, start, is_code = [], 0, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        comment = re.match(rf"\s*{marker} ?(.*)", line)
        words = comment[1].strip() if comment else ""
        is_code = is_code != words.startswith("```")
        if words and not is_code and not words.startswith(("```", "|", "#", "* ", "- ")):
            start = start if block else number
            block.append(words)
        elif block:
            yield start, " ".join(block)
            block = []


def paragraphs_of_python(text):
    """(line, text) of each paragraph of the doc strings."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            for paragraph in (ast.get_docstring(node) or "").split("\n\n"):
                if not paragraph.startswith("    "):
                    yield getattr(node, "lineno", 1), " ".join(paragraph.split())


def paragraphs(name, text):
    """(area, line, text) of each paragraph of a file."""
    if name.endswith(".md"):
        area = name if name in TARGETS else "docs"
        yield from ((area, *paragraph) for paragraph in paragraphs_of_page(text))
    elif name.endswith(".rs"):
        for marker, area in ((r"//[/!]", "help" if name.startswith("src/cli/") else "rustdoc"), (r"//(?![/!])", "comments")):
            yield from ((area, *paragraph) for paragraph in paragraphs_of_rust(text, marker))
    else:
        yield from (("python", *paragraph) for paragraph in paragraphs_of_python(text))


def sentences(name):
    """(area, words, line, text) of each sentence of a file that has more than two words."""
    for area, line, paragraph in paragraphs(name, (ROOT / name).read_text()):
        for sentence in END_OF_SENTENCE.split(re.sub(r"\]\([^)]*\)", "]", paragraph)):
            words = len(WORD.findall(sentence))
            if words > 2:
                yield area, words, line, sentence


def figures(lengths):
    """Median, 90th percentile and maximum of numbers of words."""
    ordered = sorted(lengths)
    return (round(statistics.median(ordered)), ordered[int(0.9 * (len(ordered) - 1))], ordered[-1]) if ordered else (0, 0, 0)


def line(name, found):
    """A line of the report."""
    return "{:42} median {:2}, 90th percentile {:2}, longest {:2}".format(name, *found)


def tracked(*patterns):
    """The files of the repository that match."""
    command = ["git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    names = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    # Vite writes the list of licences there.
    return [name for name in names if (ROOT / name).exists() and not name.startswith("web/dist/")]


def report_pages(names, count):
    """Prints the figures of each page, and its longest sentences."""
    for name in names:
        name = str(pathlib.Path(name).resolve().relative_to(ROOT))
        all_sentences = list(sentences(name))
        print(line(name, figures([words for _, words, *_ in all_sentences])))
        for _, words, at, sentence in sorted(all_sentences, key=lambda one: -one[1])[:count]:
            print(f"  {words:3} {name}:{at}: {sentence}")


def check():
    """Prints the figures of each area; fails with the pages that are above their targets."""
    areas, pages = {}, {}
    for name in tracked("*.md", "*.rs", "*.py"):
        for area, words, *_ in sentences(name):
            areas.setdefault(area, []).append(words)
            if area in TARGETS:
                pages.setdefault(name, []).append(words)
    for area, lengths in sorted(areas.items()):
        print(line(area, figures(lengths)))
    status = 0
    for name, found in sorted((name, figures(lengths)) for name, lengths in pages.items()):
        target = TARGETS.get(name, TARGETS["docs"])
        if any(number > most for number, most in zip(found, target, strict=True)):
            status = 1
            print("{}\n  accepted: up to {}, {} and {} words\n  hint: python3 xtask/prose.py {} lists its longest sentences".format(line(name, found), *target, name))
    return status


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", help="files to report on")
    parser.add_argument("--longest", type=int, default=15, help="number of sentences to print of each page")
    parser.add_argument("--check", action="store_true", help="fail if a page is above its target")
    options = parser.parse_args()
    if options.pages:
        report_pages(options.pages, options.longest)
        return 0
    status = check()
    return status if options.check else 0


if __name__ == "__main__":
    sys.exit(main())
