"""Starts ``mournival demo`` as a user would and waits for the settlement; it must be that of the demo's own record.

usage: demo_settles.py MOURNIVAL      (the command of the environment under test, whose Python runs this script)
"""

import json
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import web

PATIENCE_S = 900
SPEED = "50"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def page(port: int) -> dict:
    """The page's state as its browsers get it; empty while the server is not up yet."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/state?since=0", timeout=10) as answer:
            return json.load(answer).get("state", {})
    except OSError:
        return {}


def settled_page(mournival: str, data: str) -> dict:
    """The page once the pot is settled."""
    port = free_port()
    call = [mournival, "demo", "--speed", SPEED, "--no-browser", "--port", str(port), "--data", data]
    program = subprocess.Popen(call, stdin=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if program.poll() is not None:
                sys.exit(f"mournival demo ended by itself, status {program.returncode}")
            state = page(port)
            if state.get("phase") == "settled":
                return state
            time.sleep(1)
        sys.exit(f"the demo was not settled within {PATIENCE_S} s; the page says {page(port).get('headline')}")
    finally:
        program.terminate()
        try:
            program.wait(20)
        except subprocess.TimeoutExpired:
            program.kill()


def main() -> None:
    mournival = sys.argv[1]
    record = pathlib.Path(web.__file__).parent / "demo" / "table.deal"
    checked = subprocess.run([mournival, "check", str(record), "--json"], capture_output=True, check=True, text=True)
    right = json.loads(checked.stdout)
    with tempfile.TemporaryDirectory() as data:
        begun = time.monotonic()
        state = settled_page(mournival, data)
        took = time.monotonic() - begun
    shown = state["settlement"]
    assert shown["sure"], f"the settlement is not sure: {shown['doubts']}"
    for key in ("pot", "bonus"):
        assert shown[key] == right["settlement"][key], f"{key}: {shown[key]}, but right is {right['settlement'][key]}"
    for got, want in zip(shown["seats"], right["settlement"]["seats"], strict=True):
        assert {key: got[key] for key in want} == want, f"seat {want['seat']}: {got}, but right is {want}"
    assert shown["sum"] == 0
    faults = sorted((fault["code"], fault["seat"], fault["claimed_by"]) for fault in right["faults"])
    seen = sorted((fault["code"], fault["seat"], fault["claimedBy"]) for fault in state["faults"])
    assert seen == faults, f"faults: {seen}, but right is {faults}"
    print(
        f"the demo settled rightly after {took:.0f} s: pot {shown['pot']}, {[seat['net'] for seat in shown['seats']]}"
    )


if __name__ == "__main__":
    main()
