//! Paths that come folder by folder: what applies to a folder is found out once.

use bstr::{BStr, BString, ByteSlice};

/// A way through the folders of a repository. Paths may come in any order; those of one folder one after the other are found
/// at once.
#[derive(Debug)]
pub struct Passage<F> {
    is_root: F,
    folder: BString,
    /// Where the name of each folder on the way to `folder` ends, `folder` included, and whether it is a state root.
    steps: Vec<(usize, bool)>,
    /// 0 if the repository itself is a state root.
    top: Option<usize>,
    /// Where the innermost state root on the way ends.
    root: Option<usize>,
}

impl<F: Fn(&BStr) -> bool> Passage<F> {
    /// Before the first path; `is_root` says which folders are state roots.
    pub fn new(is_root: F) -> Self {
        let top = is_root(BStr::new("")).then_some(0);
        Self { is_root, folder: BString::default(), steps: Vec::new(), top, root: top }
    }

    /// Goes to the folder of `path`. Whether it is another one than before.
    pub fn go_to(&mut self, path: &BStr) -> bool {
        let len = self.folder.len();
        if len > 0
            && path.get(len) == Some(&b'/')
            && path.get(..len) == Some(self.folder.as_slice())
            && path.get(len + 1..).is_some_and(|name| memchr::memchr(b'/', name).is_none())
        {
            return false;
        }
        let folder = path.get(..memchr::memrchr(b'/', path).unwrap_or(0)).unwrap_or_default();
        if self.folder == folder {
            return false;
        }
        self.enter(folder);
        true
    }

    /// The folder of the last path.
    pub fn folder(&self) -> &BStr {
        self.folder.as_bstr()
    }

    /// Whether that folder is a state root, or is in one.
    pub fn is_in_root(&self) -> bool {
        self.root.is_some()
    }

    /// The innermost state root that holds `path`.
    pub fn root_of<'p>(&mut self, path: &'p BStr) -> Option<&'p BStr> {
        self.go_to(path);
        path.get(..self.root?).map(BStr::new)
    }

    /// Goes to `folder`: only the part of its path that is another than before is checked.
    fn enter(&mut self, folder: &[u8]) {
        let is_on_the_way = |end: usize| {
            folder.get(end).is_none_or(|&byte| byte == b'/')
                && folder.get(..end).is_some_and(|way| self.folder.get(..end) == Some(way))
        };
        while self.steps.pop_if(|(end, _)| !is_on_the_way(*end)).is_some() {}
        let mut start = self.steps.last().map_or(0, |(end, _)| end + 1);
        while let Some(rest) = folder.get(start..).filter(|rest| !rest.is_empty()) {
            let end = start + memchr::memchr(b'/', rest).unwrap_or(rest.len());
            let is_root = folder.get(..end).is_some_and(|path| (self.is_root)(path.as_bstr()));
            self.steps.push((end, is_root));
            start = end + 1;
        }
        self.root = self.steps.iter().rev().find(|(_, is_root)| *is_root).map(|(end, _)| *end).or(self.top);
        self.folder.clear();
        self.folder.extend_from_slice(folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::roots::Roots;

    #[test]
    fn a_passage_finds_the_same_roots_in_any_order() -> Result<(), globset::Error> {
        let roots = Roots::new([".ai-team", "memory/agents"])?;
        let paths = [
            "memory/agents/x/y",
            ".ai-team/a",
            ".ai-team/b/c",
            ".ai-team-x/a",
            "a",
            "a/.ai-team/b",
            "a/b/.ai-team/c/d/e",
            "a/b/c",
            "memory/agents",
            "memory/agents/x/y",
            "memory/agentsx/y",
            "x/.ai-team/y/.ai-team/z",
            "x/.ai-team/y/z",
            ".ai-team",
        ];
        let mut passage = Passage::new(|folder: &BStr| roots.is_root(folder));
        for path in paths.iter().chain(paths.iter().rev()) {
            let path = BStr::new(path);
            assert_eq!(passage.root_of(path), roots.root_of(path).as_ref().map(|root| root.as_bstr()), "{path}");
        }
        Ok(())
    }
}
