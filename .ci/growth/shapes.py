"""Texts that repeat, and the places in which the program reads them.

In what is repeated, `{i}` is the number of the repetition, always six digits, `{day}` a day that grows with it, and `{^}`, `{_}`
and `{<}` are as many backticks, blanks and `>` as there were repetitions. `ALL` is at the end.
"""

import re
from collections import namedtuple

# Between `head` and `tail`, `unit` as often as it takes; in the second half `then`, if there is one.
Shape = namedtuple("Shape", "name head unit then tail")
# A file to write a text into, the arguments for the program, other files; whether all is in git's index; and the files of the commit
# before, if there is one. A file is a path and a text; a function makes such files from the text.
Place = namedtuple("Place", "name path args beside indexed before", defaults=[[]])


def s(name, unit):
    return Shape(name, "", unit, "", "")


def b(name, head, unit, tail):
    return Shape(name, head, unit, "", tail)


def t(name, head, unit, then):
    return Shape(name, head, unit, then, "")


def p(name, path, args):
    return Place(name, path, args, [], False)


def q(name, path, args, beside):
    return Place(name, path, args, beside, False)


def i(name, path, args, beside):
    return Place(name, path, args, beside, True)


def made(files, text):
    """The files, some of which are made from this text."""
    return [file for one in files for file in (one(text) if callable(one) else [one])]


def files(place, text):
    """The files of `place` for this text."""
    return [*made(place.beside, text), (place.path, text)]


def text(shape, length):
    """The text of `shape`, of about `length` bytes."""
    parts, size, at = [shape.head], len(shape.head.encode()), 0
    while size < length:
        unit = shape.then if shape.then and size >= length / 2 else shape.unit
        if "{" in unit:
            day = f"{2000 + at // 336 % 25:04}-{1 + at // 28 % 12:02}-{1 + at % 28:02}"
            unit = unit.replace("{i}", f"{at:06}").replace("{day}", day)
            unit = unit.replace("{^}", "`" * (at + 1)).replace("{_}", " " * at).replace("{<}", ">" * (at + 1))
        parts.append(unit)
        size += len(unit.encode())
        at += 1
    return "".join(parts) + shape.tail


SEM = "### {day}T09:30:00-0800: decision: Cache {i}\n\n**type:** decision  \n**timestamp:** {day}T09:30:00-0800  \n**author:** Verbal  \n**scope:** team  \n**summary:** The index {i} is built once.\n\n**rationale:** Each start took {i} ms.\n\n---\n\n"
OPEN = "### 2026-02-14T09:30:00-0800: decision: x\n\n**type:** decision  \n**timestamp:** 2026-02-14T09:30:00-0800  \n**author:** Verbal  \n**scope:** team  \n**summary:** x\n"

# What is repeated in Markdown.
MARKDOWN = [
    s("near tokens, one line", "ghp_ "),
    s("near tokens without blanks", "ghp_sk-AKIA"),
    s("near tokens of letters, one line", "glpat-abcd"),
    s("near tokens in lines", "ghp_R7kQ2mZx9LpV4tBn8WcJ{i}\n"),
    s("tokens in lines", "ghp_R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG{i}Aa9\n"),
    s("a long run of hyphens", "-"),
    s("a long run of low lines", "_"),
    s("a long run of base64", "R7kQ2mZx9LpV4tBn8WcJ+3sHy/"),
    s("lines of base64", "R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEiKoNqXvMrYbPjSwCzFhUl0dAe{i}\n"),
    s("private keys without an end", "-----BEGIN PRIVATE KEY-----\n"),
    s("private keys of one line", "-----BEGIN PRIVATE KEY-----\nR7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEiKoNqXvMrYbPj{i}\n"),
    b("a private key without an end", "-----BEGIN PRIVATE KEY-----\n", "R7kQ2mZx9LpV4tBn8WcJ3sHy6DfG5gTa1uEiKoNqXvMrYbPjSwCzFhUl0d{i}\n", ""),
    s("beginnings of web tokens", "eyJ"),
    s("beginnings of web tokens, parts", "eyJhbGciOiJIUzI1NiJ9."),
    s("escapes of letters", "\\u0067"),
    s("hidden characters", "\u200b"),
    s("hidden characters and letters", "a\u200b"),
    s("isolates that open", "\u05d0\u2066"),
    s("isolates", "\u05d0 \u2066a\u2069 "),
    s("variation selectors", "a\ufe01"),
    s("flags", "\U0001f3f4\U000e0067"),
    s("archived in x, one line", "archived in x "),
    s("archived in x-archive.md, one line", "archived in x-archive.md "),
    s("archived, words between", "archived a a a a a a a "),
    s("archived lines", "archived in x-archive.md\n"),
    s("archived . ` \"", "archived `a\" in x-archive.md. "),
    b("one archive at the end of words", "", "a b ", "archived in x-archive.md"),
    s("links to archives", "[a](x-archive.md) "),
    s("link openings", "]("),
    s("link openings and blanks", "](  archive "),
    s("link brackets", "["),
    s("link definitions", "[archive]: <"),
    s("words, one line", "word "),
    s("words, lines", "some words on a line\n"),
    s("one word", "a"),
    s("wide letters", "é"),
    s("blanks", " "),
    s("tabs", "\t"),
    b("left over: tabs before words", "x\f ", " \tests", "\n"),
    b("left over: tabs before letters", "x\f ", " \ta", "\n"),
    s("left over: tabs in lines", "x\f (\ta\n"),
    s("left over: fences of one backtick", "`bash\na{i}\n`\n"),
    s("left over: equal fences of one backtick", "`bash\na\n`\n"),
    s("left over: placeholders in a line", "2026-02-XX {CURRENT_DATETIME} $(date) "),
    s("left over: placeholders", "### {CURRENT_DATETIME}: Cache {i}\n\n**By:** Wren\n\n"),
    s("left over: placeholders of a day", "### 2026-02-XX: Cache {i}\n\n**By:** Wren\n\n"),
    s("left over: replacement characters", "a\ufffd "),
    s("left over: replacement characters and backticks", "`\ufffd "),
    s("left over: markers", "--- FILE: a.md ---\n"),
    s("left over: equal entries", "### 2026-02-10: Cache\n\n**By:** Wren\n\nText.\n\n"),
    s("left over: fields without a heading", "**By:** Wren\n**What:** x{i}\n**Why:** y\n\n"),
    b("left over: fields without a heading in an entry", "### 2026-02-10: Cache\n\n**By:** Wren\n\n", "**By:** Keaton\n**What:** x{i}\n**Why:** y\n\n", ""),
    s("left over: slots", "{slot {i}} "),
    s("left over: old paths", "see `.ai-team/a{i}.md` "),
    s("sections: dated headings of all levels", "# a ({day})\n\n## b ({day})\n\n### c\n\n#### d ({day})\nx\n\n"),
    s("sections: empty headings", "## a\n\n### b\n\n#### c\n\n"),
    s("sections: dates in a heading", "2026-02-10 {day} "),
    b("sections: dates in one heading", "## ", "2026-02-10 March 3, 2026 ", "\n\nx\n"),
    s("sections: numbered parts", "## 3. a{i}\n\n- **Why:** x\n- **Agent:** Wren\n\n"),
    s("sections: signatures", "text\n\n- Wren, {day}\n\n"),
    b("blanks behind text", "text", " ", "x"),
    s("hard breaks", "a  \n"),
    s("empty lines", "\n"),
    s("carriage returns", "\r"),
    s("carriage returns and words", "a\r"),
    s("carriage returns, ends", "### a\r\r- b\r\r**by:** c\r\r"),
    s("CRLF", "\r\n"),
    s("control bytes", "\x01"),
    s("NUL", "\0"),
    s("zero width", "\u200b"),
    s("headings 1", "# a\n"),
    s("headings 2", "## a {i}\n"),
    s("headings 3", "### a {i}\n\n"),
    s("headings by day", "### {day}: a\n"),
    s("headings of all levels", "# a\n## b\n### c\n#### d\n##### e\n###### f\n"),
    s("headings deep", "###### a\n##### a\n"),
    s("setext headings", "a\n===\n"),
    s("hashes", "#"),
    s("rules", "---\n"),
    s("rules and words", "a\n\n---\n\n"),
    b("front matter, open", "---\n", "a: b\n", ""),
    b("front matter, closed", "---\n", "a{i}: b\n", "---\n"),
    s("fences", "```\n"),
    s("fences of headings", "```\n### a\n```\n"),
    b("an open fence of headings", "```\n", "### {day}T09:30:00-0800: decision: x\n", ""),
    s("open fences, tildes in turn", "```\n~~~\n"),
    s("growing fences", "{^}\n"),
    s("backticks", "`"),
    s("code, one line", "`a` "),
    s("growing backticks, one line", "{^} "),
    s("comments, one line", "<!-- a --> "),
    s("open comments, one line", "<!-- "),
    s("open comments", "<!--\n"),
    s("comments", "<!-- a -->\n"),
    s("comment ends", "--> "),
    s("suppressions", "<!-- squad-lint: ignore sem -->\n"),
    s("suppressions of lines", "<!-- squad-lint: ignore sem -->\na\n\n"),
    s("suppressions of entries", "<!-- squad-lint: ignore legacy/undated -->\n### a {i}\n\n**by:** b\n\n"),
    s("suppressions of file", "<!-- squad-lint: ignore-file sem -->\n"),
    b("rules in one suppression", "<!-- squad-lint: ignore ", "sem/expired, ", "sem -->\n\na\n"),
    b("unknown rules in one suppression", "<!-- squad-lint: ignore ", "sem/a{i}, ", "sem -->\n\na\n"),
    b("rules in one suppression of file", "<!-- squad-lint: ignore-file ", "sem/expired, ", "sem -->\n\na\n"),
    b("dashes in one suppression", "<!-- squad-lint: ignore a", "--", " -->\n\na\n"),
    s("suppressions, one line", "<!-- squad-lint: ignore sem --> "),
    s("suppressions, list items", "- <!-- squad-lint: ignore sem -->\n  a\n"),
    b("suppressed nested items", "<!-- squad-lint: ignore sem -->\n", "  - <!-- squad-lint: ignore sem -->\n{_}- a\n", ""),
    s("list items", "- a\n"),
    s("list items, blank lines", "- a\n\n"),
    s("list items, one line", "- "),
    s("nested list items", "{_}- a\n"),
    s("numbered items", "1. a\n"),
    s("task items", "- [ ] archived in x-archive.md\n"),
    b("one long item", "- a\n", "  b\n", ""),
    b("one long item, blank lines", "- a\n", "\n  b\n", ""),
    s("quotes", "> a\n"),
    s("quotes, one line", "> "),
    s("growing quotes", "{<} a\n"),
    s("cells, one line", "| a "),
    s("table rows", "| a | b |\n"),
    s("tables", "| a | b |\n|---|---|\n| 1 | 2 |\n\n"),
    s("conflict openings", "<<<<<<< a\n"),
    s("conflict middles", "=======\n"),
    s("conflict ends", ">>>>>>> a\n"),
    s("conflicts", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"),
    s("diff3 conflicts", "<<<<<<< a\nx\n||||||| c\nz\n=======\ny\n>>>>>>> b\n"),
    s("stars", "*"),
    s("bold words, one line", "**a** "),
    s("open bold, one line", "**a "),
    s("open labels, one line", "**a: "),
    s("labels", "**a:** b\n"),
    s("labels, blank lines", "**by:** b\n\n"),
    s("labels, one line", "**By:** a **What:** b "),
    s("underscores", "_"),
    s("angle brackets", "<"),
    s("HTML", "<a href=\"\">"),
    s("entities", "&amp;"),
    s("backslashes", "\\"),
    s("SEM entries", SEM),
    s("equal SEM entries", OPEN),
    s("SEM headings", "### 2026-02-14T09:30:00-0800: decision: x\n"),
    s("SEM headings, odd days", "### {day}T09:30:00-0800: decision: x\n\n**timestamp:** {day}\n\n"),
    b("SEM heading, long", "### 2026-02-14T09:30:00-0800: decision: ", "x: ", "\n"),
    b("fields of one entry", OPEN, "**tags:** a\n", ""),
    b("unknown fields of one entry", OPEN, "**x{i}:** a\n", ""),
    b("tags of one entry", OPEN, "**tags:** a", "\n"),
    b("tags, one line", "### 2026-02-14T09:30:00-0800: decision: x\n\n**tags:** ", "a, ", "\n"),
    b("bad tags, one line", "### 2026-02-14T09:30:00-0800: decision: x\n\n**tags:** ", "A b{i}, ", "\n"),
    b("scope, one line", "### 2026-02-14T09:30:00-0800: decision: x\n\n**scope:** agent:", "a, ", "\n"),
    b("author, one line", "### 2026-02-14T09:30:00-0800: decision: x\n\n**author:** ", "Verbal, ", "\n"),
    b("timestamp, one line", "### 2026-02-14T09:30:00-0800: decision: x\n\n**timestamp:** ", "2026-02-14T", "\n"),
    b("summary, one line", "### 2026-02-14T09:30:00-0800: decision: x\n\n**summary:** ", "word ", "\n"),
    b("related of one entry", "### 2026-02-14T09:30:00-0800: decision: x\n\n**related:**\n", "- proposal: {i}\n", ""),
    b("bad related", "### 2026-02-14T09:30:00-0800: decision: x\n\n**related:**\n", "- a\n", ""),
    b("supersedes", "### 2026-02-14T09:30:00-0800: decision: x\n\n**related:**\n", "- supersedes: {day}T09:30:00-0800\n", ""),
    b("rationale, lines", "### 2026-02-14T09:30:00-0800: decision: x\n\n**rationale:**\n", "a\n\n", ""),
    b("rationale, rules", "### 2026-02-14T09:30:00-0800: decision: x\n\n**rationale:**\n", "a\n\n---\n\n", ""),
    s("legacy entries", "### {day}: Title {i}\n**By:** Verbal\n**What:** The index {i} is built once\n**Why:** It took {i} ms\n\n"),
    s("equal legacy entries", "### 2026-02-14: Title\n**By:** Verbal\n**What:** The index is built once\n"),
    s("legacy entries, lists", "### Title {i}\n- **By:** Verbal\n- **Date:** {day}\n\n"),
    s("legacy fields, plain", "By: a\n"),
    s("legacy fields, bold", "**Date:** {day}\n"),
    s("legacy under headings", "## {day}\n### By a\n#### What\nb\n"),
    s("undated entries", "### Title {i}\n**By:** Verbal\n**What:** x\n\n"),
    b("a long legacy title", "### 2026-02-14: ", "word ", "\n**By:** Verbal\n**What:** x\n"),
    b("a long legacy field", "### 2026-02-14: a\n**By:** Verbal\n**What:** ", "word. ", "\n"),
    b("an open mark in a long legacy field", "### 2026-02-14: a\n**By:** Verbal\n**What:** `", "Word. ", "\n"),
    b("a long author", "### 2026-02-14: a\n**What:** x\n**By:** ", "Verbal (via Copilot), ", "\n"),
    s("days, one line", "2026-02-14 "),
    s("days in words, one line", "February 14, 2026 "),
    s("digits", "1"),
    s("digits and dashes", "1-"),
    s("times, one line", "09:30:00 "),
    s("decided by, one line", "decided by a "),
    s("mentions, one line", "@a "),
    s("issues, one line", "#1 "),
    s("paths, one line", "a/b/c.md "),
    s("folders, one line", "a/"),
    s("dots", "."),
    s("URLs, one line", "https://a.b/c "),
    s("here documents", "EOF\n"),
    s("here documents, one line", "cat <<EOF "),
    s("commands, one line", "$(a) "),
    s("open commands, one line", "$("),
    s("quotation marks", "\""),
    s("quotation marks and words", "\"a\" "),
    s("learnings", "- Cache {i} of prices (added: {day})\n"),
    b("learnings of a section", "# Learnings: a\n\n## Gotchas\n", "- Cache {i} of prices (added: {day})\n", ""),
    b("equal learnings", "# Learnings: a\n\n## Gotchas\n", "- Cache of prices that change at noon (added: 2026-02-14)\n", ""),
    b("close learnings", "# Learnings: a\n\n## Gotchas\n", "- Cache of all prices that change at noon or at night a{i} (added: 2026-02-14)\n", ""),
    b("learnings without days", "# Learnings: a\n\n## Gotchas\n", "- Cache {i} of prices\n", ""),
    b("learnings, bad days", "# Learnings: a\n\n## Gotchas\n", "- Cache {i} of prices (added: 2026-2-30)\n", ""),
    b("stale learnings", "# Learnings: a\n\n## Core\n", "- Cache {i} (added: 2020-02-14)\n", "\n## Task-Relevant\n- a\n"),
    b("notes", "# Learnings: a\n\n## Cross-Agent Notes\n", "- (from b) Cache {i} of prices (added: {day})\n", ""),
    b("notes without sender", "# Learnings: a\n\n## Cross-Agent Notes\n", "- Cache {i} of prices (added: {day})\n", ""),
    s("sections of learnings", "## Gotchas\n- a{i} (added: {day})\n"),
    s("unknown sections of learnings", "## Gotchaz {i}\n- a\n"),
    s("tiers", "## Core\n- a\n## Task-Relevant\n- b\n"),
    b("marks, one line", "# Learnings: a\n\n## Gotchas\n- a ", "(added: 2026-02-14) ", "\n"),
    b("open marks, one line", "# Learnings: a\n\n## Gotchas\n- a ", "(added: ", "\n"),
    b("parentheses, one line", "# Learnings: a\n\n## Gotchas\n- a ", "(", "\n"),
    b("closed parentheses, one line", "# Learnings: a\n\n## Gotchas\n- a ", "(a) ", "\n"),
    b("from, one line", "# Learnings: a\n\n## Cross-Agent Notes\n- ", "(from b) ", "\n"),
    b("one long learning", "# Learnings: a\n\n## Gotchas\n- a\n", "  b c d\n", ""),
    b("one long learning, list", "# Learnings: a\n\n## Gotchas\n- a\n", "  - b c d {i}\n", ""),
    b("learnings below blank lines", "# Learnings: a\n\n## Gotchas\n", "- a {i} (added: 2020-01-01)\n\n\n", ""),
    s("team decisions", "- Dates are stored in UTC {i} (decided: {day}, by: a)\n"),
    b("team decisions of a section", "# Team Decisions\n\n## A\n", "- Dates {i} (decided: 2026-02-14, by: a)\n", ""),
    b("malformed team decisions", "# Team Decisions\n\n## A\n", "- Dates {i}\n", ""),
    b("roster", "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n", "| a{i} | b |\n", ""),
    b("equal roster", "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n", "| a | b |\n", ""),
    b("roster cells", "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n", "| a ", ""),
    b("roster columns", "# Team\n\n## Members\n\n", "| Name ", "\n|---|\n| a |\n"),
    s("rosters", "## Members\n\n| Name | Role |\n|---|---|\n| a | b |\n\n"),
    b("items that name a team", "# Team\n\n## Members\n", "- **a{i}** — b\n", ""),
    s("retro", "## {day}: Retro {i}\n- archived in x\n"),
]

TEAM = (
    ".claude/team.yaml",
    "team: shop\nmembers:\n  - name: a\n    role: r\n    owns: [\"**\"]\n  - name: b\n    role: r\n",
)
VERBAL = (".squad/agents/verbal/charter.md", "# Verbal\n")
ROSTER = (".squad/team.md", "# Team\n\n## Members\n\n| Name | Role |\n|---|---|\n| Verbal | Lead |\n")
LEARNING = ("memory/agents/b/learnings.md", "# Learnings: b\n\n## Gotchas\n- x\n")

# What is repeated in Markdown, in two halves: what the first half leaves open, the second one may look at again and again.
HALVES = [
    t("punctuation, then archives", "", "((", "archived in x-archive.md "),
    t("backticks, then archives", "", "`a` ", "archived in x-archive.md "),
    t("quotation marks, then archives", "", "\"a\" ", "archived in x-archive.md "),
    t("sentences, then archives", "", "a. ", "archived in x-archive.md "),
    t("digits, then archives", "", "1", " archived in x-archive.md"),
    t("archives, then words", "", "archived in x-archive.md ", "word "),
    t("empty lines, then archives", "", "\n", "archived in x-archive.md\n"),
    t("carriage returns, then archives", "", "a\r", "archived in x-archive.md\r"),
    t("an entry, empty lines, then headings", "### 2026-02-14: a\n**By:** b\n", "\n", "#### a {i}\n"),
    t("a heading, rules, then headings", "### 2026-02-14: a\n", "---\n", "### 2026-02-14: a\n"),
    t("an entry, empty lines, then labels", OPEN, "\n", "**a:** b\n"),
    t("an entry, words, then labels", OPEN, "word\n", "**a:** b\n"),
    t("an entry, labels, then headings", OPEN, "**a{i}:** b\n", "#### a\n"),
    t("headings, then fences", "", "### a {i}\n", "```\n"),
    t("an open fence, then headings", "```\n", "a\n", "## a\n"),
    t("nested items, then archives", "", "- a\n", "    archived in x-archive.md\n"),
    t("deep items with archives", "", "- a\n  - b\n    - archived in x-archive.md\n\n", "- a\n  - b\n    - c\n      archived in y-archive.md\n"),
    t("suppressions, then entries", "", "<!-- squad-lint: ignore sem -->\n", "### {day}T09:30:00-0800: decision: x\n\n**by:** a\n\n"),
    t("suppressions, then empty lines", "", "<!-- squad-lint: ignore sem -->\n", "\n"),
    t("empty lines, then suppressions", "", "\n", "<!-- squad-lint: ignore sem -->\n"),
    t("conflict openings, then ends", "", "<<<<<<< a\n", ">>>>>>> b\n"),
    t("rules, then entries", "", "---\n", "### {day}: a\n**By:** b\n"),
    t("entries, then other entries", "", "### {day}: Title {i}\n**By:** a\n**What:** b\n", SEM),
    t("learnings, then headings", "# Learnings: a\n\n## Gotchas\n", "- a {i} (added: 2020-01-01)\n", "## Gotchas\n"),
    t("learnings, then equal ones", "# Learnings: a\n\n## Gotchas\n", "- Cache {i} of all prices at noon (added: 2020-01-01)\n", "- Cache of all prices at noon (added: 2020-01-01)\n"),
    t("blanks, then words", "a", " ", "b "),
    t("open comments, then comments", "", "<!-- ", "--> "),
]

# Where Markdown is read.
MARKDOWN_PLACES = [
    q("decisions", ".squad/decisions.md", [], [ROSTER]),
    p("inbox", ".squad/decisions/inbox/verbal-x.md", []),
    p("history", ".squad/agents/verbal/history.md", []),
    p("skill", ".squad/skills/x/SKILL.md", []),
    p("charter", ".squad/agents/verbal/charter.md", []),
    p("roster", ".squad/team.md", []),
    q("learnings", "memory/agents/a/learnings.md", [], [TEAM, LEARNING]),
    q("learnings archive", "memory/agents/a/archive.md", [], [TEAM, LEARNING]),
    q("team decisions", "memory/team/decisions.md", [], [TEAM, LEARNING]),
    q("retro", "memory/team/retro-history.md", [], [TEAM, LEARNING]),
    p("decisions, every rule", ".squad/decisions.md", ["--select", "all", "--min-severity", "info", "--show-all", "--format", "json"]),
    p("decisions, SARIF", ".squad/decisions.md", ["--min-severity", "info", "--format", "sarif"]),
    p("decisions, text", ".squad/decisions.md", ["--min-severity", "info", "--show-all"]),
    p("decisions, --fix", ".squad/decisions.md", ["--fix", "--unsafe-fixes"]),
    p("inbox, --fix", ".squad/decisions/inbox/verbal-x.md", ["--fix", "--unsafe-fixes"]),
    p("decisions, --diff", ".squad/decisions.md", ["--diff", "--unsafe-fixes"]),
    p("history, --fix", ".squad/agents/verbal/history.md", ["--fix", "--unsafe-fixes"]),
    p("decisions, --add-ignore", ".squad/decisions.md", ["--add-ignore"]),
    p("decisions, --write-baseline", ".squad/decisions.md", ["--write-baseline", "baseline.json"]),
    p("convert decisions", ".squad/decisions.md", ["convert", "--min-confidence", "low"]),
    p("convert inbox", ".squad/decisions/inbox/verbal-x.md", ["convert", "--min-confidence", "low"]),
    p("convert history, dry", ".squad/agents/verbal/history.md", ["convert", "--min-confidence", "low", "--dry-run"]),
    q("memory", ".squad/decisions.md", ["memory", "--text", "a", "--format", "json"], [ROSTER, VERBAL]),
    q("memory brief", ".squad/decisions.md", ["memory", "brief", "--for", "verbal", "--about", "a/b.md"], [ROSTER, VERBAL]),
    q("health", ".squad/decisions.md", ["health", "--format", "json"], [ROSTER, VERBAL]),
    q("stats", ".squad/decisions.md", ["stats", "--format", "json"], [ROSTER, VERBAL]),
    q("memory of learnings", "memory/agents/a/learnings.md", ["memory"], [TEAM, LEARNING]),
    q("learnings, --fix", "memory/agents/a/learnings.md", ["--fix", "--unsafe-fixes"], [TEAM, LEARNING]),
    q("team prune", "memory/agents/a/learnings.md", ["team", "prune"], [TEAM, LEARNING]),
]

WHOLE = "# A — B\n\n## Identity\n- **ID:** `verbal`\n- **Purpose:** c\n\n## Accountable Responsibilities\n\n## Non-Responsibilities\n\n## Collaboration and Review Authority\n\n"
OLDER = "# A - B\n\n## What I Own\n\n## Model\n\n## Boundaries\n\n"

# What is repeated in a charter.
CHARTER = [
    s("titles", "# A — B\n"),
    s("titles in a wrong form", "# A{i}\n"),
    b("dashes in a title", "# A", " —", "\n"),
    b("words in a title", "# A — ", "b ", "\n"),
    b("hashes after a title", "# A — B ", "#", "\n"),
    b("equal sections", WHOLE, "## Model\n", ""),
    b("sections and older ones", WHOLE, "## Boundaries\n## Collaboration\n", ""),
    b("sections in the wrong order", WHOLE, "## Model\n## Identity\n", ""),
    b("unknown sections", WHOLE, "## A{i}\nb\n", ""),
    b("unknown sections of an older charter", OLDER, "## A{i}\nb\n", ""),
    b("extensions", WHOLE, "## X-a-b{i}\nc\n", ""),
    b("equal extensions", WHOLE, "## X-a-b\nc\n", ""),
    b("extensions in a wrong form", WHOLE, "## X-A{i}\nc\n", ""),
    b("extensions of an older charter", OLDER, "## X-a-b{i}\nc\n", ""),
    b("one extension", WHOLE + "## X-a-", "b-", "\n"),
    b("equal fields", WHOLE + "## Model\n", "- **Preferred:** auto\n", ""),
    b("empty fields", "# A — B\n\n## Identity\n", "- **Purpose:**\n", ""),
    b("older fields", "# A — B\n\n## Identity\n", "- **Style:** a{i}\n", ""),
    b("unknown fields", WHOLE + "## Model\n", "- **A{i}:** b\n", ""),
    b("open labels", WHOLE + "## Model\n", "- **Preferred:", "\n"),
    b("one long field", "# A — B\n\n## Identity\n- **Style:** ", "a, ", "\n"),
    b("blanks before a field", "# A — B\n\n## Identity\n-", " ", "**ID:** a\n"),
    b("one wrong option", WHOLE + "## Model\n- **Reasoning Effort:** ", "a ", "\n"),
    b("items of an older section", OLDER + "## Voice\n", "- a{i}\n", ""),
    b("empty lines of an older charter", OLDER, "\n", "a\n"),
    b("suppressions of an older charter", OLDER, "<!-- squad-lint: ignore sem -->\n", ""),
    b("fences", WHOLE, "```\n## Model\n```\n", ""),
    b("fences that do not close", WHOLE, "~~~\n````\n", ""),
    b("comments", WHOLE, "<!--\n## Model\n-->\n", ""),
    b("open comments", OLDER, "<!--\n", ""),
    s("carriage returns", "# A — B\r## Identity\r- **ID:** a\r"),
    s("quotes", "> ## Model\n"),
    s("blanks", " "),
]

# Where a charter is read.
PROFILE = ["--profile", "squad-charter/v0.1"]
FOLLOWED = ("squad-lint.toml", "[charter]\nprofile = \"squad-charter/v0.1\"\n")
AT = ".squad/agents/verbal/charter.md"
CHARTER_PLACES = [
    p("charter, errors", AT, []),
    q("charter, all", AT, ["--show-all", "--format", "json"], [FOLLOWED]),
    q("charter, --fix", AT, ["--fix", "--unsafe-fixes"], [FOLLOWED]),
    p("charter, verdict", AT, ["charter", *PROFILE, "--format", "json"]),
    p("charter, verdict as text", AT, ["charter", *PROFILE]),
    p("convert charter", AT, ["convert", AT]),
]

# What is repeated in YAML.
YAML = [
    s("lists, one line", "- "),
    s("brackets", "["),
    s("braces", "{"),
    s("flow pairs", "{a: "),
    s("closed brackets", "[], "),
    s("keys", "a{i}: b\n"),
    s("equal keys", "a: b\n"),
    s("nested keys", "{_}a:\n"),
    s("nested lists", "{_}- a\n"),
    s("anchors", "a{i}: &a{i} b\n"),
    s("equal anchors", "a{i}: &a b\n"),
    b("aliases", "a: &a b\nb:\n", "  - *a\n", ""),
    b("aliases of large things", "a: &a [b, b, b, b, b, b, b, b]\nb:\n", "  - *a\n", ""),
    b("chained aliases", "a000000: &x [b]\n", "c{i}: &x [*x, *x]\n", ""),
    b("merges", "a: &a {b: c}\nb:\n", "  - <<: *a\n", ""),
    b("chained merges", "a: &x {b: c}\n", "c{i}: &x\n  <<: *x\n  d{i}: e\n", ""),
    s("documents", "---\na: b\n"),
    s("document ends", "...\n"),
    s("directives", "%YAML 1.2\n"),
    s("tags", "!!str "),
    s("question marks", "? a\n"),
    s("question marks, one line", "? "),
    s("colons", ": "),
    b("block text", "a: |\n", "  b\n", ""),
    b("folded text", "a: >\n", "  b\n\n", ""),
    b("quoted text", "a: \"", "b\\n", "\"\n"),
    b("quoted text, lines", "a: \"", "b\n  ", "\"\n"),
    s("open quotes", "\""),
    b("plain text, lines", "a: b\n", "  c\n", ""),
    b("plain text, one line", "a: ", "b ", "\n"),
    s("comments", "# a\n"),
    s("suppressions", "# squad-lint: ignore team\n"),
    b("rules in one suppression", "# squad-lint: ignore ", "team/a, ", "team\nteam: a\n"),
    s("suppressions and keys", "# squad-lint: ignore team\na{i}: b\n"),
    s("carriage returns", "a: b\r"),
    s("empty lines", "\n"),
    s("tabs", "\ta"),
    s("blanks", " "),
    b("members", "team: a\nmembers:\n", "  - name: a{i}\n    role: b\n", ""),
    b("equal members", "team: a\nmembers:\n", "  - name: a\n    role: b\n", ""),
    b("bad names", "team: a\nmembers:\n", "  - name: A B {i}\n    role: b\n", ""),
    b("empty members", "team: a\nmembers:\n", "  - {}\n", ""),
    b("unknown keys of members", "team: a\nmembers:\n  - name: a\n", "    rol{i}: b\n", ""),
    b("members that own", "team: a\nmembers:\n", "  - name: a{i}\n    role: b\n    owns: [\"src/a{i}/**\"]\n", ""),
    b("members that own the same", "team: a\nmembers:\n", "  - name: a{i}\n    role: b\n    owns: [\"src/**\"]\n", ""),
    b("members that own all", "team: a\nmembers:\n", "  - name: a{i}\n    role: b\n    owns: [\"**\"]\n", ""),
    b("members that own stars", "team: a\nmembers:\n", "  - name: a{i}\n    role: b\n    owns: [\"*{i}*\"]\n", ""),
    b("globs of one member", "team: a\nmembers:\n  - name: a\n    role: b\n    owns:\n", "      - src/a{i}/**\n", ""),
    b("equal globs of one member", "team: a\nmembers:\n  - name: a\n    role: b\n    owns:\n", "      - src/**\n", ""),
    b("deep globs of one member", "team: a\nmembers:\n  - name: a\n    role: b\n    owns:\n", "      - \"**/a{i}/**/*.md\"\n", ""),
    b("starred globs of one member", "team: a\nmembers:\n  - name: a\n    role: b\n    owns:\n", "      - \"*a{i}*b*\"\n", ""),
    b("bad globs of one member", "team: a\nmembers:\n  - name: a\n    role: b\n    owns:\n", "      - \"[a{i}\"\n", ""),
    b("one glob of folders", "team: a\nmembers:\n  - name: a\n    role: b\n    owns: [\"", "**/", "\"]\n"),
    b("one glob of folders and stars", "team: a\nmembers:\n  - name: a\n    role: b\n    owns: [\"", "**/*/", "\"]\n"),
    b("one glob of stars", "team: a\nmembers:\n  - name: a\n    role: b\n    owns: [\"", "*", "\"]\n"),
    b("one glob of stars and letters", "team: a\nmembers:\n  - name: a\n    role: b\n    owns: [\"", "*a", "\"]\n"),
    b("one glob of braces", "team: a\nmembers:\n  - name: a\n    role: b\n    owns: [\"", "{a,b}", "\"]\n"),
    b("one glob of open braces", "team: a\nmembers:\n  - name: a\n    role: b\n    owns: [\"", "{a,", "\"]\n"),
    b("one glob of classes", "team: a\nmembers:\n  - name: a\n    role: b\n    owns: [\"", "[ab]", "\"]\n"),
    b("one glob of open classes", "team: a\nmembers:\n  - name: a\n    role: b\n    owns: [\"", "[", "\"]\n"),
    b("one glob of alternatives", "team: a\nmembers:\n  - name: a\n    role: b\n    owns: [\"{", "a{i},", "b}\"]\n"),
    b("tools", "team: a\nmembers:\n  - name: a\n    role: b\n    tools: [", "Read, ", "Edit]\n"),
    b("a role of commands", "team: a\nmembers:\n  - name: a\n    role: \"", "$(a) `b` ", "\"\n"),
]

# Where YAML is read.
YAML_PLACES = [
    q("manifest", ".claude/team.yaml", [], [LEARNING, ("src/x/y.md", "x")]),
    q("team owners", ".claude/team.yaml", ["team", "owners", "src/x/y.md", "a/b/c/d/e.md"], [LEARNING]),
    q("team show", ".claude/team.yaml", ["team", "show"], []),
    q("manifest, --fix", ".claude/team.yaml", ["--fix", "--unsafe-fixes"], [LEARNING]),
]

# What is repeated in JSON.
JSON = [
    s("brackets", "["),
    s("braces", "{"),
    s("nested objects", "{\"a\":"),
    b("numbers", "[", "1,", "1]"),
    b("keys", "{", "\"a{i}\":1,", "\"b\":1}"),
    b("equal keys", "{", "\"a\":1,", "\"b\":1}"),
    b("one text", "{\"a\":\"", "b ", "\"}"),
    b("escapes", "{\"a\":\"", "\\u00e9", "\"}"),
    s("quotes", "\""),
    s("blanks", " "),
    s("lines", "\n"),
    s("carriage returns", "\r"),
    s("objects", "{}"),
    s("object lines", "{\"result\":\"a\"}\n"),
    s("words and braces", "a { b "),
    s("fences", "```json\n{}\n```\n"),
    s("open fences", "```json\n"),
    b("fenced object of braces", "```json\n", "{\"a\": {", ""),
    b("files changed", "{\"task_result\":{\"status\":\"completed\",\"files_changed\":[", "\"a/{i}\",", "\"b\"]}}"),
    b("escaping files", "{\"task_result\":{\"status\":\"completed\",\"files_changed\":[", "\"../{i}\",", "\"b\"]}}"),
    b("one path", "{\"task_result\":{\"status\":\"completed\",\"files_changed\":[\"", "../", "b\"]}}"),
    b("suggestions", "{\"task_result\":{\"status\":\"completed\"},\"suggested_learnings\":[", "{\"category\":\"gotcha\",\"content\":\"a{i} b c\"},", "{}]}"),
    b("bad suggestions", "{\"task_result\":{\"status\":\"completed\"},\"suggested_learnings\":[", "{\"category\":\"x\"},", "{}]}"),
    b("suggestions for others", "{\"task_result\":{\"status\":\"completed\"},\"suggested_learnings\":[", "{\"category\":\"cross-agent\",\"content\":\"a{i}\",\"for_agent\":\"c{i}\"},", "{}]}"),
    b("a result in a result", "{\"result\":\"", "{\\\"result\\\": ", "\"}"),
]

# Where JSON is read.
JSON_PLACES = [
    q("reflection", "memory/reflections/a.json", [], [TEAM, LEARNING]),
    q("team reflect", "reflection.json", ["team", "reflect", "reflection.json", "--member", "a"], [TEAM, LEARNING]),
    q("package", "package.json", [], [(".squad/decisions.md", "a\n")]),
    q("baseline", "baseline.json", ["--baseline", "baseline.json"], [(".squad/decisions.md", "### a\n")]),
    q("registry", ".squad/casting/registry.json", [], [ROSTER, VERBAL]),
    q("casting history", ".squad/casting/history.json", [], [ROSTER, VERBAL]),
    i("casting", ".squad/casting/a.json", [], [(".squad/decisions.md", "a\n")]),
]

FILES = "{\"name\":\"x\",\"files\":[\""

# What is repeated in a package.json.
PACKAGE = [
    b("one item of folders and stars", FILES, "**/*", "\"]}"),
    b("one item of folders", FILES, "**/", "\"]}"),
    b("one item of folders and stars, parted", FILES, "**/*/", "\"]}"),
    b("one item of folders and letters", FILES, "**/a/", "\"]}"),
    b("one item of stars", FILES, "*", "\"]}"),
    b("one item of stars and letters", FILES, "*a", "\"]}"),
    b("one item of stars and marks", FILES, "*?", "\"]}"),
    b("one item of marks", FILES, "?", "\"]}"),
    b("one item of classes", FILES, "[ab]", "\"]}"),
    b("one item of open classes", FILES, "[", "\"]}"),
    b("one item of classes, named", FILES, "[[:alpha:]]", "\"]}"),
    b("one item of open named classes", FILES, "[[:", "\"]}"),
    b("one item of one class", "{\"name\":\"x\",\"files\":[\"[", "a", "]\"]}"),
    b("one item of braces", FILES, "{a,b}", "\"]}"),
    b("one item of open braces", FILES, "{a,", "\"]}"),
    b("one item of closed braces", FILES, "a,}", "\"]}"),
    b("one item of alternatives", "{\"name\":\"x\",\"files\":[\"{", "a{i},", "b}\"]}"),
    b("one item of alternatives, long", "{\"name\":\"x\",\"files\":[\"{a,b}{a,b}{a,b}{a,b}", "abcdefgh", "b\"]}"),
    b("one item of sequences", FILES, "{1..9}", "\"]}"),
    b("one item of empty braces", FILES, "{}", "\"]}"),
    b("one item of dollars", FILES, "${", "\"]}"),
    b("one item of groups", FILES, "+(a|b)", "\"]}"),
    b("one item of groups, nested", FILES, "+(*(", "\"]}"),
    b("one item of open groups", FILES, "+(", "\"]}"),
    b("one item of exceptions", FILES, "!(a)", "\"]}"),
    b("one item of exceptions and stars", FILES, "*!(a)*", "\"]}"),
    b("one item of parents", FILES, "../", "\"]}"),
    b("one item of parents and letters", FILES, "a/../", "\"]}"),
    b("one item of slashes", FILES, "/", "\"]}"),
    b("one item of exclamation marks", FILES, "!", "a\"]}"),
    b("one item of backslashes", FILES, "\\\\", "\"]}"),
    b("one item of line ends", FILES, "a\\n", "\"]}"),
    b("items of folders and stars", "{\"name\":\"x\",\"files\":[", "\"**/*\",", "\"a\"]}"),
    b("items", "{\"name\":\"x\",\"files\":[", "\"a{i}\",", "\"a\"]}"),
    b("items, and the last decides", "{\"name\":\"x\",\"files\":[", "\"a{i}\",", "\".squad\"]}"),
    b("items that take it in", "{\"name\":\"x\",\"files\":[", "\".squad\",", "\".squad\"]}"),
    b("items that take it in and out", "{\"name\":\"x\",\"files\":[", "\".squad\",\"!.squad\",", "\".squad\"]}"),
    b("items that are files", "{\"name\":\"x\",\"files\":[", "\".squad/decisions.md\",", "\"a\"]}"),
    b("programs", "{\"name\":\"x\",\"bin\":{", "\"a{i}\":\"b{i}\",", "\"b\":\"c\"}}"),
    b("one program", "{\"name\":\"x\",\"bin\":\"", "a/../", "\"}"),
    b("main", "{\"name\":\"x\",\"main\":\"", "**/*", "\"}"),
    b("workspaces", "{\"name\":\"x\",\"workspaces\":[", "\"a{i}\",", "\"b\"]}"),
    b("one workspace", "{\"name\":\"x\",\"workspaces\":[\"", "**/*", "\"]}"),
    b("keys", "{\"name\":\"x\",", "\"a{i}\":1,", "\"b\":1}"),
    b("equal keys", "{", "\"name\":\"x\",", "\"b\":1}"),
    b("name", "{\"name\":\"", "x", "\"}"),
    b("brackets", "{\"name\":\"x\",\"a\":", "[", ""),
]

# Where a package.json is read.
PACKAGE_PLACES = [
    q("package", "package.json", [], [ (".squad/decisions.md", "a\n"), (".squad/agents/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/history.md", "a\n"), ]),
    q("package of packages", "package.json", [], [ ("a/b/.squad/decisions.md", "a\n"), ("a/b/package.json", "{\"name\":\"y\",\"files\":[\"x\"]}"), ("a/b/.npmignore", "x\n"), ]),
]

# What is repeated in ignore files and attributes.
PATTERNS = [
    s("lines of folders", "**/\n"),
    s("lines of folders and stars", "**/*\n"),
    s("lines", "a{i}\n"),
    s("rooted lines", "/a{i}/\n"),
    s("equal lines", "a\n"),
    s("lines that take in", "!a{i}\n"),
    s("lines of the state", ".squad/\n!.squad/\n"),
    s("lines within the state", ".squad/*\n!.squad/*.md\n"),
    s("lines with stars", "*a{i}*\n"),
    s("deep lines", "**/a{i}/**/b\n"),
    s("folders, one line", "**/"),
    s("folders and stars, one line", "**/*/"),
    s("folders and letters, one line", "**/a/"),
    s("stars, one line", "*"),
    s("stars and letters, one line", "*a"),
    s("stars and folders, one line", "*/"),
    s("marks, one line", "?"),
    s("marks and stars, one line", "?*"),
    s("classes, one line", "[ab]"),
    s("open classes, one line", "["),
    s("named classes, one line", "[[:alpha:]]"),
    s("braces, one line", "{a,b}"),
    s("groups, one line", "+(a|b)"),
    s("backslashes, one line", "\\"),
    s("slashes, one line", "/"),
    s("exclamation marks, one line", "!"),
    s("blanks, one line", " "),
    s("blanks behind text", "a  \n"),
    s("empty lines", "\n"),
    s("carriage returns", "a\r"),
    s("comments", "# a\n"),
    s("suppressions", "# squad-lint: ignore guard\n"),
    s("suppressions and lines", "# squad-lint: ignore guard\na{i}\n"),
    b("rules in one suppression", "# squad-lint: ignore ", "guard/a, ", "guard\na\n"),
    s("attributes", "a{i} merge=union\n"),
    s("attributes of the state", ".squad/decisions.md merge=union\n"),
    s("attributes of folders", "**/*.md merge=union\n"),
    b("attributes, one line", "*.md ", "merge=union ", "\n"),
    b("many attributes, one line", "*.md ", "a{i} ", "\n"),
    s("macros", "[attr]a{i} merge=union\n"),
    b("chained macros", "[attr]a000000 b\n", "[attr]a{i} x\n", "*.md a000001\n"),
    s("unset attributes", "*.md -merge !text\n"),
]

STATE = [
    (".squad/decisions.md", "a\n"),
    (".squad/decisions/inbox/a.md", "a\n"),
    (".squad/agents/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/history.md", "a\n"),
    ("a/b/c/d/.squad/decisions.md", "a\n"),
    ("a/b/c/d/e/f/g/h/i/j/x.md", "a\n"),
    ("package.json", "{\"name\":\"x\"}"),
]

# Where patterns are read.
PATTERN_PLACES = [
    q(".gitignore", ".gitignore", [], STATE),
    q(".squad/.gitignore", ".squad/.gitignore", [], STATE),
    q("info/exclude", ".git/info/exclude", [], STATE),
    q(".gitattributes", ".gitattributes", [], STATE),
    q(".npmignore", ".npmignore", [], STATE),
    i(".gitignore, --staged", ".gitignore", ["--staged"], STATE),
    q(".gitignore, --fix", ".gitignore", ["--fix", "--unsafe-fixes"], STATE),
]

# What is repeated in a configuration.
CONFIGURATION = [
    b("excludes", "exclude = [", "\"a{i}\",", "]\n"),
    b("deep excludes", "exclude = [", "\"**/a{i}/**/b*\",", "]\n"),
    b("equal excludes", "exclude = [", "\"**\",", "]\n"),
    b("one exclude of folders", "exclude = [\"", "**/", "\"]\n"),
    b("one exclude of folders and stars", "exclude = [\"", "**/*/", "\"]\n"),
    b("one exclude of stars", "exclude = [\"", "*a", "\"]\n"),
    b("one exclude of braces", "exclude = [\"", "{a,b}", "\"]\n"),
    b("one exclude of open braces", "exclude = [\"", "{a,", "\"]\n"),
    b("one exclude of classes", "exclude = [\"", "[ab]", "\"]\n"),
    b("roots", "[roots]\nstate = [", "\"a{i}\",", "\".squad\"]\n"),
    b("deep roots", "[roots]\nstate = [", "\"**/a{i}/*\",", "\".squad\"]\n"),
    b("manifests", "[roots]\nmanifests = [", "\"a{i}\",", "\"b\"]\n"),
    s("overrides", "[[overrides]]\nfiles = [\"a{i}\"]\nrules = { sem = \"off\" }\n"),
    s("overrides of all", "[[overrides]]\nfiles = [\"**\"]\nrules = { sem = \"warning\" }\n"),
    b("files of one override", "[[overrides]]\nrules = { sem = \"off\" }\nfiles = [", "\"a{i}\",", "]\n"),
    b("unknown rules", "[rules]\n", "\"sem/a{i}\" = \"off\"\n", ""),
    s("unknown keys", "exclud{i} = 1\n"),
    s("unknown tables", "[a{i}]\n"),
    s("equal keys", "exclude = []\n"),
    b("branches", "[guard]\nbranches = [", "\"a{i}\",", "]\n"),
    b("one branch", "[guard]\nbranches = [\"", "**/", "\"]\n"),
    b("brackets", "exclude = ", "[", ""),
    b("dots", "a", ".a", " = 1\n"),
    b("texts", "exclude = \"\"\"", "a\n", "\"\"\"\n"),
    s("comments", "# a\n"),
    s("carriage returns", "# a\r"),
]

# Where a configuration is read.
CONFIGURATION_PLACES = [
    q("configuration", "squad-lint.toml", [], STATE),
    q("config", "squad-lint.toml", ["config", ".squad/decisions.md"], STATE),
]

MEMBERS = "## Members\n| Name | Role | Charter | Status |\n|---|---|---|---|\n"
ROUTING = "## Routing Table\n| Work Type | Route To | Examples |\n|---|---|---|\n"

# What is repeated in the tables of a squad.
SQUAD_TABLES = [
    b("members", MEMBERS, "| Agent {i} | Role {i} | .squad/agents/a{i}/charter.md | Active |\n", ""),
    b("equal members", MEMBERS, "| Verbal | Lead | .squad/agents/verbal/charter.md | Active |\n", ""),
    b("people", MEMBERS, "| @a{i} | Owner | - | Human |\n", ""),
    b("one name", MEMBERS + "| ", "a ", " | x | y | z |\n"),
    b("cells", MEMBERS + "| ", "a | ", "\n"),
    s("headers", "| Name | Role |\n|---|---|\n"),
    s("headings and headers", "## Members\n| Name | Role |\n|---|---|\n| a{i} | x |\n"),
    t("heading, then rows", "## ", "alumni human ", "\n| Name | Role |\n|---|---|\n| a{i} | x |\n"),
    b("names of strangers", ROUTING, "| x | Agent {i} | y |\n", ""),
    b("many names", ROUTING + "| x | ", "Agent {i}, ", " | y |\n"),
    b("parentheses", ROUTING + "| x | ", "(", " | y |\n"),
    b("separators", ROUTING + "| x | ", ",+/ and ", " | y |\n"),
]

# Where the tables of a squad are read.
SQUAD_TABLE_PLACES = [
    q("team", ".squad/team.md", [], [VERBAL]),
    q("routing", ".squad/routing.md", [], [ROSTER, VERBAL]),
]

# What is repeated in a registry.
REGISTRY = [
    b("entries", "{\"agents\":{", "\"a{i}\":{\"persistent_name\":\"A {i}\",\"status\":\"active\"},", "\"b\":{\"persistent_name\":\"B\",\"status\":\"active\"}}}"),
    b("equal entries", "{\"agents\":{", "\"a\":{\"persistent_name\":\"A\",\"status\":\"active\"},", "\"b\":{\"persistent_name\":\"B\",\"status\":\"active\"}}}"),
    b("equal names", "{\"agents\":{", "\"a{i}\":{\"persistent_name\":\"A\",\"status\":\"active\"},", "\"b\":{\"persistent_name\":\"B\",\"status\":\"active\"}}}"),
    b("bad keys", "{\"agents\":{", "\"A {i}\":{},", "\"b\":{}}}"),
    b("a list", "{\"agents\":[", "{\"persistent_name\":\"A {i}\"},", "{}]}"),
]

# Where a registry is read.
REGISTRY_PLACES = [q("registry", ".squad/casting/registry.json", [], [ROSTER, VERBAL])]

BUNDLE_HEAD = '{"squad_format_version":"1.0","exported_at":"2026-02-08","exported_from":{"project":"a","owner":""},"routing":null,'
BUNDLE_TAIL = '"team":"# Team","casting":{"registry":{"agents":{}},"history":null,"policy":null}}'
BUNDLE_AGENT = BUNDLE_HEAD + '"agents":{"a":{"charter":"# A","history":"'

# What is repeated in a bundle.
BUNDLE = [
    b("agents", BUNDLE_HEAD + '"agents":{', '"a{i}":{"charter":"# A {i}\\n","history":"x"},', '"b":{"charter":"# B"}},' + BUNDLE_TAIL),
    b("equal agents", BUNDLE_HEAD + '"agents":{', '"a":{"charter":"# A"},', '"b":{"charter":"# B"}},' + BUNDLE_TAIL),
    b("bad names", BUNDLE_HEAD + '"agents":{', '"../{i}":{"charter":"# A"},', '"b":{"charter":"# B"}},' + BUNDLE_TAIL),
    b("unknown keys", BUNDLE_HEAD, '"log{i}":{},', '"agents":{},' + BUNDLE_TAIL),
    b("keys of casting", BUNDLE_HEAD + '"agents":{},"casting":{', '"a{i}":{},', '"b":{}}}'),
    b("members of the team", BUNDLE_HEAD + '"agents":{"a":{"charter":"# A"}},"team":"| Name | Role |\\n|---|---|\\n', "| A {i} | x |\\n", '"}'),
    b("project contexts", BUNDLE_HEAD + '"agents":{},"team":"', "## Project Context\\n\\n- x\\n", '"}'),
    b("facts of a project", BUNDLE_AGENT, "- src/a/b.rs on port 30{i}\\n", '"}},' + BUNDLE_TAIL),
    b("escapes", BUNDLE_AGENT, "\\n\\u0041\\\"", '"}},' + BUNDLE_TAIL),
    b("entries", BUNDLE_AGENT, SEM.replace("\n", "\\n"), '"}},' + BUNDLE_TAIL),
    b("headings", BUNDLE_AGENT, "# A [local]\\n- b [portable]\\n  - c\\n", '"}},' + BUNDLE_TAIL),
    b("skills", '{"version":"1.0","casting":{},"agents":{},"skills":[', '"name: a{i}\\n# A\\n",', '""]}'),
    b("lists", BUNDLE_HEAD + '"agents":{},"x":[', "[],", "0]," + BUNDLE_TAIL),
    b("reserved keys", BUNDLE_HEAD + '"agents":{},"x":[', '{"__proto__":{}},', "0]," + BUNDLE_TAIL),
    b("folders of one agent", BUNDLE_HEAD + '"agents":{', '"Rai":{"charter":"# A"},', '"rai":{"charter":"# B"}},' + BUNDLE_TAIL),
    b("names with blanks", '{"version":"1.0","casting":{},"skills":[],"agents":{', '"a {i}":{},', '"b":{}}}'),
    b("equal skills", '{"version":"1.0","casting":{},"agents":{},"skills":[', '"name: a\\n# A\\n",', '""]}'),
    b("comments", BUNDLE_AGENT, "<!-- squad-lint-disable-line -->\\n", '"}},' + BUNDLE_TAIL),
    b("agents of the registry", BUNDLE_HEAD + '"team":"","agents":{},"casting":{"registry":{"agents":{', '"a{i}":{},', '"b":{}}}}}'),
]

# What is repeated in a squad that is exported.
BUNDLE_SQUAD = [
    s("local items", "- a [local]\n  - b\n"),
    s("portable items", "- a [portable]\n\n  b\n"),
    s("sections", "## Project Context\n\n- a\n\n## Portable Context\n\n- b\n"),
    s("nested sections", "# A\n## B\n### C [portable]\n#### D\n"),
    s("facts of a project", "- src/a/b.rs on port 30{i}\n"),
    b("rows", "| Name | Role | Charter |\n|---|---|---|\n", "| A {i} | x | agents/a{i}/charter.md |\n", ""),
]

# The squad that it belongs to.
BUNDLE_BESIDE = [(".squad/team.md", "# Team\n\n| Name | Role |\n|---|---|\n| A | x |\n"), (".squad/agents/a/charter.md", "# A — B\n")]

# Where it is exported from.
BUNDLE_EXPORTS = [
    q("bundle export", ".squad/agents/a/history.md", ["bundle", "export", "--out", "-"], BUNDLE_BESIDE),
    q("bundle export --portable-only", ".squad/agents/a/history.md", ["bundle", "export", "--portable-only", "--out", "-"], BUNDLE_BESIDE),
    q("bundle export --agents", ".squad/team.md", ["bundle", "export", "--agents", "a", "--out", "-"], BUNDLE_BESIDE[1:]),
]

# Where a bundle is read.
BUNDLE_PLACES = [
    p("bundle", "a.squad", ["--show-all", "--min-severity", "info"]),
    q("bundle diff", "a.squad", ["bundle", "diff", "a.squad", "b.squad"], [("b.squad", BUNDLE_HEAD + '"agents":{},' + BUNDLE_TAIL)]),
    p("bundle import", "a.squad", ["bundle", "import", "a.squad", "--diff"]),
]

# What is repeated in a baseline.
BASELINE = [b(
    "findings",
    "{\"version\":1,\"findings\":[",
    "{\"rule\":\"sem/expired\",\"path\":\".squad/decisions.md\",\"fingerprint\":\"{i}\",\"count\":1},",
    "{\"rule\":\"sem/expired\",\"path\":\"a\",\"fingerprint\":\"x\",\"count\":1}]}",
)]

# Where a baseline is read.
BASELINE_PLACES = [q("--baseline", "baseline.json", ["--baseline", "baseline.json"], [(".squad/decisions.md", "### a\n")])]

GOVERNED = [
    b("entries of an index", "[", '{"id": "{i}", "class": "LOCAL", "loadGuidance": "ALWAYS", "title": "x", "path": '
        '".squad/memory/local/{i}.md", "status": "active", "createdAt": "2026-02-02", "updatedAt": "2026-02-02"},\n', "{}]"),
    b("entries with the same id", "[", '{"id": "a", "class": "LOCAL", "status": "deleted", "supersededBy": "b"},\n', "{}]"),
    b("paths with many parts", '[{"path": ".squad/', "a\\\\", '"}]'),
    s("events", '{"timestamp": "2026-02-02T09:00:00Z", "action": "write", "id": "{i}"}\n'),
    s("events with problems", '{"timestamp": "{i}", "action": "wrote"}\n'),
    s("lines that are not JSON", "{i} {\n"),
    b("fields of a front matter", "---\n", "id{i}: x\n", "---\n"),
    s("a front matter without end", "---\nid: x\n"),
    s("comments", "/* {i} */ // x\n"),
    b("comments in an object", "{", '"a{i}": "http://x", // "stateBackend"\n', '"stateBackend": "orphan"}'),
    s("quotes", '"\\'),
    s("slashes", "/"),
]

GOVERNED_PLACES = [
    p("index.json", ".squad/memory/index.json", []),
    p("audit.jsonl", ".squad/memory/audit.jsonl", []),
    p("tombstone", ".squad/memory/tombstones/a.json", []),
    p("governed entry", ".squad/memory/local/a.md", []),
    i("config.json", ".squad/config.json", [], [(".squad/team.md", "# Team\n")]),
]

PLAN = "meta: {task_id: a, agent: b}\ninstruction: x\n"

SESSION = [
    b("allowed globs", PLAN + "boundaries:\n  forbidden: [a.rs]\n  allowed:\n", "    - src/{i}/**\n", ""),
    b("allowed and forbidden globs", PLAN + "boundaries:\n  forbidden: [\"*.a\"]\n  allowed:\n", '    - "*.{i}"\n', ""),
    b("forbidden files", PLAN + "boundaries:\n  allowed: [\"**/*.ts\"]\n  forbidden:\n", "    - src/{i}.ts\n", ""),
    b("globs that begin with any folder", PLAN + "boundaries:\n  forbidden: [\"**/a.ts\"]\n  allowed:\n", '    - "**/{i}/*.ts"\n', ""),
    b("files with other ends", PLAN + "boundaries:\n  forbidden: [\"**/*.test.ts\"]\n  allowed:\n", "    - src/{i}.tsx\n", ""),
    b("braces", PLAN + "boundaries:\n  forbidden: [x/**]\n  allowed:\n", '    - "{{i},b}/*"\n', ""),
    b("tasks that are required", PLAN + "dependencies:\n  requires:\n", "    - task_{i}\n", ""),
    b("outputs", PLAN + "boundaries: {allowed: [src/**]}\noutputs:\n", "  o{i}: docs/{i}.md\n", ""),
    b("gates", "session_id: a\nstarted_at: b\nvalidation_gates:\n", "  gate{i}: passed\n", ""),
    b("agents", "session_id: a\nstarted_at: b\nagents_active:\n", "  - agent[{i}]\n", ""),
    b("metrics of agents", "session_metrics: {}\nper_agent_metrics:\n", "  a{i}: {tasks_assigned: 1, tasks_completed: 2}\n", ""),
    b("blockers", "meta: {}\nprogress_percentage: 1\nblockers:\n", "  - {description: x, requires_agent: y}\n", ""),
    b("aliases", "meta: &m {a: b, c: d}\nprogress_percentage: 1\nblockers:\n", "  - *m\n", ""),
    s("blocks", "```yaml\nsession_id: {i}\nstarted_at: x\n```\n"),
    s("fences", "```{i}\n"),
    s("keys that are no YAML", "session_id: {i}: x\n"),
]

SESSION_PLACES = [
    p("plan", ".squad/sessions/a/role-plan-b-a.md", []),
    p("progress update", ".squad/sessions/a/role-comm-b-a.md", []),
    p("session status", ".squad/sessions/a/session-status.md", []),
    p("metrics", ".squad/sessions/a/metrics-a.md", []),
]

# The shapes of each format, with the places where it is read.
# What is merged: a version of a memory file.
MERGE = [
    s("entries", SEM),
    s("older entries", "### {day}: Cache {i}\n**By:** Verbal\n**What:** The index {i} is built once.\n\n"),
    s("equal headings", "### Cache\n\nThe index {i} is built once.\n\n"),
    s("equal entries", "### 2026-02-10: Cache\n**By:** Verbal\n\nThe index is built once.\n\n"),
    b("one huge entry", "### 2026-02-10: Cache\n**By:** Verbal\n\n", "The index {i} is built once.\n", ""),
    s("items", "- The index {i} is built once (added: {day})\n"),
    s("sections", "## Part {i}\n\nThe index {i} is built once.\n\n"),
    s("equal lines", "The index is built once.\n"),
    s("updates", "📌 Team update ({day}): The index {i} is built once.\n\n"),
]


def entries(text):
    """The text in pieces that each begin with a heading or an item."""
    return re.split(r"(?m)^(?=### |## |- |📌)", text)


def versions(base, theirs):
    return lambda text: [("base", base(text)), ("theirs", theirs(text))]


def same(text):
    return text


def changed(text):
    return text.replace("built once", "built twice").replace("index", "list")


def back_to_front(text):
    return "".join(reversed(entries(text)))


def every_other(text):
    return "".join(entries(text)[::2])


def inbox(text):
    """A file of the inbox for each entry of the text."""
    return [(f".squad/decisions/inbox/verbal-{at}.md", entry) for at, entry in enumerate(entries(text)) if entry]


def merge(name, base, theirs, path=".squad/decisions.md"):
    return q(name, "ours", ["merge", "base", "ours", "theirs", path], [versions(base, theirs)])


MERGE_PLACES = [
    merge("both sides add all", lambda text: "", changed),
    merge("both sides change all", lambda text: text.replace("once", "never"), changed),
    merge("one side turns the order", lambda text: text.replace("once", "never"), back_to_front),
    merge("each side removes half", lambda text: text + back_to_front(changed(text)), every_other),
    merge("learnings, both sides change all", lambda text: text.replace("once", "never"), changed, "memory/agents/a/learnings.md"),
    q("inbox of one file", ".squad/decisions/inbox/verbal-x.md", ["memory", "merge-inbox"], [ROSTER, VERBAL, (".squad/decisions.md", "# Decisions\n")]),
    q("inbox of many files", "notes.md", ["memory", "merge-inbox"], [ROSTER, VERBAL, (".squad/decisions.md", "# Decisions\n"), inbox]),
    q("inbox of many files, entries of the second level", "notes.md", ["memory", "merge-inbox"],
      [ROSTER, VERBAL, (".squad/decisions.md", "# Decisions\n\n## 2026-02-10: Cache\n**By:** Verbal\n\nOnce.\n"), inbox]),
    q("health", ".squad/decisions.md", ["health"], [ROSTER, VERBAL]),
    q("text of a query", ".squad/decisions.md", ["memory", "--text", "0001", "--format", "jsonl"], [ROSTER, VERBAL]),
    q("days of a query", ".squad/decisions.md", ["memory", "--after", "2026-01-01", "--type", "decision"], [ROSTER, VERBAL]),
    q("a new entry", ".squad/decisions.md", ["memory", "add", "note", "--author", "verbal", "--summary", "a"], [ROSTER, VERBAL]),
    q("brief", ".squad/decisions.md", ["memory", "brief", "--for", "verbal", "--about", "a/b.md"], [ROSTER, VERBAL]),
    q("query", ".squad/decisions.md", ["memory", "--author", "verbal", "--format", "jsonl"], [ROSTER, VERBAL]),
]

# What a change removes from a ledger.
REMOVED = [
    *MERGE,
    s("entries with similar titles", "### {day}: Cache index of module a{i}\n\n**By:** Verbal\n**What:** Part{i} is kept in a{i}.\n\n"),
    s("entries of one day and title", "### 2026-02-10: Cache index of the module\n\n**By:** Verbal\n**What:** Part{i} is kept in a{i}.\n\n"),
]


def ledger(text):
    return [(".squad/decisions.md", "# Decisions\n\n" + text)]


def others(text):
    """Other entries with similar titles."""
    return [(".squad/decisions-archive.md", changed(text).replace("module a", "module b").replace("Part", "Half"))]


# Where a change removes the entries of a ledger. The text itself stands where none of them is looked for.
REMOVED_PLACES = [
    i("removed", "notes.txt", ["--staged"], [(".squad/decisions.md", "# Decisions\n")])._replace(before=[ledger]),
    i("removed, others added", "notes.txt", ["--staged"], [(".squad/decisions.md", "# Decisions\n"), others])._replace(before=[ledger]),
]

ALL = [
    ("entries", REMOVED, REMOVED_PLACES),
    ("merge", MERGE, MERGE_PLACES),
    ("Markdown", MARKDOWN, MARKDOWN_PLACES),
    ("Markdown in halves", HALVES, MARKDOWN_PLACES),
    ("charter", CHARTER, CHARTER_PLACES),
    ("YAML", YAML, YAML_PLACES),
    ("JSON", JSON, JSON_PLACES),
    ("tables of a squad", SQUAD_TABLES, SQUAD_TABLE_PLACES),
    ("registry", REGISTRY, REGISTRY_PLACES),
    ("governed memory", GOVERNED, GOVERNED_PLACES),
    ("bundle", BUNDLE, BUNDLE_PLACES),
    ("squad in a bundle", BUNDLE_SQUAD, BUNDLE_EXPORTS),
    ("session", SESSION, SESSION_PLACES),
    ("package.json", PACKAGE, PACKAGE_PLACES),
    ("patterns", PATTERNS, PATTERN_PLACES),
    ("configuration", CONFIGURATION, CONFIGURATION_PLACES),
    ("baseline", BASELINE, BASELINE_PLACES),
]
