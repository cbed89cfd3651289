//! `<georeference>`: the location of the world on Earth.
//!
//! ```xml
//! <georeference>
//!   <latitude>…</latitude> <longitude>…</longitude>   WGS-84, of the world's origin [deg], −90 to 90, −360 to 360
//!   <height>0</height>                                above the ellipsoid, where z is 0 [m]
//!   <world_to_enu_rotation_deg>0</world_to_enu_rotation_deg>  0: x points east, 90: north [deg]
//!   <world_is_utm>false</world_is_utm>                true: x and y are easting and northing in the zone of the place above
//! </georeference>
//! ```
//! If only one of latitude and longitude is given, the other is 0; without both the world has no location on Earth.

use skidpad_xml::{Accept, Place, Reader};

use super::Builder;
use crate::georeference::{Geodetic, Georeference};
use crate::sensor::gnss;

impl Builder<'_> {
    pub(super) fn georeference(&mut self, reader: &Reader<'_>) {
        let given = [reader.has("latitude"), reader.has("longitude")];
        let origin = Geodetic {
            latitude: reader.degrees("latitude", 0.0, Accept::range(-90.0, 90.0)),
            longitude: reader.degrees("longitude", 0.0, Accept::range(-360.0, 360.0)),
            height: reader.f64("height", 0.0, Accept::range(-1e6, 1e6)),
        };
        let rotation = reader.degrees("world_to_enu_rotation_deg", 0.0, Accept::any());
        if reader.bool("world_is_utm", false) {
            if given != [true, true] {
                reader
                    .error_at("world_is_utm", "<world_is_utm> without <latitude> and <longitude>")
                    .hint("they determine the UTM zone and hemisphere of the coordinates of the world");
            } else if rotation != 0.0 {
                reader
                    .error_at("world_to_enu_rotation_deg", "<world_to_enu_rotation_deg> in a world with <world_is_utm>")
                    .accepted(["0"])
                    .hint("the x axis of UTM coordinates is grid east");
            } else {
                self.georeference = Georeference::of_utm_world(origin);
                if self.georeference.is_none() {
                    reader
                        .error_at("latitude", "<world_is_utm> beyond the ends of UTM")
                        .accepted(["latitudes from -80 to 84"]);
                }
            }
        } else if given == [false, false] {
            reader.warn("<georeference> without <latitude> and <longitude>: the world has no place on Earth");
        } else {
            self.georeference = Some(Georeference::new(origin, rotation));
        }
        reader.finish();
    }

    /// Warns of satellite receivers in a world without a place on Earth.
    pub(super) fn check_receivers(&self) {
        if let (Some(place), None) = (&self.first_receiver, &self.georeference) {
            self.context
                .warn(place, "<sensor class=\"gnss\"> in a world without a place on Earth: it has no fix")
                .hint("<georeference> with <latitude> and <longitude> places the world");
        }
    }
}

/// The place in the file of the first satellite receiver among the sensors of a vehicle.
pub(super) fn place_of_receiver(vehicle: &Reader<'_>) -> Option<Place> {
    let mut sensors = vehicle.children("sensor").into_iter();
    let receiver = sensors.find(|sensor| sensor.attribute("class").is_some_and(|class| class == gnss::ENTRY.name))?;
    Some(receiver.place().clone())
}
