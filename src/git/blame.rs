//! On which day the lines of a file came into a repository, as `git blame` sees it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use bstr::{BStr, BString, ByteSlice};
use gix::ObjectId;
use gix::objs::{Data, Find, FindHeader, Header};
use jiff::civil::Date;

use crate::git::error::GitError;
use crate::git::lines;
use crate::git::repository::Git;

/// The days on which the lines of a text were committed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blame {
    lines: Vec<Option<Moment>>,
}

/// When the author wrote a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Moment {
    /// In seconds since 1970.
    second: i64,
    /// By their own clock.
    day: Date,
}

impl Blame {
    /// The day on which the line, counted from 1, was committed, where its author was; `None` for a line that no commit
    /// brought, or where the history is cut off before the commit that did.
    pub fn day(&self, line: usize) -> Option<Date> {
        Some(self.moment(line)?.day)
    }

    /// The second, since 1970, in which the commit of the line, counted from 1, was written; `None` as for the day.
    pub fn second(&self, line: usize) -> Option<i64> {
        Some(self.moment(line)?.second)
    }

    fn moment(&self, line: usize) -> Option<Moment> {
        self.lines.get(line.checked_sub(1)?).copied().flatten()
    }
}

impl Git {
    /// The days of the lines of `text`, the file at `path`, as far as `HEAD` has them: the lines that differ, also
    /// all of a file that no commit has, have none. Files are followed through renames. Line ends do not count.
    ///
    /// # Errors
    /// When the history cannot be read: in a partial clone that lacks it, too.
    pub fn blame(&self, path: &BStr, text: &[u8]) -> Result<Blame, GitError> {
        let failed =
            |error: gix::Error| GitError::new(format!("the history of {}", path.to_string().escape_debug()), error);
        let mut repository = self.local();
        repository.object_cache_size_if_unset(32 << 20);
        let Ok(head) = repository.head_id() else { return Ok(Blame::default()) };
        let tree = head.object().and_then(gix::Object::peel_to_tree).map_err(failed)?;
        let entry = tree.lookup_entry(path.split_str("/")).map_err(failed)?;
        if !entry.is_some_and(|entry| entry.mode().is_blob()) {
            return Ok(Blame::default());
        }
        let options = gix::blame::Options {
            diff_algorithm: gix::diff::blob::Algorithm::Histogram,
            rewrites: Some(gix::diff::Rewrites::default()),
            ..Default::default()
        };
        let boundary = match repository.shallow_commits().map_err(failed)? {
            Some(boundary) => boundary.iter().copied().collect(),
            None => Vec::new(),
        };
        let objects = UpTo { objects: &repository.objects, boundary: &boundary };
        let graph = repository.commit_graph_if_enabled().map_err(failed)?.filter(|_| boundary.is_empty());
        let mut diffs = repository.diff_resource_cache_for_tree_diff().map_err(failed)?;
        let start = gix::blame::Start::Commit(head.detach());
        let outcome = gix::blame::file(objects, start, graph, &mut diffs, path, options).map_err(failed)?;
        let mut committed: Vec<Option<Moment>> = vec![None; outcome.blob.lines().count()];
        let mut known: BTreeMap<ObjectId, Option<Moment>> = BTreeMap::new();
        for entry in &outcome.entries {
            let moment = match known.entry(entry.commit_id) {
                Entry::Occupied(day) => *day.get(),
                Entry::Vacant(day) => *day.insert(moment_of(&repository, &boundary, entry.commit_id).map_err(failed)?),
            };
            for line in committed.get_mut(entry.range_in_blamed_file()).into_iter().flatten() {
                *line = moment;
            }
        }
        let (before, after) = (with_bare_line_ends(&outcome.blob), with_bare_line_ends(text));
        let mut all = Vec::with_capacity(committed.len());
        let (mut taken, mut committed) = (1, committed.into_iter());
        for (old, new) in lines::hunks(&before, &after) {
            let same = old.start.saturating_sub(taken);
            all.extend(committed.by_ref().take(count(same)));
            all.extend(new.map(|_| None));
            let gone = old.len();
            committed.by_ref().take(gone).for_each(drop);
            taken = old.end;
        }
        all.extend(committed);
        Ok(Blame { lines: all })
    }
}

fn count(lines: u32) -> usize {
    usize::try_from(lines).unwrap_or(usize::MAX)
}

/// When the author wrote the commit; `None` where the history is cut off at it, so that what
/// it seems to bring may be older.
fn moment_of(repository: &gix::Repository, boundary: &[ObjectId], id: ObjectId) -> Result<Option<Moment>, gix::Error> {
    if boundary.contains(&id) {
        return Ok(None);
    }
    let commit = repository.find_commit(id)?;
    let time = commit.author()?.time().unwrap_or_default();
    let local = time.seconds.saturating_add(i64::from(time.offset));
    let moment = jiff::Timestamp::from_second(local).ok();
    let day = moment.map(|moment| jiff::tz::Offset::UTC.to_datetime(moment).date());
    Ok(day.map(|day| Moment { second: time.seconds, day }))
}

/// The objects of a history that is cut off: the commits at the boundary have no parents. What they name as such is not
/// there, and to ask for it would fail.
struct UpTo<'a, O> {
    objects: O,
    boundary: &'a [ObjectId],
}

impl<O: Find> Find for UpTo<'_, O> {
    fn try_find<'a>(&self, id: &gix::oid, buffer: &'a mut Vec<u8>) -> Result<Option<Data<'a>>, gix::Error> {
        if !self.boundary.iter().any(|cut| *cut == id) {
            return self.objects.try_find(id, buffer);
        }
        let mut whole = Vec::new();
        let Some(found) = self.objects.try_find(id, &mut whole)? else { return Ok(None) };
        let (kind, hash) = (found.kind, found.object_hash);
        let (header, message) = found.data.split_at(found.data.find("\n\n").unwrap_or(found.data.len()));
        buffer.clear();
        for line in header.lines_with_terminator().filter(|line| !line.starts_with(b"parent ")) {
            buffer.extend_from_slice(line);
        }
        buffer.extend_from_slice(message);
        Ok(Some(Data::new(buffer, kind, hash)))
    }
}

impl<O: FindHeader> FindHeader for UpTo<'_, O> {
    fn try_header(&self, id: &gix::oid) -> Result<Option<Header>, gix::Error> {
        self.objects.try_header(id)
    }
}

/// The text with bare line feeds at the ends of its lines: a work tree may have others than git has.
fn with_bare_line_ends(text: &[u8]) -> BString {
    let mut bare = BString::new(Vec::with_capacity(text.len() + 1));
    for line in text.lines() {
        bare.extend_from_slice(line);
        bare.push(b'\n');
    }
    bare
}
