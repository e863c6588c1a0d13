//! Files of sections with entries, and what sides do to them. Each entry has words that no other one has.

use proptest::prelude::*;

use super::*;

/// What an entry is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Sem,
    Legacy,
    /// An older entry that ends with a part of its own, which may say nothing.
    WithPart(bool),
    Item,
}

/// An entry or an item.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    number: usize,
    shape: Shape,
    second: u32,
    version: String,
}

/// What is below the title of a section, before its first entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intro {
    None,
    Prose,
    Bullet,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    title: String,
    intro: Intro,
    rows: Vec<Row>,
}

/// What a side does to the sections of a file.
#[derive(Clone, Debug)]
enum Act {
    /// Adds an entry to a section: at its end, or at this place.
    Add(usize, Option<usize>, Shape, u32),
    /// Adds a section: at the end, or at this place.
    AddSection(Option<usize>, usize, Intro, Vec<(Shape, u32)>),
    Remove(usize, usize),
    /// Removes a section with all that is in it, or only that.
    RemoveSection(usize, bool),
    Change(usize, usize),
    /// Moves an entry to a place in another section.
    Move(usize, usize, usize, usize),
}

/// How often sides do what, and with which entries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mix {
    pub(super) add: u32,
    pub(super) add_section: u32,
    pub(super) remove: u32,
    pub(super) remove_section: u32,
    pub(super) change: u32,
    pub(super) moves: u32,
    /// A side does fewer things than this.
    pub(super) most: usize,
    /// Whether sections have a text, and entries have parts.
    pub(super) has_texts: bool,
    /// How often all entries of a file are items of its lists, of a hundred.
    pub(super) items: u32,
}

impl Mix {
    fn shape(self) -> BoxedStrategy<Shape> {
        if self.has_texts {
            return prop_oneof![3 => Just(Shape::Sem), 4 => Just(Shape::Legacy), 1 => any::<bool>().prop_map(Shape::WithPart)]
                .boxed();
        }
        prop_oneof![Just(Shape::Sem), Just(Shape::Legacy)].boxed()
    }

    fn intro(self) -> BoxedStrategy<Intro> {
        if self.has_texts {
            return prop_oneof![2 => Just(Intro::None), 1 => Just(Intro::Prose), 1 => Just(Intro::Bullet)].boxed();
        }
        Just(Intro::None).boxed()
    }

    fn rows(self, most: usize) -> impl Strategy<Value = Vec<(Shape, u32)>> {
        prop::collection::vec((self.shape(), 0u32..28), 0..most)
    }

    fn acts(self, most: usize) -> impl Strategy<Value = Vec<Act>> {
        let (section, row) = (|| 0usize..4, || 0usize..4);
        let place = || prop::option::weighted(0.3, 0usize..5);
        let act = prop_oneof![
            self.add => (section(), place(), self.shape(), 0u32..28)
                .prop_map(|(section, at, shape, second)| Act::Add(section, at, shape, second)),
            self.add_section => (place(), 0usize..8, self.intro(), self.rows(3))
                .prop_map(|(at, title, intro, rows)| Act::AddSection(at, title, intro, rows)),
            self.remove => (section(), row()).prop_map(|(section, at)| Act::Remove(section, at)),
            self.remove_section => (section(), any::<bool>()).prop_map(|(section, is_whole)| Act::RemoveSection(section, is_whole)),
            self.change => (section(), row()).prop_map(|(section, at)| Act::Change(section, at)),
            self.moves => (section(), row(), section(), 0usize..5)
                .prop_map(|(section, at, to, place)| Act::Move(section, at, to, place)),
        ];
        prop::collection::vec(act, 0..most)
    }

    /// Three versions of a file: what both sides do, and what each of them does alone.
    pub(super) fn files(self) -> impl Strategy<Value = Files> {
        let section = prop::collection::vec((self.intro(), self.rows(4)), 1..4);
        let both = prop_oneof![2 => Just(Vec::new()), 1 => self.acts(3)];
        let items = prop::bool::weighted(f64::from(self.items) / 100.0);
        (items, section, both, self.acts(self.most), self.acts(self.most)).prop_map(
            |(items, sections, both, ours, theirs)| {
                let row = |at: usize, (step, (shape, second)): (usize, &(Shape, u32))| Row {
                    number: 10 * at + step,
                    shape: if items { Shape::Item } else { *shape },
                    second: *second,
                    version: "old".into(),
                };
                let section = |(at, (intro, rows)): (usize, &Drawn)| Section {
                    title: format!("Part {at} of the file"),
                    intro: *intro,
                    rows: rows.iter().enumerate().map(|new| row(at, new)).collect(),
                };
                let base: Vec<Section> = sections.iter().enumerate().map(section).collect();
                let of_both = play(&base, &both, 3, items);
                let is_moved = [&both, &ours, &theirs].into_iter().flatten().any(|act| matches!(act, Act::Move(..)));
                let (ours, theirs) = (play(&of_both, &ours, 1, items), play(&of_both, &theirs, 2, items));
                let title = if items { "# Learnings: a\n\n" } else { TITLE };
                Files { items, texts: [base, ours, theirs].map(|sections| text_of(title, &sections)), is_moved }
            },
        )
    }
}

/// A file as the three versions have it, and whether a side moved something.
#[derive(Clone, Debug)]
pub(super) struct Files {
    /// Whether it is of learnings.
    pub(super) items: bool,
    pub(super) texts: [String; 3],
    pub(super) is_moved: bool,
}

impl Files {
    pub(super) fn kind(&self) -> &'static FileKind {
        if self.items { &learnings::LEARNINGS } else { &squad::DECISIONS }
    }
}

/// A section as it is drawn: what is below its title, and each entry with its second.
type Drawn = (Intro, Vec<(Shape, u32)>);

fn play(base: &[Section], acts: &[Act], side: usize, items: bool) -> Vec<Section> {
    let mut all = base.to_vec();
    let row = |number: usize, shape: Shape, second: u32| Row {
        number,
        shape: if items { Shape::Item } else { shape },
        second,
        version: "new".into(),
    };
    for (count, act) in acts.iter().enumerate() {
        let number = 1000 * side + 10 * count;
        let sections = all.len();
        match act {
            Act::Add(section, at, shape, second) if sections > 0 => {
                let rows = &mut all[section % sections].rows;
                let at = at.unwrap_or(rows.len()).min(rows.len());
                rows.insert(at, row(number, *shape, *second));
            }
            Act::AddSection(at, title, intro, rows) => {
                let title = format!("Subject {title} of the team");
                if all.iter().any(|section| section.title == title) {
                    continue;
                }
                let rows = rows.iter().enumerate().map(|(step, (shape, second))| row(number + step, *shape, *second));
                let new = Section { title, intro: *intro, rows: rows.collect() };
                all.insert(at.unwrap_or(sections).min(sections), new);
            }
            Act::Remove(section, at) if sections > 0 => {
                let rows = &mut all[section % sections].rows;
                if *at < rows.len() {
                    rows.remove(*at);
                }
            }
            Act::RemoveSection(section, true) if sections > 0 => {
                all.remove(section % sections);
            }
            Act::RemoveSection(section, false) if sections > 0 => all[section % sections].rows.clear(),
            Act::Change(section, at) if sections > 0 => {
                if let Some(row) = all[section % sections].rows.get_mut(*at) {
                    row.version = format!("changed by {side}, {count}");
                }
            }
            Act::Move(section, at, to, place) if sections > 0 => {
                let rows = &mut all[section % sections].rows;
                if *at < rows.len() {
                    let row = rows.remove(*at);
                    let rows = &mut all[to % sections].rows;
                    rows.insert((*place).min(rows.len()), row);
                }
            }
            _ => {}
        }
    }
    all
}

fn text_of(title: &str, sections: &[Section]) -> String {
    let mut out = title.to_owned();
    for Section { title, intro, rows } in sections {
        out.extend(["## ", title, "\n\n"]);
        match intro {
            Intro::None => {}
            Intro::Prose => out.extend(["Words on ", title, ", and more of them.\n\n"]),
            Intro::Bullet => out.extend(["- A point of ", title, "\n\n"]),
        }
        for Row { number, shape, second, version } in rows {
            let words: String = (0..12).map(|word| format!(" w{number}x{word}")).collect();
            let text = format!("Text of number {number}:{words}\n\nNumber {number} is {version}.");
            let title = format!("Number {number} of the ledger");
            let entry = match shape {
                Shape::Sem => sem(*second, &title, &text),
                Shape::Legacy => legacy(1 + second, &title, &text),
                Shape::WithPart(false) => format!("{}#### Context\n\n", legacy(1 + second, &title, &text)),
                Shape::WithPart(true) => {
                    format!("{}#### Context\n\nThe reason of number {number}.\n\n", legacy(1 + second, &title, &text))
                }
                Shape::Item => format!("- Number {number} of the list is {version}:{words}\n"),
            };
            out.push_str(&entry);
        }
        if rows.last().is_some_and(|row| row.shape == Shape::Item) {
            out.push('\n');
        }
    }
    out
}
