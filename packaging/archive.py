"""Packs a binary for a release: with licences, README, completions and manual pages, the same bytes for the same files.

python packaging/archive.py TARGET BINARY OUT

Writes OUT/squad-lint-VERSION-TARGET.tar.gz, for Windows also .zip, and prints their lines for hooks/checksums.txt. The
binary is run: it must be one for this machine, and of the version in Cargo.toml.
"""

import gzip
import hashlib
import io
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What a zip file can say at the earliest; tar takes it, too.
MOMENT = 315532800

COMPLETIONS = {
    "bash": "squad-lint.bash",
    "elvish": "squad-lint.elv",
    "fish": "squad-lint.fish",
    "powershell": "_squad-lint.ps1",
    "zsh": "_squad-lint",
}


def version():
    package = (ROOT / "Cargo.toml").read_text(encoding="utf-8").split("[package]", 1)[1]
    return re.search(r'^version = "(.+)"$', package, re.MULTILINE)[1]


def run(binary, *args):
    return subprocess.run([binary, *args], check=True, stdout=subprocess.PIPE).stdout


def contents(binary, name):
    """The files of the archive: path, bytes, mode."""
    yield name, binary.read_bytes(), 0o755
    for path in [*sorted(ROOT.glob("LICENSE-*")), ROOT / "README.md"]:
        yield path.name, path.read_bytes(), 0o644
    for shell, path in COMPLETIONS.items():
        yield f"completions/{path}", run(binary, "completions", shell), 0o644
    with tempfile.TemporaryDirectory() as folder:
        run(binary, "man", "--dir", folder)
        for page in sorted(pathlib.Path(folder).iterdir()):
            yield f"man/man1/{page.name}", page.read_bytes(), 0o644


def tar_gz(base, files):
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", mtime=MOMENT) as zipped, tarfile.open(fileobj=zipped, mode="w") as tar:
        for path, data, mode in files:
            entry = tarfile.TarInfo(f"{base}/{path}")
            entry.size, entry.mode, entry.mtime = len(data), mode, MOMENT
            tar.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def zip_file(base, files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data, mode in files:
            entry = zipfile.ZipInfo(f"{base}/{path}")
            entry.compress_type, entry.external_attr, entry.create_system = zipfile.ZIP_DEFLATED, mode << 16, 3
            archive.writestr(entry, data)
    return out.getvalue()


def main(target, binary, out):
    binary, out = pathlib.Path(binary).resolve(), pathlib.Path(out)
    said = run(binary, "--version").decode().split()
    if said != ["squad-lint", version()]:
        sys.exit(f"error: the binary says `{' '.join(said)}`, Cargo.toml says {version()}")
    base = f"squad-lint-{version()}-{target}"
    is_windows = "-windows-" in target
    files = list(contents(binary, "squad-lint.exe" if is_windows else "squad-lint"))
    archives = {f"{base}.tar.gz": tar_gz(base, files)}
    if is_windows:
        archives[f"{base}.zip"] = zip_file(base, files)
    out.mkdir(parents=True, exist_ok=True)
    for name, data in archives.items():
        (out / name).write_bytes(data)
        print(f"{hashlib.sha256(data).hexdigest()}  {name}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
