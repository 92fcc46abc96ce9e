"""This computer's own certificate authority, and the certificate under which its pages are served in the network.

The authority's key stays in its folder, readable by its owner alone. The authority vouches for addresses of private
networks and for nothing else: the limit stands in its certificate, so that a phone that trusts it does not trust it
for any page of the internet.
"""

from __future__ import annotations

import ipaddress
import os
import ssl
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

FILE_NAME: Final = "authority.pem"
"""Key and certificate together, so that one is never without the other."""
YEARS: Final = timedelta(days=5 * 365)
LEAF: Final = timedelta(days=60)
SLACK: Final = timedelta(days=1)
"""A phone's clock may be a little behind."""
NETWORKS: Final = tuple(
    ipaddress.ip_network(one)
    for one in (
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "fc00::/7",
        "fe80::/10",
        "::1/128",
    )
)
"""What the authority may vouch for."""


@dataclass(frozen=True, slots=True)
class LocalAuthority:
    """The authority. Its ``repr`` shows no key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey = field(repr=False)

    @property
    def der(self) -> bytes:
        """The certificate as a phone installs it."""
        return self.certificate.public_bytes(serialization.Encoding.DER)

    @property
    def pem(self) -> str:
        """The certificate as text, for clients that are told whom to trust."""
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the certificate, ``AB:CD:...``, to be compared on the phone."""
        return self.certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def kept_authority(folder: Path) -> LocalAuthority:
    """The authority that is kept in the folder; a new one where there is none that still holds. Raises OSError."""
    path = folder / FILE_NAME
    with suppress(FileNotFoundError, ValueError, TypeError):
        text = path.read_bytes()
        key = serialization.load_pem_private_key(text, None)
        certificate = x509.load_pem_x509_certificate(text)
        whole = isinstance(key, ec.EllipticCurvePrivateKey) and certificate.public_key() == key.public_key()
        if whole and certificate.not_valid_after_utc > datetime.now(UTC) + LEAF:
            assert isinstance(key, ec.EllipticCurvePrivateKey)
            path.chmod(0o600)
            return LocalAuthority(certificate, key)
    authority = new_authority()
    folder.mkdir(parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        path.unlink()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(_key_pem(authority.key) + authority.pem.encode())
    return authority


def new_authority() -> LocalAuthority:
    """A new authority with a key of its own, for five years."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Mournival on this table's computer")])
    permitted = [x509.DNSName("localhost"), *(x509.IPAddress(network) for network in NETWORKS)]
    usage = _usage(signs_certificates=True)
    builder = (
        _builder(name, name, key.public_key(), YEARS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(permitted, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return LocalAuthority(builder.sign(key, hashes.SHA256()), key)


def vouched(addresses: Sequence[str]) -> list[str]:
    """Those of the addresses that lie in a private network, which is all that the authority can vouch for."""
    found = []
    for address in addresses:
        with suppress(ValueError):
            one = ipaddress.ip_address(address)
            if any(one in network for network in NETWORKS):
                found.append(address)
    return found


def tls_context(authority: LocalAuthority, addresses: Sequence[str]) -> ssl.SSLContext:
    """How the pages are served under these addresses: TLS 1.2 or later, a new key at each start, which is not kept."""
    key = ec.generate_private_key(ec.SECP256R1())
    names: list[x509.GeneralName] = [x509.DNSName("localhost")]
    names += [x509.IPAddress(ipaddress.ip_address(one)) for one in dict.fromkeys(["127.0.0.1", *vouched(addresses)])]
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Mournival")])
    issuer = authority.certificate.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    builder = (
        _builder(name, authority.certificate.subject, key.public_key(), LEAF)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer), critical=False)
    )
    leaf = builder.sign(authority.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    with tempfile.TemporaryDirectory(prefix="mournival-") as passing:  # nobody else may look into it
        path = Path(passing) / "page.pem"
        path.write_bytes(_key_pem(key) + leaf + authority.pem.encode())
        context.load_cert_chain(path)
    return context


def _builder(
    subject: x509.Name, issuer: x509.Name, public: ec.EllipticCurvePublicKey, lasts: timedelta
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - SLACK)
        .not_valid_after(now + lasts)
    )


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _key_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
