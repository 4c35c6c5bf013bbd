"""A headless Chromium that tests talk to through its debugging pipe: no port, no driver."""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

CHROMIUM = shutil.which("chromium")
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",  # or it warns in the page's log that it draws without a GPU
    "--disable-background-networking",
    "--no-first-run",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
_READY = (
    "document.readyState === 'complete' && "
    "(document.documentElement.dataset.ready || !document.getElementById('query-list'))"
)


@dataclass
class Page:
    """One open page: run scripts in it, press keys, look at it."""

    to: IO[bytes]
    answers: IO[bytes]
    session: str = ""
    events: list[dict[str, Any]] = field(default_factory=list)
    _number: int = 0

    def call(self, method: str, **parameters: Any) -> Any:
        """Send a command of the DevTools protocol and return its result."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.to.write(json.dumps(message).encode() + b"\0")
        self.to.flush()
        while (answer := self._next()).get("id") != self._number:
            self.events.append(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, place: Path) -> None:
        """Open a file and wait until the report says that it is ready."""
        opened = self.call("Page.navigate", url=place.resolve().as_uri())
        assert "errorText" not in opened, opened
        look = f"const look = () => {_READY} ? done() : setTimeout(look, 20); look();"
        self.run(f"new Promise(done => {{ {look} }})")

    def open_parts(self) -> None:
        """Open every part of a report, as its button does."""
        self.run("document.querySelectorAll('.part').forEach(part => { part.open = true; })")

    def run(self, script: str) -> Any:
        """Return what an expression in the page evaluates to."""
        found = self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def resize(self, width: int, height: int, *, mobile: bool = False) -> None:
        """Give the page the size of a screen."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )

    def prefer(self, scheme: str) -> None:
        """Let the system be dark or light."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def press(self, key: str) -> None:
        """Press and release a key."""
        codes = {"Enter": 13, "Tab": 9}
        text = {"text": "\r"} if key == "Enter" else {}
        shared = {"key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
        self.call("Input.dispatchKeyEvent", type="keyDown", **shared, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", **shared)

    def picture(self, *, top: int, width: int, height: int) -> bytes:
        """Return a part of the page as a PNG."""
        clip = {"x": 0, "y": top, "width": width, "height": height, "scale": 1}
        found = self.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        return base64.b64decode(found["data"])

    def troubles(self) -> list[str]:
        """Return what the page complained about: exceptions, blocked content, failed loads."""
        kinds = ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled")
        return [json.dumps(event["params"]) for event in self.events if event["method"] in kinds]

    def requests(self) -> list[str]:
        """Return every address that was asked for."""
        asked = [event for event in self.events if event["method"] == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in asked]

    def _next(self) -> dict[str, Any]:
        read = bytearray()
        while (letter := self.answers.read(1)) != b"\0":
            assert letter, "the browser has gone"
            read += letter
        found: dict[str, Any] = json.loads(bytes(read))
        return found


@contextmanager
def browser(home: Path) -> Iterator[Page]:
    """Open a page of a browser whose profile is in `home`; close it in the end."""
    to_browser, from_browser = os.pipe(), os.pipe()
    process = _started(home, to_browser[0], from_browser[1])
    os.close(to_browser[0])
    os.close(from_browser[1])
    with os.fdopen(to_browser[1], "wb") as to, os.fdopen(from_browser[0], "rb") as answers:
        try:
            page = Page(to, answers)
            target = page.call("Target.createTarget", url="about:blank")["targetId"]
            attached = page.call("Target.attachToTarget", targetId=target, flatten=True)
            page.session = attached["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                page.call(f"{domain}.enable")
            yield page
        finally:
            process.kill()
            process.wait()


def _started(home: Path, reads: int, writes: int) -> subprocess.Popen[bytes]:
    """Start the browser with the ends of its pipes at 3 and 4, where it looks for them."""
    assert CHROMIUM is not None
    move = f'exec 3<&{reads} 4>&{writes}; exec "$0" "$@"'
    command = ["bash", "-c", move, CHROMIUM, *_FLAGS, f"--user-data-dir={home}"]
    return subprocess.Popen(
        command,
        pass_fds=(reads, writes),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"HOME": str(home)},
    )
