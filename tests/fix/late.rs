//! What another program appends while files are replaced: it is in the new file.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use super::{bad, code, run};
use crate::support::{stderr, stdout, write};

const FILES: usize = 20;

/// A program that appends `line 0`, `line 1`, … to one file after the other, each of which it opens anew, and says how many
/// there were.
const APPENDER: &str = r"
    n=0
    while [ -e go ]; do
        sleep 0.002
        echo line $n >> $((n % 20))/.squad/decisions.md
        n=$((n + 1))
    done
    echo $n
";

#[cfg(unix)]
#[test]
fn no_append_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = |number: usize| folder.path().join(format!("{number}/.squad/decisions.md"));
    for number in 0..FILES {
        write(folder.path(), path(number), "# Decisions\n");
    }
    write(folder.path(), "go", "");
    let mut shell = Command::new("sh");
    shell.args(["-c", APPENDER]).current_dir(folder.path()).stdout(Stdio::piped());
    let child = shell.spawn().unwrap();
    let mut replaced = 0;
    for round in 0..30 {
        for number in 0..FILES {
            // Appended as well: the file is never truncated.
            let mut file = fs::OpenOptions::new().append(true).open(path(number)).unwrap();
            file.write_all(format!("\n{}\n", bad()).as_bytes()).unwrap();
        }
        let output = run(folder.path(), &["--fix", "--select", "sem/timestamp-format"]);
        // The appender may come before the new file has its name: then the file is as the appender left it.
        let told = stderr(&output);
        assert!(code(&output) == 0 || told.contains("changed since it was read"), "{round}: {told}");
        assert!(!told.contains("changed while it was written"), "{round}: {told}");
        let printed = stdout(&output);
        let fixed = printed.lines().find(|line| line.starts_with("fixed ")).and_then(|line| line.split(' ').nth(4));
        replaced += fixed.map_or(0, |count| count.parse::<usize>().unwrap());
    }
    fs::remove_file(folder.path().join("go")).unwrap();
    let output = child.wait_with_output().unwrap();
    let appended: usize = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
    let texts: String = (0..FILES).map(|number| fs::read_to_string(path(number)).unwrap()).collect();
    let mut found: Vec<usize> =
        texts.lines().filter_map(|line| line.strip_prefix("line ")).map(|number| number.parse().unwrap()).collect();
    found.sort_unstable();
    eprintln!("{appended} lines appended while files were replaced {replaced} times");
    assert_eq!(found, (0..appended).collect::<Vec<_>>());
    assert!(replaced > 0, "no file was replaced");
}
