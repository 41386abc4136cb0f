# SPDX-License-Identifier: MIT
"""Chromium without a window, for tests of pages: what it shows, what it says, and what it asks for.

Selenium is Debian's: a test that uses this module is run by /usr/bin/python3.
"""

import json
import os
import socket
import subprocess
import sys
import time

PROGRAMS = ("/usr/bin/chromium", "/usr/bin/chromedriver")
VIEWS = ("overview", "flame", "table", "graph", "timeline", "threads", "waits")
SHOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "pictures", "shop.c")

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None


def missing():
    """Why there is no browser, or ''."""
    if webdriver is None:
        return "no python3-selenium: run scripts/deps test"
    try:
        socket.getaddrinfo("localhost", None)
    except OSError:
        return "no address of localhost, where chromedriver listens: no /etc/hosts"
    absent = [path for path in PROGRAMS if not os.access(path, os.X_OK)]
    return "no %s: run scripts/deps test" % ", ".join(absent) if absent else ""


def skip_without():
    if missing():
        print("skipped: " + missing())
        sys.exit(77)


def capture(build, snapshot, program, seconds):
    """What a program that goes on for ever did for some seconds."""
    with subprocess.Popen([program], stdout=subprocess.DEVNULL) as target:
        try:
            # at the whole rate, whatever a round costs here: a short capture would have few samples else
            subprocess.run([os.path.join(build, "cgsnap"), "--overhead", "100", "-p", str(target.pid),
                            "-d", str(seconds), "-o", snapshot],
                           check=True, stderr=subprocess.PIPE, timeout=60)
        finally:
            target.kill()


def capture_shop(build, directory, seconds):
    """The path of a snapshot of a program with threads and locks."""
    program, snapshot = os.path.join(directory, "shop"), os.path.join(directory, "snap.bin")
    subprocess.run(["gcc", "-g", "-O2", "-pthread", "-o", program, SHOP], check=True)
    capture(build, snapshot, program, seconds)
    return snapshot


class Browser:
    """`with Browser() as browser: browser.open(path)`."""

    def __init__(self, width=1280, height=900, dark=False):
        self.size = (width, height)
        self.dark = dark
        self.driver = None
        self.ready = 0.0

    def __enter__(self):
        options = Options()
        options.binary_location = PROGRAMS[0]
        for argument in ("--headless=new", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
                         "--disable-dev-shm-usage", "--window-size=%d,%d" % self.size):
            options.add_argument(argument)
        if os.geteuid() == 0:
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service(PROGRAMS[1]), options=options)
        self.driver.set_page_load_timeout(60)
        self.resize(*self.size)
        self.prefer_dark(self.dark)
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def resize(self, width, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                    {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def prefer_dark(self, dark):
        value = "dark" if dark else "light"
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                    {"features": [{"name": "prefers-color-scheme", "value": value}]})

    def open(self, path, fragment=""):
        """Opens a page and waits until it is drawn; `ready` is how long that took, in seconds."""
        url = "file://" + os.path.abspath(path) + fragment
        self.driver.get("about:blank")
        self.console()
        begin = time.monotonic()
        self.driver.get(url)
        while not self.js("return !!document.documentElement.dataset.ready"):
            if time.monotonic() - begin > 60:
                raise AssertionError("%s was not drawn in 60 s: %s" % (path, self.console()))
            time.sleep(0.01)
        self.ready = time.monotonic() - begin

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def settle(self):
        """Waits until what was asked for is drawn."""
        self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def go(self, fragment):
        """Follows a link to a state of the page that is open."""
        self.js("location.hash = arguments[0]", fragment or "#")
        self.settle()

    def console(self):
        """What the page's script, or its policy, said since the last call."""
        return ["%s: %s" % (entry["level"], entry["message"]) for entry in self.driver.get_log("browser")]

    def requests(self):
        """What was asked for since the last call, but for files that were opened as pages."""
        found = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                request = message["params"]
                if request.get("type") != "Document":
                    found.append(request["request"]["url"])
        return found
