//! What the script of a hook does with its own name and its own file, and where it came from: as far as its text shows that.

use bstr::ByteSlice;

/// Whether the program `text` may find out by its name which hook it is.
pub(super) fn uses_name(text: &[u8]) -> bool {
    const SIGNS: [&str; 9] =
        ["$0", "${0", "BASH_SOURCE", "basename", "argv", "ARGV", "__file__", "__filename", "PROGRAM_NAME"];
    // A binary does not show it.
    text.contains(&0) || code(text).any(|line| SIGNS.iter().any(|sign| line.contains_str(sign)))
}

/// Whether the script `text` asks for its parent process: `$PPID`, `ps -o ppid=`, `os.getppid()`. With our block it has another one.
pub(super) fn looks_at_parent(text: &[u8]) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let looks = |line: &[u8]| {
        let line = line.to_ascii_lowercase();
        line.find_iter("ppid").any(|at| {
            let (before, after) = line.split_at_checked(at).unwrap_or_default();
            let is_start = !is_word(before.last()) || before.ends_with(b"get") || before.ends_with(b"get_");
            is_start && !is_word(after.get(4))
        })
    };
    // Most binaries have the function, whether they call it or not.
    !text.contains(&0) && code(text).any(looks)
}

/// The lines of a script that are not comments.
fn code(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.lines().filter(|line| !line.trim_start().starts_with(b"#"))
}

/// Whether a line of the script `text` has another program read its file: one that is also a script for Python, or that has data at
/// its end. A program may also want the name alone, to tell which hook runs.
pub(super) fn reads_itself(text: &[u8]) -> bool {
    let lines = joined(text);
    // What is a string alone for a shell is the start of a text or a command in another language.
    if lines.iter().take(LEADING).any(|line| line.starts_with(b"'") || line.starts_with(b"\"")) {
        return true;
    }
    let mut own: Vec<Vec<u8>> = OWN.iter().map(|name| name.to_vec()).collect();
    for word in lines.iter().flat_map(|line| line.fields()) {
        let assigned = word.split_once_str("=").filter(|(_, value)| own.contains(&bare(value)));
        own.extend(assigned.into_iter().flat_map(|(name, _)| [[b"$", name].concat(), [b"${", name, b"}"].concat()]));
    }
    let script = Script { own, functions: functions(&lines), has_library: lines.iter().any(|line| is_sourcing(line)) };
    let is_input = |line: &[u8]| {
        // `<<<` is a string.
        let files = line.find_iter("<").filter(|at| !line.get(..*at).unwrap_or_default().ends_with(b"<"));
        let mut files = files.filter_map(|at| line.get(at + 1..)?.fields().next());
        files.any(|file| script.own.contains(&bare(file.trim_end_with(|c| c == ')'))))
    };
    let mut commands = lines.iter().flat_map(|line| line.split(|byte| b"|;&()`".contains(byte)));
    lines.iter().any(|line| is_input(line)) || commands.any(|command| script.reads(command))
}

/// The lines of the script `text`, with those that a backslash continues. A shell continues no comment.
fn joined(text: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    let mut open: Option<Vec<u8>> = None;
    for line in text.lines() {
        if open.is_none() && line.trim_start().starts_with(b"#") {
            continue;
        }
        let mut whole = open.take().unwrap_or_default();
        if let Some(part) = line.strip_suffix(b"\\") {
            whole.extend_from_slice(part);
            whole.push(b' ');
            open = Some(whole);
        } else {
            whole.extend_from_slice(line);
            lines.push(whole);
        }
    }
    lines.extend(open);
    lines
}

/// The names of the functions that the lines of a script define.
fn functions(lines: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let name = |line: &Vec<u8>| {
        let line = line.trim_start();
        let named = line.strip_prefix(b"function ").and_then(|rest| rest.trim_start().fields().next());
        let name = named.or_else(|| line.split_once_str("()").map(|(name, _)| name.trim()))?;
        let name = name.strip_suffix(b"()").unwrap_or(name);
        (!name.is_empty() && !name.contains(&b' ')).then(|| name.to_vec())
    };
    lines.iter().filter_map(name).collect()
}

/// Whether a line reads another script, which can define functions.
fn is_sourcing(line: &[u8]) -> bool {
    let commands = line.split(|byte| b"|;&".contains(byte));
    commands.filter_map(|command| command.fields().next()).any(|word| matches!(word, b"." | b"source"))
}

/// What a script says about itself.
struct Script {
    /// The words that name its file.
    own: Vec<Vec<u8>>,
    /// The names of its functions.
    functions: Vec<Vec<u8>>,
    /// Whether it has more functions in other files.
    has_library: bool,
}

impl Script {
    /// Whether the program of `command` reads the file of the script.
    fn reads(&self, command: &[u8]) -> bool {
        let words: Vec<Vec<u8>> = command.fields().map(bare).collect();
        let mut rest = words.as_slice();
        let mut after_lead = false;
        while let Some((word, more)) = rest.split_first() {
            let is_lead = LEADS.contains(&name(word));
            let is_option = after_lead && word.starts_with(b"-");
            if !(is_lead || is_option || word.contains(&b'=')) {
                break;
            }
            (rest, after_lead) = (more, is_lead || after_lead);
        }
        let Some((program, words)) = rest.split_first() else { return false };
        let is_own = |word: &Vec<u8>| self.own.contains(&bare(word.strip_prefix(b"if=").unwrap_or(word)));
        let Some(at) = words.iter().position(is_own) else { return false };
        // `/usr/bin/python3.12`, `${PYTHON:-python3}`, `$python`
        let short = name(program).rsplit_str(":-").next().unwrap_or_default();
        let short = short.trim_end_with(|c| c.is_ascii_digit() || matches!(c, '.' | '}'));
        let short = short.trim_start_with(|c| matches!(c, '$' | '{')).to_ascii_lowercase();
        if FILTERS.contains(&short.as_slice()) {
            return true;
        }
        // An interpreter reads its first file, and hands on what comes after it.
        let is_before = |word: &Vec<u8>| {
            let is_file = !word.starts_with(b"-") && (word.contains(&b'/') || word.contains(&b'.'));
            !is_file && !matches!(word.as_slice(), b"-c" | b"-m")
        };
        let is_first = words.iter().take(at).all(is_before);
        is_first && (INTERPRETERS.contains(&short.as_slice()) || self.is_unknown(program))
    }

    /// Whether `program` may be any program of the system: not one that wants the name alone, and none of the team.
    fn is_unknown(&self, program: &[u8]) -> bool {
        let is_of_system = !program.contains(&b'/') || program.starts_with(b"/usr/") || program.starts_with(b"/bin/");
        let is_of_team = program.contains(&b'$') || self.has_library || self.functions.iter().any(|own| own == program);
        is_of_system && !is_of_team && !BY_NAME.contains(&name(program))
    }
}

/// The name of a program, without its folder.
fn name(program: &[u8]) -> &[u8] {
    program.rsplit_str("/").next().unwrap_or_default()
}

/// A word of a shell without its quotes.
fn bare(word: &[u8]) -> Vec<u8> {
    word.trim_with(|c| matches!(c, '"' | '\'' | ';')).to_vec()
}

/// So many lines are examined for the start of another language.
const LEADING: usize = 10;

/// The file of the hook.
const OWN: [&[u8]; 5] = [b"$0", b"${0}", b"$BASH_SOURCE", b"${BASH_SOURCE}", b"${BASH_SOURCE[0]}"];

/// What comes before the program of a command, beside variables.
const LEADS: [&[u8]; 18] = [
    b"if", b"then", b"else", b"elif", b"while", b"until", b"do", b"!", b"{", b"exec", b"eval", b"command", b"env",
    b"nice", b"xargs", b"nohup", b"sudo", b"time",
];

/// What reads any file that it is given, by its name without digits at the end.
const FILTERS: [&[u8]; 24] = [
    b"awk",
    b"base",
    b"cat",
    b"cksum",
    b"cmp",
    b"comm",
    b"csplit",
    b"cut",
    b"diff",
    b"dd",
    b"gawk",
    b"grep",
    b"head",
    b"mawk",
    b"md5sum",
    b"od",
    b"sed",
    b"sha256sum",
    b"sort",
    b"tail",
    b"tar",
    b"unzip",
    b"uv",
    b"wc",
];

/// What reads the first file that it is given.
const INTERPRETERS: [&[u8]; 20] = [
    b"bash", b"bun", b"dash", b"deno", b"go", b"java", b"julia", b"ksh", b"lua", b"make", b"node", b"perl", b"php",
    b"python", b"racket", b"rscript", b"ruby", b"sh", b"tclsh", b"zsh",
];

/// What wants the name of a file alone, or says it: parts of a shell, and what a system has beside programs that read.
const BY_NAME: [&[u8]; 50] = [
    b".",
    b"[",
    b"[[",
    b"alias",
    b"basename",
    b"case",
    b"cd",
    b"chmod",
    b"debug",
    b"declare",
    b"die",
    b"dirname",
    b"echo",
    b"error",
    b"exit",
    b"export",
    b"fail",
    b"fi",
    b"for",
    b"git",
    b"hash",
    b"in",
    b"info",
    b"kill",
    b"lefthook",
    b"local",
    b"log",
    b"logger",
    b"ls",
    b"npm",
    b"pnpm",
    b"printf",
    b"readlink",
    b"readonly",
    b"realpath",
    b"return",
    b"rm",
    b"select",
    b"set",
    b"source",
    b"stat",
    b"test",
    b"touch",
    b"trap",
    b"type",
    b"typeset",
    b"usage",
    b"warn",
    b"which",
    b"yarn",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_another_program_reads_is_known() {
        for text in [
            "\"exec\" \"python3\" \"$0\" \"$@\"",
            "''':'\nexec python3 \"$0\" \"$@\"\n'''",
            "':' //; exec node \"$0\" \"$@\"",
            "eval 'exec perl -x -wS $0 ${1+\"$@\"}'",
            "tail -n +4 \"$0\" | sh",
            "if true; then exec node ${0}; fi",
            "x=$(sed 1d \"${BASH_SOURCE[0]}\")",
            "exec python3 \\\n  \"$0\"",
            "while read -r line; do echo; done < \"$0\"",
            "/usr/bin/python3.12 \"$0\"",
            "''':'\nexec /usr/bin/env python3 \"$0\" \"$@\"\n'''",
            "PYTHONUTF8=1 exec python3 \"$0\"",
            "exec nice python3 \"$0\"",
            "exec \"${PYTHON:-python3}\" \"$0\"",
            "exec uv run --script \"$0\"",
            "self=\"${BASH_SOURCE[0]}\"; tail -n +5 \"$self\" | sh",
            "self=$0\ntail -n +5 <$self | sh",
            "# the next line restarts using tclsh \\\nexec tclsh \"$0\" \"$@\"",
            "//usr/bin/env go run \"$0\" \"$@\"; exit",
            "exec /usr/bin/env racket \"$0\"",
            "exec java --source 17 \"$0\" \"$@\"",
            "exec scala-cli \"$0\"",
            "make -f \"$0\"",
            "dd if=\"$0\" bs=1 skip=100",
            "[ \"$(sha256sum \"$0\")\" = x ]",
            "x=$(<\"$0\")",
            "$PYTHON \"$0\"",
            "diff -q \"$0\" tools/hook",
            "cmp -s \"$0\" \"$root/tools/hook\" || exit 1",
            "comm -3 tools/hook \"$0\"",
            ". ./lib.sh\nexec perl \"$0\"",
        ] {
            assert!(reads_itself(format!("#!/bin/sh\n{text}\n").as_bytes()), "{text}");
        }
        for text in [
            "cd \"$(dirname \"$0\")\"",
            "[ \"$(basename \"$0\")\" = pre-commit ] && echo yes",
            "case $0 in *pre-push*) cat ;; esac",
            "echo \"usage: $0\" >&2",
            "if [ \"$0\" = x ]; then exec \"$0\" \"$@\"; fi",
            ". \"$(dirname -- \"$0\")/h\"",
            "self=$0",
            "# exec python3 \"$0\"",
            "exec npm test \"$@\"",
            "exec \"$RUNNER\" \"$0\" \"$@\"",
            "exec ./runner \"$0\" \"$@\"",
            "log start \"$0\"",
            "run() { :; }\nrun \"$0\" \"$@\"",
            "function run { :; }\nrun \"$0\" \"$@\"",
            ". \"$(dirname \"$0\")/lib.sh\"\nrun_hooks \"$0\" \"$@\"",
            "export HOOK=\"$0\"",
            "trap 'rm -f x' EXIT; exec ./tools/run \"$0\"",
            "echo \\\n# python3 \"$0\"",
            "stat -c %Y \"$0\"",
            "bash scripts/run.sh \"$0\" \"$@\"",
            "exec python3 tools/run.py \"$0\" \"$@\"",
            "sh -c '. run.sh' x \"$0\"",
            "grep -q . <<<\"$name\"",
        ] {
            assert!(!reads_itself(format!("#!/bin/sh\n{text}\n").as_bytes()), "{text}");
        }
    }

    #[test]
    fn who_asks_for_the_parent_is_known() {
        for text in [
            "ps -ocommand= -p $PPID",
            "case $(ps -o args= -p \"${PPID}\") in *--amend*) exit ;; esac",
            "p=$(ps -o ppid= -p $$)",
            "import os; os.getppid()",
            "console.log(process.ppid)",
        ] {
            assert!(looks_at_parent(format!("#!/bin/sh\n{text}\n").as_bytes()), "{text}");
        }
        for text in ["# $PPID", "APPID=3; echo $APPID", "echo $PPIDS", "\0getppid"] {
            assert!(!looks_at_parent(format!("#!/bin/sh\n{text}\n").as_bytes()), "{text}");
        }
    }
}
