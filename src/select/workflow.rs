//! Where the workflows of a repository are written down.

use std::path::Path;

use bstr::BString;

use crate::fs::path::to_bytes;

/// The files that services look for at one place.
const FILES: [&str; 6] = [
    ".gitlab-ci.yml",
    "azure-pipelines.yml",
    ".circleci/config.yml",
    "Jenkinsfile",
    ".travis.yml",
    "bitbucket-pipelines.yml",
];

/// The workflow files of the repository at `root` that are on disk, relative to it, in order.
pub fn files(root: &Path) -> Vec<BString> {
    let mut found: Vec<BString> =
        FILES.iter().filter(|name| root.join(name).is_file()).map(|name| BString::from(*name)).collect();
    let folder = Path::new(".github/workflows");
    // A folder that is not there holds none.
    for entry in std::fs::read_dir(root.join(folder)).into_iter().flatten().flatten() {
        let path = folder.join(entry.file_name());
        if path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") {
            found.push(to_bytes(&path));
        }
    }
    found.sort();
    found
}
