"""A headless Chromium that is driven over a pipe by the DevTools protocol, with no library between."""
import base64
import json
import os
import subprocess
import tempfile

FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--remote-debugging-pipe")


class Fault(Exception):
    """What is wrong with a page, or with the browser."""


class Browser:
    """Chromium with one page at a time. Use as a context manager."""

    def __init__(self, program):
        self.folder = tempfile.TemporaryDirectory(prefix="ablate-web-", ignore_cleanup_errors=True)
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def connect():  # the browser reads commands from descriptor 3 and answers on 4
            os.dup2(to_browser, 13)
            os.dup2(from_browser, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={self.folder.name}"], preexec_fn=connect, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.count = 0
        self.session = None
        self.events = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
            self.process.wait(timeout=10)
        except (Fault, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.output)
        os.close(self.input)
        self.folder.cleanup()

    def _message(self):
        while b"\0" not in self.buffer:
            more = os.read(self.input, 1 << 16)
            if not more:
                raise Fault("Chromium has ended")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, **parameters):
        """The result of a command; events that come before it are kept in `events`."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._message()
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise Fault(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self.events.append(answer)

    def wait_for(self, method):
        """Reads events until one of that kind has come."""
        while not any(event["method"] == method for event in self.events):
            answer = self._message()
            if "method" in answer:
                self.events.append(answer)


class Page:
    """A file in a tab of its own. Whatever the browser logs about it is kept in `complaints`."""

    def __init__(self, browser, file, width, dark=False, scripts=True, height=900):
        self.browser = browser
        browser.session = None
        target = browser.send("Target.createTarget", url="about:blank")["targetId"]
        browser.session = browser.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.target = target
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.send(f"{domain}.enable")
        browser.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.media("screen", dark)
        if not scripts:
            browser.send("Emulation.setScriptExecutionDisabled", value=True)
        browser.events.clear()
        browser.send("Page.navigate", url=f"file://{file.resolve()}")
        browser.wait_for("Page.loadEventFired")
        if not scripts:  # those of the page were passed over; ours may run
            browser.send("Emulation.setScriptExecutionDisabled", value=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.browser.session = None
        self.browser.send("Target.closeTarget", targetId=self.target)

    def media(self, kind, dark=False):
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.browser.send("Emulation.setEmulatedMedia", media=kind, features=[scheme])

    def evaluate(self, expression):
        """The value of a JavaScript expression; promises are waited for."""
        done = self.browser.send("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            details = done["exceptionDetails"]
            raise Fault(details.get("exception", {}).get("description", details["text"]))
        return done["result"].get("value")

    def settle(self):
        """Waits until the page has been laid out and drawn twice."""
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def unfold(self):
        """Opens every part of the page that a reader could open."""
        self.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
        self.settle()

    def press(self, key, code=None, shift=False):
        """A key of the keyboard, down and up."""
        text = {"Enter": "\r", " ": " "}.get(key)
        number = {"Enter": 13, "Tab": 9, "Escape": 27, " ": 32, "ArrowLeft": 37, "ArrowRight": 39, "ArrowDown": 40, "Home": 36}[key]
        event = {"key": key, "code": code or key, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        self.browser.send("Input.dispatchKeyEvent", type="keyDown", **event, **({"text": text} if text else {}))
        self.browser.send("Input.dispatchKeyEvent", type="keyUp", **event)

    def complaints(self):
        """What the console and the log have of errors: exceptions, and what the policy of the page refused."""
        found = []
        for event in self.browser.events:
            what, details = event["method"], event["params"]
            if what == "Runtime.exceptionThrown":
                found.append(str(details["exceptionDetails"].get("exception", {}).get("description")))
            elif what == "Log.entryAdded" and details["entry"]["level"] in ("error", "warning"):
                found.append(details["entry"]["text"])
            elif what == "Runtime.consoleAPICalled" and details["type"] in ("error", "warning"):
                found.append(json.dumps(details["args"]))
        return found

    def requests(self):
        """What the page asked for, the file itself and data apart."""
        return [event["params"]["request"]["url"] for event in self.browser.events
                if event["method"] == "Network.requestWillBeSent" and event["params"].get("type") != "Document"]

    def screenshot(self, file, full=True):
        shot = self.browser.send("Page.captureScreenshot", format="png", captureBeyondViewport=full,
                                 **({"clip": {**self.size(), "x": 0, "y": 0, "scale": 1}} if full else {}))
        file.write_bytes(base64.b64decode(shot["data"]))

    def size(self):
        """Width and height of all of the page, in CSS pixels."""
        metrics = self.browser.send("Page.getLayoutMetrics")["cssContentSize"]
        return {"width": metrics["width"], "height": metrics["height"]}

    def pdf(self):
        return base64.b64decode(self.browser.send("Page.printToPDF", printBackground=False)["data"])
