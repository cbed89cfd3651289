"""Programs that show what the package does: `python -m skidpad.examples.race`. Each says how to use it with `--help`."""
