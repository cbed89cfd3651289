//! What touches a vehicle: skidpad's own messages, field by field as in `msg/`, what fills them, and their topics.

use skidpad_math::Vec3;
use skidpad_math::time::SimTime;
use skidpad_sim::sensor;

use super::super::fill::{header, stamp, vector};
use super::super::{Announce, Bool, Header, Vector3};
use super::{Length, TopicList};

messages! {
    Contact = "skidpad/msg/Contact" {
        /// Name of the other body.
        body: String,
        /// Where they touch [m].
        position: Vector3 as "geometry_msgs/Point position",
        /// From the other body to the vehicle [-].
        normal: Vector3,
        /// Greatest force on the vehicle along the normal [N].
        force: f64,
        /// Impulse on the vehicle [N·s].
        impulse: Vector3,
    }

    Contacts = "skidpad/msg/Contacts" {
        /// Time stamp and frame.
        header: Header,
        /// The contacts since the last message.
        contacts: Vec<Contact>,
    }
}

/// No contacts of a sensor with this frame.
pub fn contacts(frame: &str) -> Contacts {
    Contacts { header: header(SimTime::ZERO, frame), contacts: Vec::new() }
}

/// The contacts of a sample.
pub fn fill_contacts(time: SimTime, felt: &[sensor::Contact], message: &mut Contacts) {
    message.header.stamp = stamp(time);
    message.contacts.resize_with(felt.len(), Contact::default);
    let in_message = |v: Vec3| vector(v.x, v.y, v.z);
    for (contact, felt) in message.contacts.iter_mut().zip(felt) {
        contact.body.clear();
        contact.body.push_str(&felt.other);
        contact.position = in_message(felt.position);
        contact.normal = in_message(felt.normal);
        contact.force = felt.force;
        contact.impulse = in_message(felt.impulse);
    }
}

/// What touches the sensor, and whether anything does.
pub(super) fn announce<A: Announce>(list: &mut TopicList<'_, A>) -> Result<(), A::Error> {
    list.add(Length::Small, contacts(list.frame), |sample, message| {
        let sensor::ReadingData::Contacts(felt) = sample.data else { return false };
        fill_contacts(sample.time, felt, message);
        true
    })?;
    list.add(Length::Small, Bool::default(), |sample, message| {
        let sensor::ReadingData::Contacts(felt) = sample.data else { return false };
        message.data = !felt.is_empty();
        true
    })
}
