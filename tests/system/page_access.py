#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Pages can be used by all: each view by axe-core's rules, in light and dark, wide and on a phone.

usage: page_access.py BUILD-DIRECTORY [PAGE]

axe-core is npm's, for this test only; scripts/deps fetches what tests/page/package-lock.json names.
That the check finds what it is for is checked first.
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import browser
import known

AXE = os.path.join(known.CACHE, "npm", "node_modules", "axe-core", "axe.min.js")
CHECK = """
const done = arguments[0];
axe.run().then((found) => done({
  passes: found.passes.length,
  violations: found.violations.map((rule) => `${rule.impact}: ${rule.id}: ${rule.nodes.map((node) =>
    node.html.slice(0, 200)).slice(0, 3).join(' ')}`)}), (error) => done({passes: 0, violations: [String(error)]}));
"""


def make_page(build, directory):
    snapshot, page = browser.capture_shop(build, directory, 1), os.path.join(directory, "report.html")
    subprocess.run([os.path.join(build, "cgunwind"), snapshot, "-o", page], check=True, stderr=subprocess.PIPE)
    return page


def violations(driven, axe):
    driven.js(axe)
    return driven.driver.execute_async_script(CHECK)


def check(driven, axe, page, what):
    failures = []
    for view in browser.VIEWS:
        driven.open(page, "#view=%s&func=3&search=a" % view)
        driven.settle()
        found = violations(driven, axe)
        failures += ["%s, %s: %s" % (what, view, each) for each in found["violations"]]
        if found["passes"] < 10:
            failures.append("%s, %s: only %d rules were passed" % (what, view, found["passes"]))
        if driven.js("return document.documentElement.scrollWidth > window.innerWidth"):
            failures.append("%s, %s: the page is wider than the window" % (what, view))
    return failures


def check_itself(driven, axe, page):
    driven.open(page)
    driven.js("const image = document.createElement('button'); document.getElementById('content').append(image)")
    found = violations(driven, axe)["violations"]
    return [] if any("button-name" in each for each in found) else ["a button without a name is not found"]


def main():
    browser.skip_without()
    if not os.path.exists(AXE):
        known.skip("no axe-core: scripts/deps test has npm fetch it")
    with open(AXE, encoding="utf-8") as file:
        axe = file.read()
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        page = sys.argv[2] if len(sys.argv) > 2 else make_page(os.path.abspath(sys.argv[1]), directory)
        for what, size, dark in (("light", (1280, 900), False), ("dark", (1280, 900), True),
                                 ("phone", (360, 740), False)):
            with browser.Browser(*size, dark=dark) as driven:
                if what == "light":
                    failures += check_itself(driven, axe, page)
                failures += check(driven, axe, page, what)
    for failure in failures:
        print("FAIL " + failure)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
