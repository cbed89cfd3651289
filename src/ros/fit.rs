//! Makes messages fit for ROS, whose strings end at their first NUL: everything that this crate sends goes through here.
//!
//! The client library panics on a NUL within a text, and where it answers a call it holds a lock then, so that the whole node falls.
//! Texts hold what files and peers wrote, such as the line of a file that an error quotes, so any of them may have one.

use std::borrow::Cow;
use std::fmt;

use r2r::{Publisher, ServiceRequest, WrappedServiceTypeSupport, WrappedTypesupport};
use serde::ser::{self, Serialize};

/// What sending fails with that cannot be made fit.
const UNFIT: r2r::Error = r2r::Error::RCL_RET_INVALID_ARGUMENT;
/// What stands for a NUL: the replacement character, as for everything that is no text.
const REPLACEMENT: &str = "\u{FFFD}";

/// The message as it can be sent: itself, or a copy in which every NUL in a text is replaced; none where that cannot be done, as for
/// one that also has numbers that are not finite.
fn fit<T: WrappedTypesupport>(message: &T) -> Option<Cow<'_, T>> {
    if message.serialize(Search).is_ok() {
        return Some(Cow::Borrowed(message));
    }
    let mut value = serde_json::to_value(message).ok()?;
    replace(&mut value);
    serde_json::from_value(value).ok().map(Cow::Owned)
}

/// Publishes the message, made fit.
pub fn publish<T: WrappedTypesupport + 'static>(publisher: &Publisher<T>, message: &T) -> r2r::Result<()> {
    publisher.publish(&*fit(message).ok_or(UNFIT)?)
}

/// Answers a call with the response, made fit.
pub fn respond<S: WrappedServiceTypeSupport + 'static>(
    call: ServiceRequest<S>,
    response: S::Response,
) -> r2r::Result<()> {
    let fitting = match fit(&response).ok_or(UNFIT)? {
        Cow::Borrowed(_) => None,
        Cow::Owned(fitting) => Some(fitting),
    };
    call.respond(fitting.unwrap_or(response))
}

fn replace(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::String(text) => *text = text.replace('\0', REPLACEMENT),
        serde_json::Value::Array(values) => values.iter_mut().for_each(replace),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(replace),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => {}
    }
}

/// Looks through the texts of a message and fails at the first NUL; numbers cost nothing.
struct Search;

#[derive(Debug)]
struct HasNul;

impl fmt::Display for HasNul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a NUL within a text")
    }
}

impl std::error::Error for HasNul {}

impl ser::Error for HasNul {
    fn custom<T: fmt::Display>(_: T) -> HasNul {
        HasNul
    }
}

/// What holds no text.
macro_rules! passes {
    ($($method:ident($kind:ty)),* $(,)?) => {
        $(fn $method(self, _: $kind) -> Result<(), HasNul> {
            Ok(())
        })*
    };
}

impl ser::Serializer for Search {
    type Ok = ();
    type Error = HasNul;
    type SerializeSeq = Search;
    type SerializeTuple = Search;
    type SerializeTupleStruct = Search;
    type SerializeTupleVariant = Search;
    type SerializeMap = Search;
    type SerializeStruct = Search;
    type SerializeStructVariant = Search;

    passes! {
        serialize_bool(bool), serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64), serialize_u8(u8),
        serialize_u16(u16), serialize_u32(u32), serialize_u64(u64), serialize_f32(f32), serialize_f64(f64), serialize_char(char),
        serialize_bytes(&[u8]), serialize_unit_struct(&'static str),
    }

    fn serialize_str(self, text: &str) -> Result<(), HasNul> {
        if text.contains('\0') { Err(HasNul) } else { Ok(()) }
    }

    fn serialize_none(self) -> Result<(), HasNul> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), HasNul> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), HasNul> {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), HasNul> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), HasNul> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), HasNul> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Search, HasNul> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Search, HasNul> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Search, HasNul> {
        Ok(self)
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Search, HasNul> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Search, HasNul> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Search, HasNul> {
        Ok(self)
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Search, HasNul> {
        Ok(self)
    }
}

/// What holds further values: each is looked through in its turn.
macro_rules! holds {
    ($($kind:ident: $method:ident($($name:ty)?)),* $(,)?) => {
        $(impl ser::$kind for Search {
            type Ok = ();
            type Error = HasNul;

            fn $method<T: Serialize + ?Sized>(&mut self, $(_: $name,)? value: &T) -> Result<(), HasNul> {
                value.serialize(Search)
            }

            fn end(self) -> Result<(), HasNul> {
                Ok(())
            }
        })*
    };
}

holds! {
    SerializeSeq: serialize_element(), SerializeTuple: serialize_element(), SerializeTupleStruct: serialize_field(),
    SerializeTupleVariant: serialize_field(), SerializeStruct: serialize_field(&'static str),
    SerializeStructVariant: serialize_field(&'static str),
}

impl ser::SerializeMap for Search {
    type Ok = ();
    type Error = HasNul;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), HasNul> {
        key.serialize(Search)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), HasNul> {
        value.serialize(Search)
    }

    fn end(self) -> Result<(), HasNul> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use r2r::diagnostic_msgs::msg::{DiagnosticArray, DiagnosticStatus, KeyValue};
    use r2r::sensor_msgs::msg::LaserScan;
    use r2r::std_msgs::msg::String as Text;

    use super::*;

    #[test]
    fn what_fits_is_sent_as_it_is() {
        let scan = LaserScan { ranges: vec![f32::INFINITY, f32::NAN, 1.0], ..LaserScan::default() };
        assert!(matches!(fit(&scan), Some(Cow::Borrowed(same)) if std::ptr::eq(same, &scan)));
        assert!(matches!(fit(&Text { data: "a\n\u{1b}ü".to_owned() }), Some(Cow::Borrowed(_))));
    }

    #[test]
    fn every_text_of_a_message_is_made_fit_however_deep() {
        let value = KeyValue { key: "k\0".to_owned(), value: "v".to_owned() };
        let status =
            DiagnosticStatus { level: 2, message: "\0m\0".to_owned(), values: vec![value], ..Default::default() };
        let array = DiagnosticArray { status: vec![DiagnosticStatus::default(), status], ..Default::default() };
        let fitting = fit(&array).unwrap().into_owned();
        assert_eq!(fitting.status[0], array.status[0]);
        assert_eq!((fitting.status[1].level, fitting.status[1].message.as_str()), (2, "\u{FFFD}m\u{FFFD}"));
        assert_eq!(fitting.status[1].values[0].key, "k\u{FFFD}");
    }

    #[test]
    fn what_cannot_be_made_fit_is_not_sent() {
        let mut scan = LaserScan { ranges: vec![f32::NAN], ..LaserScan::default() };
        scan.header.frame_id = "\0".to_owned();
        assert!(fit(&scan).is_none());
    }
}
