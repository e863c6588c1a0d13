//! The macro that declares the facts, and the cells that they are kept in.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bstr::{BStr, BString};

/// One value a path, each gathered when it is first asked for.
///
/// The map is locked only to find the cell of a path. The value is gathered outside of that lock, so that threads gather the
/// values of different paths side by side; only those that ask for the same path wait for each other.
#[derive(Debug)]
pub(super) struct Keyed<T>(Mutex<HashMap<BString, Arc<OnceLock<Arc<T>>>>>);

impl<T> Default for Keyed<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Keyed<T> {
    /// The value at `path`, from `gather` if there is none yet.
    pub(super) fn get_or_init(&self, path: &BStr, gather: impl FnOnce() -> T) -> Arc<T> {
        let cell = {
            let mut cells = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match cells.get(path) {
                Some(cell) => cell.clone(),
                None => cells.entry(path.to_owned()).or_default().clone(),
            }
        };
        cell.get_or_init(|| Arc::new(gather())).clone()
    }
}

/// Declares the facts: a module each, which has `pub type Fact` and implements [`Gather`](super::Gather) or
/// [`GatherAt`](super::GatherAt) for it. What it makes is the modules, the `Store` that holds the facts of a run, and a method
/// of `Run` for each fact, of the fact's name.
macro_rules! facts {
    (once { $($once:ident)* } by_path { $($keyed:ident)* }) => {
        $(pub mod $once;)*
        $(pub mod $keyed;)*

        /// The facts of a run, each gathered when it is first asked for.
        #[derive(Debug, Default)]
        struct Store {
            $($once: std::sync::OnceLock<$once::Fact>,)*
            $($keyed: store::Keyed<$keyed::Fact>,)*
        }

        impl Run<'_> {
            $(
                #[doc = concat!("The fact `", stringify!($once), "`, gathered once a run.")]
                pub fn $once(&self) -> &$once::Fact {
                    self.store.$once.get_or_init(|| Gather::gather(self))
                }
            )*
            $(
                #[doc = concat!("The fact `", stringify!($keyed), "` of a path, gathered once a path.")]
                pub fn $keyed(&self, path: &bstr::BStr) -> std::sync::Arc<$keyed::Fact> {
                    self.store.$keyed.get_or_init(path, || GatherAt::gather(self, path))
                }
            )*
        }
    };
}

pub(super) use facts;

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_path_is_gathered_once_and_another_one_meanwhile() {
        let (keyed, gathered) = (Keyed::<usize>::default(), AtomicUsize::new(0));
        let count = || gathered.fetch_add(1, Ordering::Relaxed);
        // To gather one value may ask for another one: no lock is held.
        let outer = keyed.get_or_init("a".into(), || *keyed.get_or_init("b".into(), count) + 10 + count());
        assert_eq!((*outer, *keyed.get_or_init("a".into(), count), *keyed.get_or_init("b".into(), count)), (11, 11, 0));
        assert_eq!(gathered.into_inner(), 2);
    }
}
