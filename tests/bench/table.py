# SPDX-License-Identifier: MIT
"""The results file as a table in Markdown, for docs/bench.md."""

import json
import statistics

from measure import number, ratios, spread, verdict

TITLES = {
    "unwind": "Unwinding alone",
    "whole": "The whole: perf.data to folded stacks",
    "symbolize": "Names, lines and inlines of addresses",
    "live": "One picture of a running process",
    "core": "A core file",
    "start": "Start-up",
    "grow": "How cost grows",
}


def row(line):
    note = line.get("note", "").replace("|", "\\|")
    wanted = f"{line['wanted']}: {verdict(line) or '?'}" if line.get("wanted") else ""
    if line["kind"] == "skipped":
        return [line["what"], "skipped", "", "", wanted, note]
    unit = f" {line['unit']}" if line["unit"] else ""
    ours = spread(line["ours"]) + unit if len(line["ours"]) > 1 else number(line["ours"][0]) + unit
    if line["kind"] == "value":
        return [line["what"], ours, "", "", wanted, note]
    more = "> " if line.get("at_least") else ""
    theirs = f"{line['peer']}: {more}{spread(line['theirs'])}{unit}"
    values = ratios(line)
    return [line["what"], ours, theirs, f"**{more}{number(statistics.median(values))}** ({number(min(values))}–{number(max(values))})", wanted, note]


def table(path):
    stages = {}
    with open(path, encoding="utf-8") as file:
        for text in file:
            line = json.loads(text)
            stages.setdefault(line["stage"], []).append(line)
    out = []
    for stage, lines in stages.items():
        if stage == "run":
            out.append(f"{lines[0]['what']}. Median (smallest–largest); a ratio is the peer's time over ours, of each pair.")
            continue
        out += ["", f"### {TITLES.get(stage, stage)}", "", "| what | ours | peer | ratio | wanted | |", "|---|---|---|---|---|---|"]
        out += ["| " + " | ".join(row(line)) + " |" for line in lines]
    return "\n".join(out)
