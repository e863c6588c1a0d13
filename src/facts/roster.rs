//! Who is on the squad of a state root, by all that says so: the tables of `team.md`, the registry in `casting/`, and the
//! folders in `agents/`.

use bstr::{BStr, BString, ByteSlice};
use foldhash::{HashMap, HashSet};

use super::context::document_of;
use super::{GatherAt, Run, files};
use crate::dialects::{roster, squad};
use crate::formats::roster::{Casting, Entry, Row, Standing, Status, Team, bare, is_built_in, spellings};
use crate::fs::path::inner_path;
use crate::select::changes::Changes;
use crate::select::selected::Selected;
use crate::text::Span;

/// The squad of one state root.
#[derive(Debug, Default)]
pub struct Roster {
    /// Everybody, those who left, too: first those of the registry, then of `team.md`, then of the folders.
    pub members: Vec<Member>,
    /// The tables of `team.md`, if that can be read.
    pub team: Option<Team>,
    /// The registry, if there is one.
    pub registry: Option<Casting>,
    /// What names an agent that is at work, so that the others can be compared with it.
    pub known: Known,
    /// The roles of all members, and the people that `team.md` names: without signs between their letters.
    pub roles: HashSet<String>,
    /// The member that each name belongs to: names without signs between their letters.
    by_name: HashMap<String, usize>,
}

/// Which places name an agent that is at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// `team.md`.
    pub rows: bool,
    /// The registry.
    pub entries: bool,
    /// The folders in `agents/`.
    pub folders: bool,
    /// The charters in them.
    pub charters: bool,
}

/// See [`Roster`].
pub type Fact = Roster;

/// One on a squad.
#[derive(Clone, Debug, Default)]
pub struct Member {
    /// The name, as the first place has it that names it.
    pub name: String,
    /// The cell of the name in `team.md`.
    pub row: Option<Span>,
    /// The key in the registry, or the name in a list of agents.
    pub entry: Option<Span>,
    /// The folder in `agents/`, or two whose names differ in case or signs.
    pub folders: Vec<BString>,
    /// Whether a folder has a charter.
    pub has_charter: bool,
    /// Whether only a table that may be about something else has it, and perhaps a folder.
    is_listed: bool,
    /// Whether it is an agent that is at work and that not every squad has: all places should name it.
    pub is_agent: bool,
}

impl Roster {
    /// The member that people mean by `name`.
    pub fn find(&self, name: &str) -> Option<&Member> {
        let first = name.split([' ', '(']).find(|word| word.contains(char::is_alphanumeric));
        let outside = name.split('(').next().unwrap_or_default();
        let names = [Some(name), Some(outside), first].into_iter().flatten();
        let mut known = names.flat_map(spellings).filter_map(|name| self.by_name.get(&name));
        known.next().and_then(|at| self.members.get(*at))
    }

    /// What the member that people mean by `name` is called too, without signs between the letters.
    pub fn names_of(&self, name: &str) -> impl Iterator<Item = &str> {
        let member = self.find(name).map(std::ptr::from_ref);
        let own = move |at: &usize| member.is_some() && self.members.get(*at).map(std::ptr::from_ref) == member;
        self.by_name.iter().filter(move |(_, at)| own(at)).map(|(name, _)| name.as_str())
    }

    /// The agents that all places should name.
    pub fn agents(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| member.is_agent)
    }

    /// Whether a member has this name, in one of its two spellings, and not by the first word alone.
    pub fn has(&self, name: &str) -> bool {
        spellings(name).any(|name| self.by_name.contains_key(&name))
    }

    /// The member of one of these names, who is new if none of them is known.
    fn member(&mut self, names: &[&str]) -> Option<&mut Member> {
        let keys: Vec<String> = names.iter().flat_map(|name| spellings(name)).filter(|name| !name.is_empty()).collect();
        let known = self.known_of(&keys);
        self.member_of(known, names.first().copied().unwrap_or_default(), keys)
    }

    /// The place of the member that has one of these names, the first of them that is known.
    fn known_of(&self, keys: &[String]) -> Option<usize> {
        keys.iter().find_map(|key| self.by_name.get(key)).copied()
    }

    /// The place of `The Kid`, whom a row calls `Kid`, or the other way round, where no row of `rows` is about the other name.
    fn known_by_article(&self, own: &str, rows: &HashSet<&str>) -> Option<usize> {
        let other = own.strip_prefix("the").map_or_else(|| format!("the{own}"), str::to_owned);
        self.by_name.get(&other).copied().filter(|_| !rows.contains(other.as_str()))
    }

    /// The member at the place `known`, or a new one that is called `name`; `keys` are its names.
    fn member_of(&mut self, known: Option<usize>, name: &str, keys: Vec<String>) -> Option<&mut Member> {
        let at = known.unwrap_or(self.members.len());
        if known.is_none() {
            self.members.push(Member { is_agent: !is_built_in(name), name: name.to_owned(), ..Member::default() });
        }
        for key in keys {
            self.by_name.entry(key).or_insert(at);
        }
        self.members.get_mut(at)
    }

    fn add_entry(&mut self, entry: &Entry) {
        let (key, name) = (entry.key.as_ref(), entry.name.as_ref());
        let names: Vec<&str> = [name, key].into_iter().flatten().map(|text| text.value.as_str()).collect();
        let Some(place) = key.or(name) else { return };
        let Some(member) = self.member(&names) else { return };
        member.entry.get_or_insert(place.span);
        member.is_agent &= entry.status == Status::Active && !names.iter().any(|name| is_built_in(name));
    }

    /// Adds a row of `team.md`, whose name is `own` without signs. What is the name of another row, one of `rows`, does not mean this
    /// one.
    fn add_row(&mut self, row: &Row, own: &str, rows: &HashSet<&str>) {
        if row.standing == Standing::Other {
            return;
        }
        let name = row.name.value.as_str();
        let folder = row.charter.as_ref().map(|charter| charter.value.as_str());
        let (outside, first) = (name.split('(').next().unwrap_or(name), name.split(' ').next().unwrap_or(name));
        let mut keys: Vec<String> = spellings(name).collect();
        // Most rows have one name, with its folder.
        let mut add = |other: &str| {
            if other != name {
                let new = spellings(other).filter(|key| !keys.contains(key)).collect::<Vec<_>>();
                keys.extend(new);
            }
        };
        folder.into_iter().chain([outside]).for_each(&mut add);
        // The role or the first word is enough where it is known.
        for other in [first, row.role.as_str()].into_iter().filter(|other| !other.is_empty() && *other != name) {
            let key = bare(other);
            let is_known = || self.by_name.contains_key(&key) || !other.is_ascii() && self.has(other);
            if (key == own || !rows.contains(key.as_str())) && is_known() {
                add(other);
            }
        }
        keys.retain(|key| !key.is_empty());
        let known = self.known_of(&keys).or_else(|| self.known_by_article(own, rows));
        let is_new = known.is_none();
        let Some(member) = self.member_of(known, name, keys) else { return };
        member.row.get_or_insert(row.name.span);
        if row.standing == Standing::Listed {
            member.is_listed |= is_new;
            return;
        }
        member.is_listed = false;
        member.is_agent &= row.standing == Standing::Agent;
    }

    /// Adds a folder of `agents/`. `others` are the members by first name and role: a folder `danny` is that of a `Danny Ocean`,
    /// and a folder `lead` that of the lead.
    fn add_folder(&mut self, name: &BStr, folder: &Folder, others: &HashMap<String, Option<usize>>) {
        let text = name.to_str_lossy();
        let key = bare(&text);
        let other = others.get(&key).copied().flatten().filter(|_| !self.by_name.contains_key(&key));
        let free = other.filter(|at| self.members.get(*at).is_some_and(|member| member.folders.is_empty()));
        let member = match free {
            Some(at) => {
                self.by_name.insert(key, at);
                self.members.get_mut(at)
            }
            None => self.member(&[&text]),
        };
        let Some(member) = member else { return };
        member.folders.push(name.into());
        member.has_charter |= folder.has_charter;
        member.is_agent &= !folder.is_alumni && !text.starts_with(['_', '.']);
    }

    /// The members by first name and role; `None` where two have the same.
    fn by_other_names(&self, rows: &[(&Row, String)]) -> HashMap<String, Option<usize>> {
        let firsts = self.members.iter().enumerate().map(|(at, member)| (member.name.split(' ').next(), at));
        let roles = rows.iter().filter_map(|(row, name)| Some((Some(row.role.as_str()), *self.by_name.get(name)?)));
        let mut others = HashMap::default();
        for (name, at) in firsts.chain(roles) {
            let known = others.entry(bare(name.unwrap_or_default())).or_insert(Some(at));
            *known = known.filter(|known| *known == at);
        }
        others
    }
}

/// What is in a folder of `agents/`.
#[derive(Default)]
struct Folder {
    has_charter: bool,
    is_alumni: bool,
}

/// Whether the change that is checked deletes a charter in the state root `root`.
fn deletes_charter(run: &Run<'_>, root: &BStr) -> bool {
    let is_charter = |path: &BStr| {
        run.input.roots.locate(path).is_some_and(|it| it.root == root && it.kind == Some(&squad::CHARTER))
    };
    let mut changes = run.changes().into_iter().flat_map(Changes::list);
    changes.any(|change| change.after.is_none() && is_charter(change.path.as_bstr()))
}

impl GatherAt for Roster {
    /// `root` is the state root.
    fn gather(run: &Run<'_>, root: &BStr) -> Self {
        let files = files::in_folder(run, root);
        let mut folders: HashMap<&[u8], Folder> = HashMap::default();
        let mut squad = Self::default();
        for file in files.iter() {
            let mut parts = inner_path(file.path.as_bstr(), root).split(|byte| *byte == b'/');
            let mut part = || parts.next();
            let (name, file_name, is_alumni) = match (part(), part(), part(), part()) {
                (Some(b"agents"), Some(b"_alumni"), Some(name), Some(file)) => (name, file, true),
                (Some(b"agents"), Some(name), Some(file), _) => (name, file, false),
                _ => {
                    squad.read(run, file);
                    continue;
                }
            };
            let folder = folders.entry(name).or_insert(Folder { has_charter: false, is_alumni });
            folder.has_charter |= file_name.eq_ignore_ascii_case(b"charter.md") && !is_alumni;
            folder.is_alumni &= is_alumni;
        }
        let entries = squad.registry.as_ref().map(|registry| registry.agents.clone()).unwrap_or_default();
        for entry in &entries {
            squad.add_entry(entry);
        }
        let team = squad.team.take();
        let rows: Vec<(&Row, String)> =
            team.iter().flat_map(|team| &team.rows).map(|row| (row, bare(&row.name.value))).collect();
        let names: HashSet<&str> = rows.iter().map(|(_, name)| name.as_str()).collect();
        for (row, name) in &rows {
            squad.add_row(row, name, &names);
        }
        let others = squad.by_other_names(&rows);
        let mut folders: Vec<(&[u8], Folder)> = folders.into_iter().collect();
        folders.sort_unstable_by_key(|(name, _)| *name);
        for (name, folder) in &folders {
            squad.add_folder(name.as_bstr(), folder, &others);
        }
        for member in &mut squad.members {
            member.is_agent &= !member.is_listed || !member.folders.is_empty();
        }
        let mut in_team = rows.iter().filter(|(row, _)| row.standing == Standing::Agent);
        squad.known.rows = in_team.any(|(row, _)| squad.find(&row.name.value).is_some_and(|member| member.is_agent));
        for agent in squad.members.iter().filter(|member| member.is_agent) {
            squad.known.entries |= agent.entry.is_some();
            squad.known.folders |= !agent.folders.is_empty();
            squad.known.charters |= agent.has_charter;
        }
        // What a change deletes was there: it may be the only one.
        let deleted = deletes_charter(run, root);
        squad.known.charters |= deleted;
        squad.known.folders |= deleted;
        let humans = team.iter().flat_map(|team| &team.humans);
        // People are called by their first names, too.
        let first = |name: &String| name.split_whitespace().next().unwrap_or_default().to_owned();
        let humans = humans.flat_map(|name| [name.clone(), first(name)]).filter(|name| !name.is_empty());
        squad.roles = rows.iter().map(|(row, _)| bare(&row.role)).chain(humans.map(|name| bare(&name))).collect();
        drop(rows);
        squad.team = team;
        squad
    }
}

impl Roster {
    /// Keeps what `file` says, if it is `team.md` or the registry.
    fn read(&mut self, run: &Run<'_>, file: &Selected) {
        if file.kind == &squad::TEAM {
            self.team = document_of(run, file).and_then(|document| document.body::<Team>().cloned());
        } else if file.kind == &roster::REGISTRY {
            self.registry = document_of(run, file).and_then(|document| document.body::<Casting>().cloned());
        }
    }
}
