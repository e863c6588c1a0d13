//! `schema config|entry|reflection`: the JSON schemas.

use super::{CliError, Exit};
use crate::cli::{SchemaArgs, SchemaName};
use crate::formats::{reflection, sem};
use crate::report::json_writer;
use crate::terminal::Terminal;
use crate::{config, rules};

/// Prints a schema.
pub fn run(args: &SchemaArgs, terminal: Terminal) -> Result<Exit, CliError> {
    let schema = match args.of {
        SchemaName::Config => {
            let families = rules::families().into_iter().map(|family| (family, format!("All rules of {family}")));
            let rules = rules::all().map(|registered| (registered.rule.name, registered.headline()));
            config::schema::schema(families.chain(rules))
        }
        SchemaName::Entry => sem::schema::schema(),
        SchemaName::Reflection => reflection::schema(),
    };
    json_writer::write(&schema, &mut terminal.stdout()).map_err(CliError::Output)?;
    Ok(Exit::Clean)
}
