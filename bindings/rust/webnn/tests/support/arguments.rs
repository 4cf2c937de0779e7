//! Reads the arguments of a call from JSON, in the form of the conformance vectors.
use std::collections::HashMap;

use serde_json::{Map, Value};
use webnn::{Number, Operand, Splits};

use super::values::number_of;

pub struct Arguments<'a, 'b> {
    pub positional: Vec<&'a Value>,
    pub options: Option<&'a Map<String, Value>>,
    pub operands: &'a HashMap<String, Operand<'b>>,
    pub label: String,
}

/// An argument or an option, which may be absent.
pub struct Entry<'a, 'b> {
    value: Option<&'a Value>,
    operands: &'a HashMap<String, Operand<'b>>,
}

pub enum OwnedSplits {
    Count(u32),
    Sizes(Vec<u32>),
}

impl OwnedSplits {
    pub fn get(&self) -> Splits<'_> {
        match self {
            OwnedSplits::Count(count) => Splits::Count(*count),
            OwnedSplits::Sizes(sizes) => Splits::Sizes(sizes),
        }
    }
}

impl<'a, 'b> Arguments<'a, 'b> {
    /// Reads `arguments` of an operator in a conformance vector: the entries of each object are positional, except `options`.
    pub fn of(operator: &'a Value, operands: &'a HashMap<String, Operand<'b>>) -> Arguments<'a, 'b> {
        let mut arguments = Arguments { positional: Vec::new(), options: None, operands, label: String::new() };
        for argument in operator["arguments"].as_array().unwrap().iter().filter_map(Value::as_object) {
            for (key, value) in argument {
                if key == "options" {
                    arguments.options = value.as_object();
                } else {
                    arguments.positional.push(value);
                }
            }
        }
        arguments
    }

    pub fn label(&self) -> String {
        self.label.clone()
    }

    pub fn argument(&self, index: usize) -> Entry<'a, 'b> {
        Entry { value: self.positional.get(index).copied(), operands: self.operands }
    }

    pub fn option(&self, name: &str) -> Entry<'a, 'b> {
        Entry { value: self.options.and_then(|options| options.get(name)), operands: self.operands }
    }
}

impl<'b> Entry<'_, 'b> {
    fn list<T>(&self, item: impl Fn(&Value) -> T) -> Option<Vec<T>> {
        self.value.map(|value| value.as_array().unwrap().iter().map(item).collect())
    }

    pub fn operand(&self) -> Option<Operand<'b>> {
        self.value.map(|value| self.operands[value.as_str().unwrap()])
    }

    pub fn operands(&self) -> Option<Vec<Operand<'b>>> {
        self.list(|value| self.operands[value.as_str().unwrap()])
    }

    pub fn boolean(&self) -> Option<bool> {
        self.value.map(|value| value.as_bool().unwrap())
    }

    pub fn unsigned(&self) -> Option<u32> {
        self.value.map(|value| value.as_u64().unwrap() as u32)
    }

    pub fn integer(&self) -> Option<i32> {
        self.value.map(|value| value.as_i64().unwrap() as i32)
    }

    pub fn real(&self) -> Option<f64> {
        self.value.map(|value| value.as_f64().unwrap())
    }

    pub fn number(&self) -> Option<Number> {
        self.value.map(number_of)
    }

    pub fn sizes(&self) -> Option<Vec<u32>> {
        self.list(|value| value.as_u64().unwrap() as u32)
    }

    pub fn reals(&self) -> Option<Vec<f32>> {
        self.list(|value| value.as_f64().unwrap() as f32)
    }

    pub fn splits(&self) -> Option<OwnedSplits> {
        self.value.map(|value| match value.as_u64() {
            Some(count) => OwnedSplits::Count(count as u32),
            None => OwnedSplits::Sizes(self.sizes().unwrap()),
        })
    }

    pub fn name<T>(&self, from_name: impl Fn(&str) -> Option<T>) -> Option<T> {
        self.value.map(|value| from_name(value.as_str().unwrap()).unwrap())
    }

    pub fn names<T>(&self, from_name: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
        self.list(|value| from_name(value.as_str().unwrap()).unwrap())
    }
}
