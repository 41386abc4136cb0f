#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What scripts/test prints at the end: what failed, what was skipped and why, the longest tests,
and how many there were of each kind.

usage: results.py FILE

FILE has a line for each thing that was tried, with tabs: `pass` or `fail`, what, seconds; or
`ctest`, the JUnit file that ctest has written, and its exit status; or `again`, the same, of what
had failed: what passes now is told, and has not failed, unless a sanitizer had found something.
Exit status: 0 when nothing failed and, with CI=true in the environment, nothing was skipped.
"""

import os
import sys
import xml.etree.ElementTree

LONGEST = 10
FINAL = "a sanitizer found something"


def last_line(case):
    lines = (case.findtext("system-out") or "").strip().splitlines()
    return lines[-1] if lines else "no reason given"


def outcome(case):
    """pass, fail or skip, and what there is to say of it."""
    status, skipped = case.get("status"), case.find("skipped")
    if status == "run":
        return "pass", ""
    if status == "disabled":
        return "skip", "disabled"
    if skipped is not None and skipped.get("message", "").startswith("SKIP_RETURN_CODE"):
        return "skip", last_line(case).removeprefix("skipped: ")
    if "Sanitizer" in (case.findtext("system-out") or ""):
        return "fail", FINAL
    return "fail", last_line(case) if skipped is not None else ""


def of_ctest(path, status):
    """(outcome, name, seconds, what is said of it) of each test that ctest has run."""
    try:
        cases = xml.etree.ElementTree.parse(path).getroot().iter("testcase")
        found = [(*outcome(case), case) for case in cases]
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        found, status = [], "%s: %s" % (status, error)
    for kind, text, case in found:
        yield kind, case.get("name"), float(case.get("time", 0)), text
    if status != "0" and not any(kind == "fail" for kind, _, _ in found):
        yield "fail", "ctest", 0.0, "exit status " + status


def read(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            kind, name, rest = line.rstrip("\n").split("\t")
            if kind == "ctest":
                yield from of_ctest(name, rest)
            elif kind == "again":
                for _, test, seconds, _ in (r for r in of_ctest(name, rest) if r[0] == "pass"):
                    yield "late", test, seconds, "failed beside other tests, passed alone"
            else:
                yield kind, name, float(rest), ""


def settle(results):
    """What has failed and passed alone has passed late."""
    final = {name for kind, name, _, text in results if kind == "fail" and text == FINAL}
    late = {name for kind, name, _, _ in results if kind == "late"} - final
    return [result for result in results if not (result[0] == "fail" and result[1] in late) and
            not (result[0] == "late" and result[1] in final)]


def main():
    results = settle(list(read(sys.argv[1])))
    for kind, word in (("skip", "skipped"), ("late", "passed late"), ("fail", "failed")):
        for _, name, _, text in (result for result in results if result[0] == kind):
            print("%s: %s%s" % (word, name, ": " + text if text else ""))
    print("the longest:")
    for _, name, seconds, _ in sorted(results, key=lambda result: -result[2])[:LONGEST]:
        print("%7.1f s  %s" % (seconds, name))
    kinds = [kind for kind, _, _, _ in results]
    count = {kind: kinds.count(kind) for kind in ("pass", "fail", "skip")}
    count["pass"] += kinds.count("late")
    print("%(pass)d passed, %(fail)d failed, %(skip)d skipped" % count)
    sys.exit(bool(count["fail"] or (count["skip"] and os.environ.get("CI") == "true")))


if __name__ == "__main__":
    main()
