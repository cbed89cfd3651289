"""Builds the documentation of the crates with the warnings of rustdoc as errors, and refuses links to what is not there.

    python3 tests/doc_links.py OPTION OF CARGO DOC...

Doc comments give units in brackets, which rustdoc takes for links; those are none.
"""

import json
import os
import re
import subprocess
import sys

# What stands in brackets besides links.
UNITS = set("- A Hz MB N T T² W bytes cells deg g kg m m² m⁴ messages mm ns pixels pt px rad rad² rpm s unit unit²".split())
# Whatever the crates themselves allow.
FLAGS = "-D warnings --force-warn rustdoc::broken_intra_doc_links"


def main(options):
    doc = ["cargo", "doc", "--message-format", "json", *options]
    environment = dict(os.environ, RUSTDOCFLAGS=FLAGS)
    running = subprocess.Popen(doc, stdout=subprocess.PIPE, text=True, env=environment)
    broken = 0
    for line in running.stdout or ():
        message = json.loads(line)
        if message["reason"] != "compiler-message":
            continue
        message = message["message"]
        link = re.fullmatch(r"unresolved link to `(.*)`", message["message"])
        if link and link[1] in UNITS:
            continue
        if link or message["level"] == "error":
            print(message["rendered"], file=sys.stderr)
        broken += bool(link)
    if broken:
        print(f"documentation: found {broken} links to nothing\n  accepted: paths that are in scope, and units: {', '.join(sorted(UNITS))}", file=sys.stderr)
    return running.wait() or int(broken > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
