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


def settled_page(mournival: str, data: str) -> tuple[dict, str]:
    """The page once the pot is settled, and the deal's record as the page gives it."""
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
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/record.deal", timeout=10) as answer:
                    return state, answer.read().decode()
            time.sleep(1)
        sys.exit(f"the demo was not settled within {PATIENCE_S} s; the page says {page(port).get('headline')}")
    finally:
        program.terminate()
        try:
            program.wait(20)
        except subprocess.TimeoutExpired:
            program.kill()


def checked(mournival: str, record: str) -> dict:
    """What ``mournival check`` says of a record."""
    call = [mournival, "check", "-", "--json"]
    return json.loads(subprocess.run(call, input=record, capture_output=True, check=True, text=True).stdout)


def faults(check: dict) -> list[tuple[str, int, int]]:
    """The faults of a checked record, without the lines on which they stand."""
    return sorted((fault["code"], fault["seat"], fault["claimed_by"] or 0) for fault in check["faults"])


def main() -> None:
    mournival = sys.argv[1]
    right = checked(mournival, (pathlib.Path(web.__file__).parent / "demo" / "table.deal").read_text())
    with tempfile.TemporaryDirectory() as data:
        begun = time.monotonic()
        state, record = settled_page(mournival, data)
        took = time.monotonic() - begun
    shown = state["settlement"]
    assert shown["sure"], f"the settlement is not sure: {shown['doubts']}"
    for key in ("pot", "bonus"):
        assert shown[key] == right["settlement"][key], f"{key}: {shown[key]}, but right is {right['settlement'][key]}"
    for got, want in zip(shown["seats"], right["settlement"]["seats"], strict=True):
        assert {key: got[key] for key in want} == want, f"seat {want['seat']}: {got}, but right is {want}"
    assert shown["sum"] == 0
    followed = checked(mournival, record)
    assert followed["settlement"] == right["settlement"], followed["settlement"]
    assert faults(followed) == faults(right), f"faults: {faults(followed)}, but right is {faults(right)}"
    print(
        f"the demo settled rightly after {took:.0f} s: pot {shown['pot']}, {[seat['net'] for seat in shown['seats']]}"
    )


if __name__ == "__main__":
    main()
