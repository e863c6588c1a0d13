//! Ways to break an entry, each with the rule that finds it.
#![allow(dead_code, reason = "each test file uses a part of it")]

use super::sample::Sample;

/// One way to break an entry: the first `old` of its text becomes `new`, in which `¶` marks the line of the finding (the
/// header, where there is none). `{…}` stand for the parts of the entry; see [`Sample::fill`].
pub struct Defect {
    pub rule: &'static str,
    pub old: &'static str,
    pub new: &'static str,
    /// The type that the entry must have for it.
    pub kind: Option<&'static str>,
}

const fn defect(rule: &'static str, old: &'static str, new: &'static str) -> Defect {
    Defect { rule, old, new, kind: None }
}

impl Defect {
    const fn of(self, kind: &'static str) -> Self {
        Self { kind: Some(kind), ..self }
    }

    /// Breaks `text`, which holds `sample` as it is printed; the byte of the line on which that shows, where it is not the
    /// header's. `None` when there is nothing to break, `text` being broken by another defect already.
    pub fn damage(&self, sample: &Sample, text: &mut String) -> Option<Option<usize>> {
        let old = sample.fill(self.old);
        let start = text.find(&old)?;
        let marked = self.new.split_once('¶');
        let (before, behind) = marked.unwrap_or(("", self.new));
        let (before, behind) = (sample.fill(before), sample.fill(behind));
        let shows = marked.is_some().then_some(start + before.len());
        text.replace_range(start..start + old.len(), &(before + &behind));
        Some(shows)
    }
}

impl Sample {
    /// `template` with the parts of the entry.
    fn fill(&self, template: &str) -> String {
        let Self { timestamp, kind, author, summary, rationale, .. } = self;
        let local = &timestamp[.."YYYY-MM-DDTHH:MM:SS".len()];
        let missing = 121_usize.saturating_sub(summary.chars().count());
        let other = |timestamp: &str, kind| Self {
            timestamp: timestamp.to_owned(),
            kind,
            summary: "Another entry".to_owned(),
            details: "Other words.".to_owned(),
            ..self.clone()
        };
        template
            .replace("{another}", &other("2026-01-01T12:00:00-0800", "note").print())
            .replace("{again}", &other(timestamp, kind).print())
            .replace("{stamp}", timestamp)
            .replace("{local}", local)
            .replace("{date}", &local[.."YYYY-MM-DD".len()])
            .replace("{kind}", kind)
            .replace("{author}", author)
            .replace("{rationale}", rationale)
            .replace("{long}", &format!("{summary}{}", "é".repeat(missing)))
            .replace("{summary}", summary)
    }
}

const HEADER: &str = "### {stamp}: {kind}: {summary}\n";

pub const DEFECTS: [Defect; 50] = [
    defect("sem/malformed-header", HEADER, "## {stamp}: {kind}: {summary}\n"),
    defect("sem/malformed-header", HEADER, "### {stamp} — {kind} — {summary}\n"),
    defect("sem/malformed-header", HEADER, "### {stamp} {kind}: {summary}\n"),
    // Without the word in front, a title such as `Decision: …` would give the header a type.
    defect("sem/malformed-header", HEADER, "### {stamp}: About {summary}\n"),
    defect("sem/malformed-header", HEADER, "### {date}: {kind}: {summary}\n"),
    defect("sem/timestamp-format", HEADER, "### {local}-08:00: {kind}: {summary}\n"),
    defect("sem/timestamp-format", "**timestamp:** {stamp}", "¶**timestamp:** {local}-08:00"),
    defect("sem/timestamp-format", "**tags:**", "¶**expires:** 2099-02-15 14:32Z  \n**tags:**"),
    defect("sem/invalid-timestamp", HEADER, "### {date}T25:61:00-0800: {kind}: {summary}\n"),
    defect("sem/invalid-timestamp", "**timestamp:** {stamp}", "¶**timestamp:** {local}"),
    defect("sem/invalid-timestamp", "**tags:**", "¶**expires:** 2099-02-30T14:32:15-0800  \n**tags:**"),
    defect(
        "sem/future-timestamp",
        "### {stamp}: {kind}: {summary}\n\n**type:** {kind}  \n**timestamp:** {stamp}",
        "### 2099-02-15T14:32:15-0800: {kind}: {summary}\n\n**type:** {kind}  \n**timestamp:** 2099-02-15T14:32:15-0800",
    ),
    defect("sem/header-field-mismatch", "**type:** decision", "¶**type:** directive").of("decision"),
    defect("sem/header-field-mismatch", "**timestamp:** {stamp}", "¶**timestamp:** {local}-0700"),
    defect("sem/missing-field", "**author:** {author}  \n", ""),
    defect("sem/missing-field", "**author:** {author}", "¶**author:**"),
    defect("sem/missing-field", "**summary:** {summary}", "¶**summary:**"),
    defect("sem/summary-too-long", HEADER, "### {stamp}: {kind}: {long}\n"),
    defect("sem/summary-too-long", "**summary:** {summary}", "¶**summary:** {long}"),
    defect("sem/unknown-type", HEADER, "### {stamp}: decison: {summary}\n").of("decision"),
    defect("sem/unknown-type", "**type:** {kind}", "¶**type:** idea"),
    defect("sem/unknown-field", "**author:**", "¶**auther:**"),
    defect("sem/unknown-field", "**tags:**", "¶**priority:** high  \n**tags:**"),
    defect("sem/duplicate-field", "**summary:**", "¶**scope:** team\n\n**summary:**"),
    defect("sem/duplicate-field", "**rationale:**", "¶**details:**\n\nOther ones.\n\n**rationale:**"),
    defect("sem/field-case", "**author:**", "¶**Author:**"),
    defect("sem/field-case", "**scope:**", "¶- **scope**:"),
    defect("sem/missing-terminator", "- issue: #18\n\n---\n\n", "- issue: #18\n\n¶{another}"),
    defect("sem/ambiguous-terminator", "**rationale:**", "¶---\n\nThe rest of it.\n\n**rationale:**"),
    defect("sem/invalid-scope", "**scope:** team", "¶**scope:** everyone"),
    defect("sem/invalid-scope", "**scope:** team", "¶**scope:** Agent: Quillon"),
    defect("sem/unknown-scope-target", "**scope:** team", "¶**scope:** agent:quilon"),
    defect("sem/malformed-tags", "memory, format", "¶memory,, format"),
    defect("sem/malformed-tags", "memory, format", "¶memory, format, Memory"),
    defect("sem/malformed-related", "- issue: #18", "¶* issue: #18"),
    defect("sem/malformed-related", "- issue: #18", "¶- ticket: 18"),
    defect("sem/malformed-related", "- issue: #18", "¶- issue:#18"),
    defect("sem/dangling-reference", "- issue: #18", "¶- decision: 2026-01-01T09:15:00-0800"),
    defect("sem/dangling-reference", "**tags:**", "¶**supersedes:** 2020-01-01T09:15:00-0800  \n**tags:**"),
    defect("sem/supersedes-order", "**tags:**", "¶**supersedes:** {stamp}  \n**tags:**"),
    defect("sem/supersedes-order", "**tags:**", "¶**supersedes:** {local}-0900  \n**tags:**"),
    defect("sem/expired", "**tags:**", "¶**expires:** {date}T23:59:59-0800  \n**tags:**"),
    defect("sem/expired", "**tags:**", "¶**expires:** 2026-12-31T00:00:00+0000  \n**tags:**"),
    defect("sem/expires-before-timestamp", "**tags:**", "¶**expires:** {local}-0700  \n**tags:**"),
    defect("sem/missing-rationale", "**rationale:** {rationale}\n\n", "").of("decision"),
    defect("sem/missing-rationale", "**rationale:** {rationale}", "¶**rationale:**").of("directive"),
    defect("sem/duplicate-entry", "- issue: #18\n\n---\n\n", "- issue: #18\n\n---\n\n¶{again}"),
    defect("sem/duplicate-entry", "- issue: #18\n\n---\n\n", "- issue: #18\n\n---\n\n{another}¶{again}"),
    defect("sem/directive-by-agent", "**author:** {author}", "¶**author:** Tressa").of("directive"),
    defect("sem/directive-by-agent", "**author:** {author}", "¶**author:** Quillon (Lead)").of("directive"),
];
