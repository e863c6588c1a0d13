//! The specification's reference parser with the smallest repairs (`sem_ref.mjs --mode intent`), run by Node.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// What one parser makes of one entry: field name to value.
pub type Fields = BTreeMap<String, Value>;

/// Line (from 1) to fields.
pub type Parsed = BTreeMap<usize, Fields>;

/// What the reference makes of `files`.
pub fn reference(oracle: &Path, files: &[PathBuf]) -> BTreeMap<PathBuf, Parsed> {
    let mut out: BTreeMap<PathBuf, Parsed> = files.iter().map(|file| (file.clone(), Parsed::new())).collect();
    let output = Command::new("node")
        .arg(oracle.join("sem_ref.mjs"))
        .args(["--mode", "intent", "--split", "sem"])
        .args(files)
        .output()
        .expect("Node runs the reference parser");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let record: Value = serde_json::from_str(line).unwrap();
        if record["kind"] != "sem" {
            continue;
        }
        let fields = record["fields"].as_object().unwrap().clone().into_iter().collect();
        let line = usize::try_from(record["line"].as_u64().unwrap()).unwrap();
        out.get_mut(Path::new(record["file"].as_str().unwrap())).unwrap().insert(line, fields);
    }
    out
}
