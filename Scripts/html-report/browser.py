"""A headless Chromium, by WebDriver (JSON over HTTP): no package is needed."""

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request


def is_there():
    return bool(shutil.which("chromedriver") and (shutil.which("chromium") or shutil.which("google-chrome")))


class Browser:
    def __init__(self, runs_scripts=True):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.driver = subprocess.Popen(
            ["chromedriver", f"--port={self.port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.session = ""
        try:
            self._wait()
            options = {"args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                                "--hide-scrollbars"]}
            if shutil.which("chromium"):
                options["binary"] = shutil.which("chromium")
            if not runs_scripts:
                options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
            wanted = {"browserName": "chrome", "goog:chromeOptions": options,
                      "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
            self.session = "/session/" + self._call(
                "POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        except BaseException:
            self.driver.terminate()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._call("DELETE", self.session)
        finally:
            self.driver.terminate()
            self.driver.wait()

    def _wait(self):
        for _ in range(100):
            try:
                return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/status").close()
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("chromedriver did not start")

    def _call(self, method, path, data=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", method=method, headers={"Content-Type": "application/json"},
            data=json.dumps(data or {}).encode() if method == "POST" else None)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(f"{path}: {error.read().decode()[:500]}") from None

    def call(self, method, path, data=None):
        return self._call(method, self.session + path, data)

    def devtools(self, command, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, path, fragment="", width=1600, height=1000, dark=False):
        """Opens a file anew, with a size and a colour scheme."""
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.media(dark=dark)
        self.call("POST", "/url", {"url": "about:blank"})
        self.call("POST", "/url", {"url": f"file://{path}#{fragment}"})

    def media(self, kind="", dark=False):
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.devtools("Emulation.setEmulatedMedia", media=kind, features=features)

    def js(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, condition, *arguments, seconds=10):
        """Waits for an expression that is true, and returns its value."""
        end = time.time() + seconds
        while True:
            value = self.js(f"return {condition}", *arguments)
            if value or time.time() > end:
                return value
            time.sleep(0.02)

    def keys(self, text):
        actions = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def click(self, selector):
        element = self.call("POST", "/element", {"using": "css selector", "value": selector})
        self.call("POST", f"/element/{next(iter(element.values()))}/click")

    def screenshot(self):
        """A picture as base64."""
        return self.call("GET", "/screenshot")

    def complaints(self):
        """The errors and warnings of the console, such as blocked scripts."""
        entries = self.call("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The URLs that were requested since the last call."""
        entries = self.call("POST", "/se/log", {"type": "performance"})
        messages = [json.loads(entry["message"])["message"] for entry in entries]
        return [message["params"]["request"]["url"] for message in messages
                if message["method"] == "Network.requestWillBeSent"]
