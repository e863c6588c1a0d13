"""What queries should find in a repository, computed without the program's own filters.

Reads all entries as the program lists them (JSON lines) on standard input, checks with patterns of its own that no dated
heading and no dated learning is missing, and prints queries with the places that each should find.
"""

import collections
import datetime
import json
import pathlib
import re
import sys
import unicodedata

NOW = datetime.datetime(2026, 6, 1, tzinfo=datetime.timezone.utc)
root = pathlib.Path(sys.argv[1])
entries = [json.loads(line) for line in sys.stdin]
files = {}


def lines(path):
    if path not in files:
        text = (root / path).read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
        files[path] = [line.removesuffix("\r") for line in text.split("\n")]
    return files[path]


def text(entry):
    return "\n".join(lines(entry["path"])[entry["line"] - 1 : entry["end_line"]])


def bare(name):
    plain = unicodedata.normalize("NFD", name)
    return "".join(c for c in plain if c.isalnum()).lower() or name.strip()


def names(value):
    """The names that an author can mean: with and without a role, the first word, what is in brackets."""
    head = re.split(r"[,;&+/]", value)[0]
    outside = head.split("(")[0].split(" via ")[0].strip()
    inside = re.search(r"\(([^)]*)\)", value)
    found = [value, outside, outside.split()[0] if outside.split() else "", inside.group(1) if inside else ""]
    return {bare(name.strip("@*_` ")) for name in found if name.strip()}


def day(entry):
    return entry["date"] and datetime.date.fromisoformat(entry["date"])


def last_moment(entry):
    if entry["timestamp"]:
        return datetime.datetime.strptime(entry["timestamp"], "%Y-%m-%dT%H:%M:%S%z")
    if entry["date"]:
        return datetime.datetime.combine(day(entry), datetime.time(23, 59, 59), datetime.timezone.utc)
    return None


def first_moment(entry):
    if entry["timestamp"]:
        return last_moment(entry)
    return datetime.datetime.combine(day(entry), datetime.time(), datetime.timezone.utc)


def check_dates():
    """Every dated heading of level 3 with a text of its own, and every dated learning, is an entry of that day."""
    places = {(entry["path"], entry["line"]): entry for entry in entries}
    missing = []
    for path in sorted({entry["path"] for entry in entries}):
        fenced = False
        for number, line in enumerate(lines(path), 1):
            if re.match(r"\s*(```|~~~)", line):
                fenced = not fenced
            learned = re.match(r"- [^(]{10,}\(added: (\d{4}-\d\d-\d\d)\)$", line)
            headed = re.match(r"### (\d{4}-\d\d-\d\d): \w", line)
            below = next((line for line in lines(path)[number:] if line.strip()), "")
            # The title of a section has an entry right below it.
            headed = headed if not below.startswith("#") else None
            learned = learned if path.endswith("learnings.md") else None
            if not fenced and (learned or headed):
                entry = places.get((path, number))
                if entry is None or entry["date"] != (learned or headed).group(1):
                    missing.append(f"{path}:{number}")
    return missing


def answer(args, wanted):
    return {"args": args, "places": sorted(f"{e['path']}:{e['line']}" for e in entries if wanted(e))}


def answers():
    for kind in ["decision", "memory", "note", "directive"]:
        yield answer(["--type", kind], lambda e, kind=kind: e["type"] == kind)
    for first in ["2026-02-15", "2026-03-01"]:
        bound = datetime.date.fromisoformat(first)
        yield answer(["--after", first], lambda e, bound=bound: e["date"] is not None and day(e) >= bound)
        yield answer(["--before", first], lambda e, bound=bound: e["date"] is not None and day(e) < bound)
    since = NOW - datetime.timedelta(days=90)
    yield answer(["--recent", "90d"], lambda e: last_moment(e) is not None and last_moment(e) >= since and first_moment(e) <= NOW)
    for word in ["test", "Release", "ÜBER", "because the", "*"]:
        yield answer(["--text", word], lambda e, word=word: word.lower() in text(e).lower())
    yield answer(["--type", "decision", "--text", "test"], lambda e: e["type"] == "decision" and "test" in text(e).lower())
    yield answer(["--superseded"], lambda e: e["superseded_by"] is not None)
    written = collections.Counter(bare(e["author"]) for e in entries if e["author"])
    for name, _ in written.most_common(3):
        if name.isalnum() and not is_ambiguous(name):
            yield answer(["--author", name], lambda e, name=name: is_by(e, name))
    yield answer(["--scope", "team"], lambda e: e["scope"] == "team")


def is_by(entry, name):
    people = ([entry["author"]] if entry["author"] else []) + entry["contributors"]
    return any(name in names(one) for one in people)


def is_ambiguous(name):
    """Whether the roster could join this name with another one: then the program knows more than this script."""
    known = {one for e in entries if e["author"] for one in names(e["author"])}
    return any(other != name and (other.startswith(name) or name.startswith(other)) for other in known)


missing = check_dates()
if missing:
    sys.exit("not listed: " + ", ".join(missing[:10]))
json.dump(list(answers()), sys.stdout)
