//! Serializes and deserializes enumerations with `serde`, as the specification's names.
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{DataType, InputOperandLayout};

macro_rules! names {
    ($($type:ident)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                $type::from_name(&name).ok_or_else(|| {
                    let names: Vec<_> = $type::ALL.iter().map(|value| value.name()).collect();
                    serde::de::Error::custom(format!("there is no {} \"{name}\"; accepted are {}", stringify!($type), names.join(", ")))
                })
            }
        }
    )*};
}
names! { DataType InputOperandLayout }
