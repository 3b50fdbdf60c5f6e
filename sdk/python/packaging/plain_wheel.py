"""Makes the wheel with what Python brings along, so that ``pip install`` needs no network.

The hooks are those of https://peps.python.org/pep-0517/, the files those of
https://packaging.python.org/en/latest/specifications/binary-distribution-format/.
"""

import base64
import hashlib
import io
import pathlib
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME, VERSION = "hermes_tools", "0.1.0"
INFO = f"{NAME}-{VERSION}.dist-info"
METADATA = f"""Metadata-Version: 2.1
Name: hermes-tools
Version: {VERSION}
Summary: Write tools for Hermes in Python
Requires-Python: >=3.9
Description-Content-Type: text/markdown

"""
WHEEL = "Wheel-Version: 1.0\nGenerator: plain_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
# The same bytes from the same files, whenever they are made.
MOMENT = (1980, 1, 1, 0, 0, 0)


def metadata() -> bytes:
    return METADATA.encode() + (ROOT / "README.md").read_bytes()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sorted((ROOT / "hermes").rglob("*.py"))}
    files[f"{INFO}/METADATA"] = metadata()
    files[f"{INFO}/WHEEL"] = WHEEL.encode()
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data in files.items())
    files[f"{INFO}/RECORD"] = (record + f"{INFO}/RECORD,,\n").encode()
    wheel = f"{NAME}-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, MOMENT)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    name = f"{NAME}-{VERSION}"
    with tarfile.open(pathlib.Path(sdist_directory, f"{name}.tar.gz"), "w:gz") as archive:
        for part in ("README.md", "hermes", "packaging", "pyproject.toml"):
            archive.add(ROOT / part, f"{name}/{part}", filter=lambda item: None if "__pycache__" in item.name else item)
        info = tarfile.TarInfo(f"{name}/PKG-INFO")
        info.size = len(metadata())
        archive.addfile(info, io.BytesIO(metadata()))
    return f"{name}.tar.gz"


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
