//! What keeps an entry, and what does not.

use super::*;

#[test]
fn an_entry_waits_for_an_answer() {
    for text in [
        "**Status:** Shipped (verified, awaiting review)",
        "Awaiting team decision on the scope.",
        "**Status:** AWAITING CAPTAIN CONFIRMATION OR OVERRIDE",
        "Draft, waiting for owner sign-off",
        "- Wait for direction on which issues to fix first",
        "**Action item for you:** Please confirm that the emitter supports them.",
        "**Open questions for Brady:**",
        "### 4.4 Open question — the floor",
        "Permission gating question raised: marshals get 403",
        "No migration. Revisit in 6–12 months.",
        "- **Config**: no samples have migrated yet, needs team decision",
        "may be working as designed, needs confirmation",
        "Awaiting Josh's read before any further changes.",
        "Merged, awaiting QA",
        "**P0 Action Items (15 min total):**",
        "Result: 3 OPEN (#12, #14, #15), 2 partial",
        "The issue is still open upstream",
        "**Known Open Issues (seen again today):**",
        "### Other open issues",
        "## Open Blockers",
        "## Tech Debt Logged",
        "### Known issues & carryover",
        "**Action required (Rohit):**",
        "- **ACTION REQUIRED:** Create the license",
        "- [ ] Remove the mount",
        "**Decision required:** one table or two",
        "**Other items (deferred to the next sprint):**",
        "**Future phases (not now):**",
        "  2. [ ] Check the quota",
        "**Status:** Proposed \u{2014} pending Anders review",
        "**Pending:**",
        "- **Pending:** the migration of tags",
        "**Follow-up:** Wire the identifier",
        "**Follow-ups:**",
        "OPEN: (a) the port is unconfirmed",
        "**Key decision needed:** the names of the fields",
    ] {
        assert_eq!(of_text(&format!("Text.\n{text}\nMore."), People::default()), Some(Hold::Open), "{text}");
    }
    for text in [
        "awaiting frontend completion",
        "`waiting-review`",
        "an awaiting\nreview",
        "reviewed, no waiting",
        "Do not wait for user input",
        "wait for network idle",
        "It needs input validation",
        "The questions were answered",
        "We opened a question and closed it",
        "Answers to open questions of the proposal",
        "**Scope:** All 12 open issues of the project",
        "- **Technical Debt:** None",
        "We closed most of the open issues",
        "Revisited the plan",
        "agreed decision",
        "The state OPEN (a circle)",
        "- **No action required from Kaylee.**",
        "- [x] Removed the mount",
        "The pattern `[ ] ` is a box",
        "We deferred the rest: it is slow",
        "- **Status:** deferred work is done",
        "**Status:** Implemented",
        "The status: proposed by all",
        "**Pending:** none",
        "We were spending: a lot",
        "**Follow-up:** None",
        "A follow-up: of the review",
        "**Blockers:** REOPEN: never",
    ] {
        assert_eq!(of_text(text, People::default()), None, "{text}");
    }
}

#[test]
fn an_order_in_a_history_stays() {
    let people = People { owner: None, agent: Some("wash") };
    for text in [
        "- **Rule:** the dispatcher is injected",
        "Offline work is a hard requirement.",
        "One writer per file is a hard rule.",
        "**Stage with care:** Files of others must not be staged.",
        "All components that call the store need `dynamic`",
        "Rule to remember: any page with a form is static",
        "Components should only ever reference tokens",
        "**Patterns to follow:**",
        "### Patterns to preserve",
        "**README convention**: the README must remain an index",
        "- **Naming conventions:** short names",
        "**Maintenance**: When features change, update both pages",
        "**Critical** \u{2014} the endpoint must use the cache",
        "- **Styling rules to preserve:** one tint for all",
        "- **Guardrails Established:** Use one name for all new views",
        "Governance change: All features now require a test",
        "Lesson: a room must always have a door.",
        "**Durable team convention:** Test files are checked",
        "- 📌 Team update (2026-02-10): this count is the honest one going forward",
        "Switch holds the exclusive claim on the clock",
        "For any proxy to another host, always send the name.",
        "- Always use the nested form.",
        "It broke twice. Never commit a key.",
        "2. Avoid fixtures",
        "**Don't** take the lock twice",
        "- Tests: Do NOT migrate the queue yet",
        "📌 Team update (2026-02-10): nodes MUST use the nested form",
        "Nodes MUST use the nested form — decided by Kaylee",
        "#### Dangerous to Change",
        "Four registries. Dangerous to change: the base class",
    ] {
        assert_eq!(of_text(&format!("Text.\n{text}\nMore."), people), Some(Hold::Order), "{text}");
        assert_eq!(of_text(text, People::default()), None, "{text}");
    }
    for text in [
        "That is not a hard requirement.",
        "We use guardrails: two of them fail",
        "The plan was withdrawn",
        "Lesson: tests are slow",
        "A hint, not hard requirement.",
        "The backpatterns to follow",
    ] {
        assert_eq!(of_text(text, people), None, "{text:?}");
    }
    for text in [
        "The parser always ends, and never panics",
        "It does not avoid a copy, and I don't know why",
        "Answers MUST be short, says the standard",
        "The rule: see above",
        "Whenever it fails. Never-ending loops. Avoidance.",
    ] {
        assert_eq!(of_text(text, people), None, "{text}");
    }
}

#[test]
fn an_order_to_all_stays() {
    for text in [
        "**Learning:** Every `src/app` component MUST keep the import in scope.",
        "- All enums used in the API must have a converter",
        "All configuration data (plans, clients) MUST persist to the store. The cache is only a cache.",
        "If it reads a path, EVERY test must set the variable.",
        "- Any future counter in `CPU.java` must also be exported",
        "Two of them fail: all must pass",
        "`IgnoreFilters()` forbidden outside the admin pages",
        "Writes to the archive are **forbidden**.",
    ] {
        assert_eq!(of_text(&format!("Text.\n{text}\nMore."), People::default()), Some(Hold::Order), "{text}");
    }
    for text in [
        "Both timeouts must be set together",
        "The answer MUST be short, says the standard",
        "All tests pass; the build must have been slow",
        "All of the tests must have failed",
        "**Fail-open:** Any exception is logged \u{2014} the request MUST proceed",
        "Not all tests must pass",
        "All three must-fixes are in",
        "All 36 tests pass, so the next step must be the page",
        "User provided values must be quoted",
        "Guests get 403 Forbidden for all pages",
        "The page shows forbidden words",
    ] {
        assert_eq!(of_text(text, People::default()), None, "{text}");
    }
}

#[test]
fn the_word_of_the_user_stays() {
    for text in [
        "- User requested migration from one library to another",
        "**Context:** The user wanted it to run without a server.",
        "**Decision:** Owner chose **option B**:",
        "Done. The owner approved the plan.",
        "- Product owner wants previews of each build",
    ] {
        assert_eq!(of_text(&format!("Text.\n{text}\nMore."), People::default()), Some(Hold::Order), "{text}");
    }
    for text in [
        "User reported that the start is slow",
        "Preview: upload, then the user confirms",
        "1 user confirmed affected",
        "The dialog asks whether the user wanted more",
        "User requests are served in order",
    ] {
        assert_eq!(of_text(text, People::default()), None, "{text}");
    }
}

#[test]
fn a_list_of_tasks_in_a_history_is_open() {
    let people = People { owner: None, agent: Some("kaylee") };
    for text in [
        "**Next Action:** Mal reviews them and begins the first",
        "**Next Actions:**",
        "#### RECOMMENDATIONS (ordered by impact)",
        "### Recommendations",
        "Next steps: pipeline, then tests",
        "All figures remain withdrawn; counts can be quoted",
        "All figures are withdrawn under R13 pending a measurement.",
        "Two seed workflows. Key concerns: no transactions, no tests",
    ] {
        assert_eq!(of_text(&format!("Text.\n{text}\nMore."), people), Some(Hold::Open), "{text}");
        assert_eq!(of_text(text, People::default()), None, "{text}");
    }
    for text in [
        "Its recommendations were taken up",
        "The next steps were taken: all pass",
        "Context action: none",
        "Its key concerns were taken up",
    ] {
        assert_eq!(of_text(text, people), None, "{text}");
    }
}

#[test]
fn a_task_of_the_agent_is_known() {
    assert!(has_task_of("jayne", "Fixed. Jayne should add unit tests"));
    assert!(!has_task_of("jayne", "Jayne added tests; Vi should review") && !has_task_of("vi", "Vivian should"));
}

#[test]
fn a_directive_is_known_by_its_line() {
    for text in [
        "Text.\n- **Josh directive** \u{2014} no new features until testing is solid",
        "**User directive:** Use tabs",
        "**User Directive (josh):** Use tabs",
        "DIRECTIVE: never push",
        "  * Team directive - keep it",
        "📌 Team update (2026-02-10): Josh directive — no new features",
    ] {
        assert_eq!(of_text(text, People::default()), Some(Hold::Directive), "{text}");
    }
    for text in [
        "**User Preferences (josh):**",
        "- User preference: tabs",
        "Josh directed us to own the plugin",
        "verdict: DO NOT USE until the tests are fixed",
        "The socket is for one service; the others must NOT have it.",
        "**Why:** Josh directed team to own it",
        concat!("**Stand", "ing rule:** a lane carries a control"),
        "📌 Team update (2026-02-10): Plan created, 6 phases. No new features until testing is solid. — decided by Mal",
    ] {
        assert_eq!(of_text(text, People::default()), Some(Hold::Order), "{text}");
    }
    for text in [
        "Followed the directive of Josh: tabs",
        "- Added `allow` directives to the policy",
        "directive",
        "**User Preferences Model:** a table",
        "User preferences are in a table",
        "Users are directed to the page",
        "There were no new failures until yesterday",
        "It was our understanding rules have no end",
    ] {
        assert_eq!(of_text(text, People::default()), None, "{text}");
    }
}
