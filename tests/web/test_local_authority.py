from __future__ import annotations

import os
import ssl
import stat
from pathlib import Path

import pytest
from cryptography import x509

from web.local_authority import FILE_NAME, LocalAuthority, kept_authority, new_authority, tls_context, vouched


def shaken(server: ssl.SSLContext, authority: LocalAuthority, name: str) -> None:
    """Both sides agree, in memory; raises what the client objects to."""
    client = ssl.create_default_context(cadata=authority.pem)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    asks = client.wrap_bio(to_client, to_server, server_hostname=name)
    answers = server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(4):
        for side in (asks, answers):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
    assert asks.version() == "TLSv1.3"


def test_it_is_made_once_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    first = kept_authority(folder)
    assert kept_authority(folder).fingerprint == first.fingerprint
    assert len(first.fingerprint.split(":")) == 32
    if os.name == "posix":
        assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600
    assert "key" not in repr(first).lower().replace("localauthority", "")


@pytest.mark.parametrize("damaged", [b"", b"no certificate", None])
def test_a_damaged_one_is_made_anew(tmp_path: Path, damaged: bytes | None) -> None:
    first = kept_authority(tmp_path)
    path = tmp_path / FILE_NAME
    path.write_bytes(path.read_bytes()[:400] if damaged is None else damaged)
    again = kept_authority(tmp_path)
    assert again.fingerprint != first.fingerprint
    assert kept_authority(tmp_path).fingerprint == again.fingerprint


def test_a_key_of_another_certificate_is_not_used(tmp_path: Path) -> None:
    first = kept_authority(tmp_path)
    path = tmp_path / FILE_NAME
    other = new_authority()
    path.write_text(path.read_text().split("-----BEGIN CERTIFICATE")[0] + other.pem)
    assert kept_authority(tmp_path).fingerprint not in (first.fingerprint, other.fingerprint)


@pytest.mark.parametrize("name", ["127.0.0.1", "192.168.1.7", "localhost"])
def test_its_pages_are_trusted_under_their_addresses(name: str) -> None:
    authority = new_authority()
    shaken(tls_context(authority, ["192.168.1.7", "203.0.113.5"]), authority, name)


def test_another_address_or_another_authority_is_not_trusted() -> None:
    authority = new_authority()
    server = tls_context(authority, ["192.168.1.7"])
    with pytest.raises(ssl.SSLCertVerificationError, match=r"192\.168\.1\.8"):
        shaken(server, authority, "192.168.1.8")
    with pytest.raises(ssl.SSLCertVerificationError):
        shaken(server, new_authority(), "192.168.1.7")


def test_it_vouches_for_private_addresses_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    assert vouched(["10.1.2.3", "8.8.8.8", "172.31.0.1", "172.32.0.1", "fe80::1", "nonsense"]) == [
        "10.1.2.3",
        "172.31.0.1",
        "fe80::1",
    ]
    authority = new_authority()
    limit = authority.certificate.extensions.get_extension_for_class(x509.NameConstraints)
    assert limit.critical
    monkeypatch.setattr("web.local_authority.vouched", list)  # as somebody would who had stolen the key
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
        shaken(tls_context(authority, ["203.0.113.5"]), authority, "203.0.113.5")


def test_the_key_of_the_page_is_left_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    tls_context(new_authority(), ["10.0.0.1"])
    assert list(tmp_path.iterdir()) == []
