//! The JSON schema of the file, for editors and validators.

use schemars::Schema;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::{Map, Value, json};

use super::Config;

/// The schema (draft 2020-12) of `squad-lint.toml`, where `[rules]` takes these names, each with a few words on it.
pub fn schema<'a>(rules: impl Iterator<Item = (&'a str, String)>) -> Value {
    let mut schema = schemars::schema_for!(Config);
    let level = |(name, about): (&str, String)| (name.to_owned(), json!({ "description": about, "$ref": LEVEL }));
    Tidy { levels: rules.map(level).collect() }.transform(&mut schema);
    schema.to_value()
}

/// Where the schema says what a level is.
const LEVEL: &str = "#/$defs/Level";

/// Makes of a schema of Rust types one of the file.
struct Tidy {
    /// A property for each rule and family.
    levels: Map<String, Value>,
}

impl Transform for Tidy {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else { return };
        // TOML has no null: a key that may be left out is not there.
        if let Some(Value::Array(types)) = object.get_mut("type") {
            types.retain(|kind| kind != "null");
            if let [kind] = types.as_slice() {
                let kind = kind.clone();
                object.insert("type".to_owned(), kind);
            }
        }
        if let Some(Value::Array(mut any)) = object.remove("anyOf") {
            any.retain(|one| one.get("type") != Some(&json!("null")));
            match any.as_slice() {
                [Value::Object(one)] => object.extend(one.clone()),
                _ => drop(object.insert("anyOf".to_owned(), any.into())),
            }
        }
        if let Some(Value::String(about)) = object.get_mut("description") {
            *about = about.replace('\n', " ");
        }
        // The widths of Rust's integers say nothing to whoever writes the file.
        object.remove("format");
        let takes_names = object.get("additionalProperties").and_then(|other| other.get("$ref"));
        if takes_names == Some(&json!(LEVEL)) {
            object.insert("additionalProperties".to_owned(), json!(false));
            let properties = object.entry("properties").or_insert_with(|| json!({}));
            if let Some(properties) = properties.as_object_mut() {
                properties.extend(self.levels.clone());
            }
        }
    }
}
