//! Errors that stop neither the fixes of other files nor the report. They are shown at the end.

use miette::Diagnostic;

use crate::errors::show_error;
use crate::terminal::Terminal;

/// Errors that stopped nothing else, in the order in which they came up.
#[derive(Debug, Default)]
pub struct Problems(Vec<Box<dyn Diagnostic + Send + Sync>>);

impl Problems {
    /// Adds a problem.
    pub fn push(&mut self, problem: impl Diagnostic + Send + Sync + 'static) {
        self.0.push(Box::new(problem));
    }

    /// Shows them all on standard error.
    pub fn show(&self, terminal: Terminal) {
        self.0.iter().for_each(|problem| show_error(terminal, &**problem));
    }
}
