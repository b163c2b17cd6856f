"""A browser that a script drives: a plain client of the WebDriver protocol (https://www.w3.org/TR/webdriver2/).

It needs Debian's packages `chromium` and `chromium-driver`, or their like, and nothing of Python but its library.
"""

import base64
import json
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

KEYS = {"Right": "\ue014", "Left": "\ue012", "Home": "\ue011", "End": "\ue010", "Enter": "\ue007", "Escape": "\ue00c"}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class NoBrowser(Exception):
    """There is no browser, or no driver."""


class Browser:
    """A window without a screen."""

    def __init__(self, width=1400, height=900, dark=False):
        driver = shutil.which("chromedriver")
        browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
        if driver is None or browser is None:
            raise NoBrowser("chromium and chromedriver are not installed")
        self.process = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.port = None
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        if self.port is None:
            raise NoBrowser("chromedriver does not start")
        arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--no-default-browser-check",
            "--force-device-scale-factor=1",
            f"--window-size={width},{height}",
        ]
        options = {"binary": browser, "args": arguments}
        capabilities = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        self.session = None
        try:
            answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        except (RuntimeError, OSError) as error:
            self.close()
            raise NoBrowser(f"the browser does not start: {error}") from error
        self.session = answer["sessionId"]
        self.dark(dark)

    def call(self, method, path, body=None):
        """One request to the driver."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{value['error']}: {value['message']}") from None

    def own(self, method, path, body=None):
        """One request about this window."""
        return self.call(method, f"/session/{self.session}{path}", body)

    def open(self, address):
        """Opens a page."""
        self.own("POST", "/url", {"url": address})

    def run(self, script, *arguments):
        """The value of a script: the body of a function."""
        return self.own("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        """The first element that a selector selects."""
        return self.own("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        """Clicks as a mouse does: an element that is covered or not there is an error."""
        self.own("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        """Types into an element."""
        self.own("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def keys(self, *names):
        """Presses keys, wherever the focus is."""
        actions = []
        for name in names:
            key = KEYS.get(name, name)
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.own("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def texts(self, selector):
        """The texts of all elements that a selector selects and that are seen."""
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].filter(e => e.getClientRects().length).map(e => e.textContent)",
            selector,
        )

    def count(self, selector):
        """How many there are."""
        return self.run("return document.querySelectorAll(arguments[0]).length", selector)

    def wait(self, condition, seconds=10):
        """Waits until a script is true."""
        end = time.time() + seconds
        while not self.run(f"return Boolean({condition})"):
            if time.time() > end:
                raise AssertionError(f"after {seconds} s still not: {condition}")
            time.sleep(0.05)

    def dark(self, dark):
        """Whether the system likes dark colours."""
        value = "dark" if dark else "light"
        features = [{"name": "prefers-color-scheme", "value": value}]
        body = {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}}
        self.own("POST", "/goog/cdp/execute", body)

    def complaints(self):
        """What the browser wrote to its console since the last call, errors only."""
        return [e["message"] for e in self.own("POST", "/se/log", {"type": "browser"}) if e["level"] == "SEVERE"]

    def picture(self, path):
        """Writes a picture of the window."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.own("GET", "/screenshot")))

    def paper(self, path):
        """Writes what would be printed, as PDF."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.own("POST", "/print", {})))

    def close(self):
        """Ends the browser and the driver."""
        try:
            if self.session is not None:
                self.call("DELETE", f"/session/{self.session}")
        finally:
            self.process.terminate()
            self.process.wait()
            self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
