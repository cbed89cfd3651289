#!/usr/bin/env python3
"""rustdoc with its warnings as errors, which refuses links to what is not there: `cargo doc` takes this script as RUSTDOC.

    tests/doc_links.py OPTION OF RUSTDOC...

Doc comments give units in brackets, which rustdoc takes for links; those are none.
"""

import json
import re
import subprocess
import sys

# What stands in brackets besides links.
UNITS = set("- A Hz MB N T T² W bytes cells deg g kg m m² m⁴ messages mm ns pixels pt px rad rad² rpm s unit unit²".split())
# Whatever the crates themselves allow.
FLAGS = ["--deny=warnings", "--force-warn=rustdoc::broken_intra_doc_links"]


def main(options):
    # Cargo's questions name no crate.
    if "--crate-name" not in options:
        return subprocess.call(["rustdoc", *options])
    running = subprocess.Popen(["rustdoc", *options, *FLAGS], stderr=subprocess.PIPE, text=True)
    broken = 0
    for line in running.stderr or ():
        # Cargo asks for messages in JSON.
        message = json.loads(line) if line.startswith("{") else {}
        link = re.fullmatch(r"unresolved link to `(.*)`", message.get("message", ""))
        if link and link[1] in UNITS:
            continue
        broken += bool(link)
        if link or message.get("level") != "warning":
            sys.stderr.write(line)
    if broken:
        print(f"documentation: found {broken} links to nothing\n  accepted: paths that are in scope, and units: {', '.join(sorted(UNITS))}", file=sys.stderr)
    return running.wait() or int(broken > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
