"""Frame sources on real files and a real stream: what they give, and how they say that something is wrong."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from vision.cameras import find_cameras
from vision.frames import Frame, FrozenPicture, SourceError
from vision.live_sources import LiveSource, masked
from vision.recogniser import Image
from vision.sources import AddressSource, CameraSource, FolderSource, PictureSource, VideoSource, open_source

RATE = 10


def write_video(path: Path, frames: int = 30, size: tuple[int, int] = (160, 120), noisy: bool = False) -> Path:
    """Each frame's brightness is 5 times its number."""
    chance = np.random.default_rng(7)
    suffix = path.suffix
    codec = "mjpeg" if suffix == ".avi" else "libx264"
    with av.open(str(path), "w", options={"movflags": "faststart"} if suffix == ".mp4" else {}) as container:
        stream: Any = container.add_stream(codec, rate=RATE)
        stream.width, stream.height, stream.pix_fmt = *size, "yuvj420p" if suffix == ".avi" else "yuv420p"
        for number in range(frames):
            picture = np.full((size[1], size[0], 3), min(5 * number, 250), np.uint8)
            if noisy:
                picture = chance.integers(0, 255, picture.shape, dtype=np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())
    return path


def write_picture(path: Path, brightness: int = 100, size: tuple[int, int] = (64, 48)) -> Path:
    cv2.imwrite(str(path), np.full((size[1], size[0], 3), brightness, np.uint8))
    return path


def refusal(text: object) -> SourceError:
    with pytest.raises(SourceError) as caught:
        for _ in open_source(str(text)):
            pass
    assert len(str(caught.value).splitlines()) == 1
    return caught.value


@pytest.mark.parametrize("suffix", [".mp4", ".mkv", ".avi"])
def test_a_video_gives_every_frame_at_its_own_time(tmp_path: Path, suffix: str) -> None:
    with open_source(str(write_video(tmp_path / f"v{suffix}"))) as source:
        frames = list(source)
    assert not source.live
    assert source.cut_short is None
    assert [frame.index for frame in frames] == list(range(30))
    assert [frame.t for frame in frames] == pytest.approx([n / RATE for n in range(30)], abs=0.002)
    brightness = [float(frame.image.mean()) for frame in frames]
    assert brightness == pytest.approx([5 * n for n in range(30)], abs=4)
    assert frames[0].image.shape == (120, 160, 3)


def test_a_title_in_an_unknown_character_set_does_no_harm(tmp_path: Path) -> None:
    path = write_video(tmp_path / "v.mkv", frames=4)
    data = path.read_bytes()
    assert data.count(b"Lavf") > 0
    path.write_bytes(data.replace(b"Lavf", b"\xff\xfe\xfc\xfb"))
    assert len(list(open_source(str(path)))) == 4


def test_a_video_can_be_read_again_and_left_early(tmp_path: Path) -> None:
    source = VideoSource(write_video(tmp_path / "v.mp4"))
    for frame in source:
        if frame.index == 3:
            break
    assert len(list(source)) == 30
    source.close()
    source.close()


def test_closing_from_elsewhere_ends_a_video(tmp_path: Path) -> None:
    source = VideoSource(write_video(tmp_path / "v.mp4"))
    seen = 0
    for frame in source:
        seen += 1
        if frame.index == 2:
            source.close()
    assert seen < 30


@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_a_video_that_ends_in_the_middle_gives_what_is_there_and_says_so(tmp_path: Path, suffix: str) -> None:
    whole = write_video(tmp_path / f"whole{suffix}", frames=60, noisy=True).read_bytes()
    cut = tmp_path / f"cut{suffix}"
    cut.write_bytes(whole[: len(whole) // 2])
    source = open_source(str(cut))
    frames = list(source)
    assert 10 < len(frames) < 50
    assert source.cut_short is not None
    assert "ends in the middle" in source.cut_short
    assert len(source.cut_short.splitlines()) == 1


def test_a_video_damaged_inside_goes_on_behind_the_damage(tmp_path: Path) -> None:
    data = bytearray(write_video(tmp_path / "whole.mp4", frames=60, noisy=True).read_bytes())
    data[len(data) // 2 : len(data) // 2 + 9000] = bytes(9000)
    (tmp_path / "bad.mp4").write_bytes(data)
    source = open_source(str(tmp_path / "bad.mp4"))
    assert list(source)[-1].t > 5.5
    assert source.cut_short is not None
    assert "damaged" in source.cut_short


def test_a_turned_phone_video_is_set_upright(tmp_path: Path) -> None:
    path = tmp_path / "turned.mp4"
    write_video(path, frames=3)
    # the track header's matrix, as a phone held upright writes it: a quarter turn clockwise
    data = bytearray(path.read_bytes())
    at = data.index(b"tkhd") + 4 + 40
    one, minus = (0x10000).to_bytes(4, "big"), (-0x10000).to_bytes(4, "big", signed=True)
    zero, unit = bytes(4), (0x40000000).to_bytes(4, "big")
    data[at : at + 36] = zero + one + zero + minus + zero + zero + zero + zero + unit
    path.write_bytes(data)
    assert next(iter(open_source(str(path)))).image.shape == (160, 120, 3)


def test_a_folder_in_the_order_of_its_numbers(tmp_path: Path) -> None:
    for number in (10, 2, 1):
        write_picture(tmp_path / f"table {number}.png", brightness=10 * number)
    (tmp_path / "notes.txt").write_text("not a picture")
    with open_source(str(tmp_path), seconds=0.5) as source:
        frames = list(source)
    assert isinstance(source, FolderSource)
    assert [int(frame.image[0, 0, 0]) for frame in frames] == [10, 20, 100]
    assert [frame.t for frame in frames] == [0.0, 0.5, 1.0]


def test_a_bad_picture_in_a_folder_is_left_out_and_named(tmp_path: Path) -> None:
    write_picture(tmp_path / "1.jpg")
    (tmp_path / "2.jpg").write_bytes(b"no picture at all")
    write_picture(tmp_path / "3.jpg")
    source = open_source(str(tmp_path))
    assert [frame.index for frame in source] == [0, 2]
    assert len(source.skipped) == 1
    assert "2.jpg" in source.skipped[0]


def test_a_single_picture_whatever_its_name(tmp_path: Path) -> None:
    picture = write_picture(tmp_path / "p.png").rename(tmp_path / "p.dat")
    with open_source(str(picture)) as source:
        assert isinstance(source, PictureSource)
        assert [(frame.index, frame.t, frame.image.shape) for frame in source] == [(0, 0.0, (48, 64, 3))]


def test_what_is_no_source(tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("hello\n" * 500)
    empty_file = tmp_path / "empty.mp4"
    empty_file.touch()
    cut = tmp_path / "cut.jpg"
    cut.write_bytes(write_picture(tmp_path / "whole.jpg", size=(640, 480)).read_bytes()[:600])
    playlist = tmp_path / "list.m3u8"
    playlist.write_text("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n")
    empty_folder = tmp_path / "empty folder"
    empty_folder.mkdir()
    assert refusal(tmp_path / "none.mp4").code == "missing-file"
    assert refusal(letter).code == "not-a-video"
    assert refusal(empty_file).code == "not-a-video"
    assert refusal(playlist).code == "not-a-video"
    assert refusal(cut).code == "bad-picture"
    assert refusal(empty_folder).code == "empty-folder"
    assert refusal("").code == "not-a-source"
    assert refusal("browser").code == "not-a-source"
    assert refusal("ftp://here/there").code == "bad-address"
    assert refusal("http://").code == "bad-address"
    assert refusal("99999").code == "no-camera"


def test_a_folder_of_nothing_but_bad_pictures(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"\xff\xd8\xff and no more")
    assert refusal(tmp_path).code == "bad-picture"


def test_a_camera_that_is_not_there() -> None:
    error = refusal("97")
    assert error.code in {"no-camera", "camera-busy"}
    assert "camera 97" in str(error)
    assert "set-up" in str(error)


def test_cameras_are_listed_quietly(capfd: pytest.CaptureFixture[str]) -> None:
    for camera in find_cameras():
        assert camera.index >= 0
        assert camera.name
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("rtsp://anna:secret@10.0.0.7:554/stream?token=secret", "rtsp://***@10.0.0.7:554/stream?***"),
        ("http://10.0.0.7/video", "http://10.0.0.7/video"),
        ("http://a:secret@b@[::1]:80/x#secret", "http://***@[::1]:80/x"),
        ("http://a:secret@[::bad/", "http://***"),
        ("rtsp://anna:sec/ret@10.0.0.7/stream", "rtsp://***"),
        ("rtsp://anna:sec?ret@10.0.0.7/stream", "rtsp://***"),
        ("rtsp://anna:sec#ret@10.0.0.7/stream", "rtsp://***"),
        ("rtsp://anna:sec@10.0.0.7/ret@10.0.0.7/stream", "rtsp://***"),
        ("rtsp://10.0.0.7:554/user=anna&password=secret&channel=1/live", "rtsp://10.0.0.7:554/***/live"),
        ("http://10.0.0.7/anna:secret/live.mjpg", "http://10.0.0.7/***/live.mjpg"),
        ("http://10.0.0.7/secret-token-9/live;x=secret", "http://10.0.0.7/***/***"),
    ],
)
def test_passwords_are_masked(address: str, shown: str) -> None:
    assert masked(address) == shown


def test_an_address_without_its_scheme_is_not_told_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SourceError) as caught:
        open_source("anna:secret@c.png")
    assert "rtsp://" in str(caught.value)
    assert "secret" not in str(caught.value)
    Path("anna:secret@c.png").write_bytes(b"no picture, but a file of that name")
    with pytest.raises(SourceError, match="anna:secret"):
        open_source("anna:secret@c.png")


# ---- live sources ----------------------------------------------------------------------------------------------------


class ScriptedDevice:
    """A device that gives pictures as told: a brightness, "lost", or "hang"."""

    def __init__(self, script: list[int | str]) -> None:
        self.script = iter(script)
        self.released = threading.Event()
        self.closed = False

    def read(self) -> Image:
        step = next(self.script, "hang")
        if step == "lost":
            raise SourceError("camera-lost", "camera 0: gives no more pictures; plug it in again")
        if step == "broken":
            raise RuntimeError("driver\nexploded")
        if step == "hang":
            self.released.wait(20)
            raise SourceError("camera-lost", "camera 0: hung, and is gone")  # ends the thread that was left behind
        time.sleep(0.01)
        return np.full((8, 8, 3), int(step), np.uint8)

    def close(self) -> None:
        self.closed = True


def live(device: ScriptedDevice, patience: float = 0.3) -> LiveSource:
    return LiveSource("camera 0", lambda: device, patience=patience, first_patience=patience)


def test_a_slow_reader_gets_the_newest_picture() -> None:
    device = ScriptedDevice([n % 250 for n in range(5000)])
    with live(device, 2.0) as source:
        frames = iter(source)
        first = next(frames)
        while (source.frame_age or 0.0) > 0.2 or source._newest is None or source._newest.index < first.index + 10:
            time.sleep(0.01)
        second = next(frames)
        assert second.index >= first.index + 10
        assert second.t > first.t
    assert device.closed


def test_a_camera_unplugged_in_the_middle_says_so_after_what_it_gave() -> None:
    frames: list[Frame] = []
    with live(ScriptedDevice([1, "lost"])) as source, pytest.raises(SourceError) as caught:
        gather(source, frames)
    assert caught.value.code == "camera-lost"
    assert frames


def gather(source: LiveSource, frames: list[Frame]) -> None:
    for frame in source:
        frames.append(frame)


def test_a_driver_that_explodes_is_reported_in_one_line() -> None:
    with pytest.raises(SourceError, match=r"driver\\nexploded") as caught:
        list(live(ScriptedDevice(["broken"])))
    assert caught.value.code == "camera-lost"


def test_a_read_that_hangs_does_not_hang_the_program() -> None:
    device = ScriptedDevice([1, "hang"])
    try:
        with pytest.raises(SourceError) as caught:
            list(live(device))
        assert caught.value.code == "stalled"
    finally:
        device.released.set()


def test_a_device_that_hangs_while_opening_does_not_hang_the_program() -> None:
    device = ScriptedDevice(["hang"])
    try:
        with pytest.raises(SourceError) as caught:
            live(device).open()
        assert caught.value.code == "stalled"
    finally:
        device.released.set()


def test_closing_ends_whoever_waits_for_a_picture() -> None:
    device = ScriptedDevice([1, "hang"])
    source = live(device, patience=15)
    source.open()
    threading.Timer(0.1, source.close).start()
    assert len(list(source)) == 1
    device.released.set()


def test_a_lost_camera_can_be_opened_again() -> None:
    devices = iter([ScriptedDevice([1, "lost"]), ScriptedDevice([2, 3, 4, 5, "hang"])])
    source = LiveSource("camera 0", lambda: next(devices), patience=0.5, first_patience=0.5)
    with pytest.raises(SourceError):
        list(source)
    source.close()
    with source:
        assert next(iter(source)).image[0, 0, 0] >= 2


def test_a_frozen_camera_is_noticed_and_forgiven() -> None:
    watch = FrozenPicture(after=2.0)
    still, other = np.zeros((8, 8, 3), np.uint8), np.ones((8, 8, 3), np.uint8)
    images = [still, still, still, still, other, other, still]
    assert [watch.feed(Frame(n, float(n), image)) for n, image in enumerate(images)] == [
        *(False, False, True, True),
        *(False, False, False),
    ]


class MotionJpeg(BaseHTTPRequestHandler):
    """A network camera: a few pictures, then the end of the stream, or silence."""

    pictures = 20
    then_silence = False
    silence = threading.Event()

    def do_GET(self) -> None:
        if self.path == "/secret":
            self.send_error(401)
            return
        if self.path == "/letter":
            self.send_response(200)
            self.send_header("Content-Length", "12000")
            self.end_headers()
            self.wfile.write(b"hello\n" * 2000)
            return
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        for number in range(self.pictures):
            done, data = cv2.imencode(".jpg", np.full((48, 64, 3), 10 * number, np.uint8))
            assert done
            head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
            self.wfile.write(head.encode() + data.tobytes() + b"\r\n")
            time.sleep(0.02)
        if self.path == "/silent":
            self.silence.wait(20)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def network_camera() -> Iterator[str]:
    MotionJpeg.silence.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), MotionJpeg)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_address[1]}"
    MotionJpeg.silence.set()
    server.shutdown()
    server.server_close()


def test_a_network_camera_and_its_end(network_camera: str) -> None:
    frames: list[Frame] = []
    source = open_source(f"http://anna:secret@{network_camera}/video?token=secret")
    assert isinstance(source, AddressSource)
    assert source.live
    with source, pytest.raises(SourceError) as caught:
        gather(source, frames)
    assert caught.value.code == "camera-lost"
    assert "secret" not in str(caught.value) + source.name
    assert len(frames) >= 3
    assert frames[0].image.shape == (48, 64, 3)
    assert all(a.t < b.t for a, b in pairwise(frames))


def test_a_network_camera_that_falls_silent(network_camera: str) -> None:
    with pytest.raises(SourceError) as caught:
        list(AddressSource(f"http://{network_camera}/silent", patience=1.0))
    assert caught.value.code in {"stalled", "camera-lost"}
    assert "plug" in str(caught.value) or "check" in str(caught.value)


@pytest.mark.parametrize(("path", "words"), [("secret", "password"), ("letter", "no video")])
def test_a_network_address_without_a_picture(network_camera: str, path: str, words: str) -> None:
    error = refusal(f"http://anna:hidden@{network_camera}/{path}")
    assert error.code == "no-answer"
    assert words in str(error)
    assert "hidden" not in str(error)


def test_an_address_where_nobody_answers() -> None:
    error = refusal("rtsp://anna:hidden@127.0.0.1:9/stream")
    assert error.code == "no-answer"
    assert "hidden" not in str(error)


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_a_network_camera_that_accepts_and_says_nothing(scheme: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        source = AddressSource(f"{scheme}://anna:hidden@127.0.0.1:{silent.getsockname()[1]}/video", patience=1.0)
        with pytest.raises(SourceError) as caught:
            source.open()
        source.close()
    assert caught.value.code in {"no-answer", "stalled"}
    assert "hidden" not in str(caught.value)


def test_a_camera_index_makes_a_camera() -> None:
    assert CameraSource(3).name == "camera 3"
