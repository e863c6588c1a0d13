//! The JSON schema of the file, for editors and validators, and for what is made from it here.

use schemars::Schema;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::{Map, Value, json};

use crate::settings::Settings;

/// Where the schema says what a level is.
const LEVEL: &str = "#/$defs/Level";

/// The schema (draft 2020-12) of `squad-lint.toml`, where `[rules]` takes these names, each with its description.
pub fn schema<'a>(rules: impl Iterator<Item = (&'a str, String)>) -> Value {
    let level = |(name, about): (&str, String)| (name.to_owned(), json!({ "description": about, "$ref": LEVEL }));
    let mut schema = schemars::schema_for!(Settings);
    Tidy { levels: Some(rules.map(level).collect()) }.transform(&mut schema);
    schema.to_value()
}

/// The schema without names of rules: `[rules]` takes any.
pub fn base() -> Value {
    let mut schema = schemars::schema_for!(Settings);
    Tidy { levels: None }.transform(&mut schema);
    schema.to_value()
}

/// Makes a schema of the file from one of Rust types.
struct Tidy {
    /// A property for each rule and family.
    levels: Option<Map<String, Value>>,
}

impl Transform for Tidy {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else { return };
        // TOML has no null: an optional key is left out.
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
        // The default of a table is that of its keys.
        if object.get("default").is_some_and(|default| default.is_null() || default.is_object()) {
            object.remove("default");
        }
        // The widths of Rust's integers say nothing to whoever writes the file.
        if object.get("type") == Some(&json!("integer")) {
            object.remove("format");
        }
        let takes_names = object.get("additionalProperties").and_then(|other| other.get("$ref"));
        if let Some(levels) = self.levels.as_ref().filter(|_| takes_names == Some(&json!(LEVEL))) {
            object.insert("additionalProperties".to_owned(), json!(false));
            let properties = object.entry("properties").or_insert_with(|| json!({}));
            if let Some(properties) = properties.as_object_mut() {
                properties.extend(levels.clone());
            }
        }
    }
}
