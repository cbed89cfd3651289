//! The location of a world on Earth. Converts between world coordinates and latitude, longitude and height on the WGS-84 ellipsoid.
//!
//! The world's ground plane is normal to the ellipsoid's normal at the origin: x east, y north, z up (ENU), rotated about z by
//! `world_to_enu_rotation`. In a UTM world x and y are easting and northing instead, and every point is converted by the
//! projection, which includes grid convergence and the scale factor 0.9996. Height is the origin's plus z in both.
//!
//! Geodetic ↔ geocentric: H. Vermeille, J. Geodesy 76, 2002. UTM: Krüger's series to sixth order as C. F. F. Karney,
//! J. Geodesy 85, 2011, has it, with the zones of Norway and Svalbard (NGA.STND.0037). Both are those of crate `geo3d`, in its
//! build on `libm`. Not modelled: the geoid (heights are ellipsoidal, not above sea level), and plate motion.

use geo3d::{Enu, LocalFrame, UtmUps, WGS84};
use skidpad_math::{Rot2, Vec2, Vec3};

/// A position on the WGS-84 ellipsoid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Geodetic {
    /// Latitude [rad], north positive.
    pub latitude: f64,
    /// Longitude [rad], east positive.
    pub longitude: f64,
    /// Height above the ellipsoid [m].
    pub height: f64,
}

impl Geodetic {
    fn to_geo3d(self) -> geo3d::Geodetic {
        geo3d::Geodetic::new(self.latitude.to_degrees(), self.longitude.to_degrees(), self.height)
    }

    /// The place at an offset [m] towards east, north and up.
    pub fn offset(self, enu: Vec3) -> Geodetic {
        Geodetic::of(LocalFrame::new(self.to_geo3d()).geodetic_of(Enu::new(enu.x, enu.y, enu.z)))
    }

    /// Towards east, north and up of here [m]: where another place lies.
    pub fn enu_of(self, other: Geodetic) -> Vec3 {
        let enu = LocalFrame::new(self.to_geo3d()).enu_of(other.to_geo3d());
        Vec3::new(enu.east, enu.north, enu.up)
    }

    fn of(g: geo3d::Geodetic) -> Geodetic {
        Geodetic { latitude: g.lat_deg.to_radians(), longitude: g.lon_deg.to_radians(), height: g.height_m }
    }
}

/// A position on the UTM grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Utm {
    /// Zone, 1 to 60, with the exceptions for Norway and Svalbard.
    pub zone: u8,
    /// Northern hemisphere; in the southern one northings count from 10 000 km south of the equator.
    pub north: bool,
    /// Easting [m]; 500 km on the zone's central meridian.
    pub easting: f64,
    /// Northing [m].
    pub northing: f64,
}

impl Utm {
    /// The grid position of a latitude and longitude in its own zone. None beyond 84° north and 80° south, where UTM ends.
    pub fn of(place: Geodetic) -> Option<Utm> {
        let utm = WGS84.to_utm_ups(place.to_geo3d()).filter(|utm| utm.zone > 0)?;
        Some(Utm { zone: utm.zone, north: utm.north, easting: utm.easting_m, northing: utm.northing_m })
    }
}

/// The location and orientation of the world's origin.
#[derive(Clone, Debug, PartialEq)]
pub struct Georeference {
    origin: Geodetic,
    world_to_enu_rotation: f64,
    enu_from_world: Rot2,
    frame: LocalFrame,
    utm: Option<Utm>,
    is_utm: bool,
}

impl Georeference {
    /// A world whose origin lies at `origin` and whose x axis points `world_to_enu_rotation` [rad] north of east.
    pub fn new(origin: Geodetic, world_to_enu_rotation: f64) -> Georeference {
        Georeference {
            origin,
            world_to_enu_rotation,
            enu_from_world: Rot2::new(world_to_enu_rotation),
            frame: LocalFrame::new(origin.to_geo3d()),
            utm: Utm::of(origin),
            is_utm: false,
        }
    }

    /// A world whose x and y are easting and northing in the zone and hemisphere of `reference`, at whose height z is 0.
    /// None beyond the ends of UTM.
    pub fn of_utm_world(reference: Geodetic) -> Option<Georeference> {
        let plain = Georeference::new(reference, 0.0);
        plain.utm?;
        Some(Georeference { is_utm: true, ..plain })
    }

    /// The location given in the world file: the world's origin, or in a UTM world a point that determines zone and height.
    pub fn origin(&self) -> Geodetic {
        self.origin
    }

    /// Angle [rad] from east to the world's x axis, counter-clockwise.
    pub fn world_to_enu_rotation(&self) -> f64 {
        self.world_to_enu_rotation
    }

    /// Whether x and y of the world are easting and northing.
    pub fn is_utm_world(&self) -> bool {
        self.is_utm
    }

    /// [`Self::origin`] on the UTM grid. None beyond 84° north and 80° south.
    pub fn utm(&self) -> Option<Utm> {
        self.utm
    }

    /// Latitude, longitude and height of a point of the world [m]. In a UTM world they are NaN where the grid of the zone
    /// ends, 400 km and more from its central meridian.
    pub fn geodetic_from_world(&self, point: Vec3) -> Geodetic {
        if let (true, Some(utm)) = (self.is_utm, self.utm) {
            let on_grid = UtmUps::new(utm.zone, utm.north, point.x, point.y);
            let nowhere = geo3d::Geodetic::new(f64::NAN, f64::NAN, f64::NAN);
            let place = WGS84.from_utm_ups(on_grid).unwrap_or(nowhere);
            return Geodetic::of(place.with_height(self.origin.height + point.z));
        }
        let flat = self.enu_from_world * Vec2::new(point.x, point.y);
        Geodetic::of(self.frame.geodetic_of(Enu::new(flat.x, flat.y, point.z)))
    }

    /// The point of the world [m] at this place. In a UTM world x and y are NaN where the grid of the zone ends.
    pub fn world_from_geodetic(&self, place: Geodetic) -> Vec3 {
        if let (true, Some(utm)) = (self.is_utm, self.utm) {
            let z = place.height - self.origin.height;
            return match WGS84.to_utm_ups_zone(place.to_geo3d(), utm.zone) {
                // A world that crosses the equator keeps its own hemisphere's northings.
                Some(at) => {
                    let shift = 1e7 * (f64::from(u8::from(at.north)) - f64::from(u8::from(utm.north)));
                    Vec3::new(at.easting_m, at.northing_m + shift, z)
                }
                None => Vec3::new(f64::NAN, f64::NAN, z),
            };
        }
        let enu = self.frame.enu_of(place.to_geo3d());
        let flat = self.enu_from_world.inverse() * Vec2::new(enu.east, enu.north);
        Vec3::new(flat.x, flat.y, enu.up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn degrees(latitude: f64, longitude: f64, height: f64) -> Geodetic {
        Geodetic { latitude: latitude.to_radians(), longitude: longitude.to_radians(), height }
    }

    /// 53°48'33.820" N, 2°07'46.380" E, 73 m: the example point of IOGP 373-7-2 (EPSG Guidance Note 7, part 2), §4.1.
    fn iogp_point() -> Geodetic {
        degrees(53.0 + 48.0 / 60.0 + 33.820 / 3600.0, 2.0 + 7.0 / 60.0 + 46.380 / 3600.0, 73.0)
    }

    #[test]
    fn the_published_topocentric_example_is_reproduced() {
        // IOGP 373-7-2, §4.1.3: from an origin at 55° N, 5° E, 200 m.
        let world = Georeference::new(degrees(55.0, 5.0, 200.0), 0.0);
        let actual = world.world_from_geodetic(iogp_point());
        assert!((actual - Vec3::new(-189_013.869, -128_642.040, -4_220.171)).norm() < 1e-3, "{actual}");
        let geocentric = WGS84.to_ecef(iogp_point().to_geo3d());
        let published = [3_771_793.968, 140_253.342, 5_124_304.349];
        assert!(geocentric.to_array().iter().zip(published).all(|(a, b)| (a - b).abs() < 1e-3), "{geocentric:?}");
    }

    #[test]
    fn published_utm_points_are_reproduced() {
        // 1: the manual page of GeographicLib's GeoConvert. 2: C. Veness, Geodesy functions, the Eiffel tower. 3 and 4: EPSG
        // 32756 and 32633 by PROJ 9.
        for (place, zone, north, easting, northing, tolerance) in [
            (degrees(33.3, 44.4, 0.0), 38, true, 444_140.54, 3_684_706.36, 6e-3),
            (degrees(48.8582, 2.2945, 0.0), 31, true, 448_251.795, 5_411_932.678, 6e-4),
            (degrees(-33.857, 151.215, 0.0), 56, false, 334_873.198_834, 6_252_266.091_823, 1e-6),
            (degrees(78.22, 15.65, 0.0), 33, true, 514_813.527_264, 8_683_004.153_277, 1e-6),
        ] {
            let actual = Utm::of(place).expect("on the grid");
            assert_eq!((actual.zone, actual.north), (zone, north));
            let off = (actual.easting - easting).hypot(actual.northing - northing);
            assert!(off < 1.5 * tolerance, "{actual:?}: {off}");
        }
    }

    #[test]
    fn zones_have_their_edges_and_exceptions() {
        let zone = |latitude: f64, longitude: f64| Utm::of(degrees(latitude, longitude, 0.0)).map(|utm| utm.zone);
        assert_eq!([zone(10.0, -180.0), zone(10.0, 5.999_999), zone(10.0, 6.000_001)], [Some(1), Some(31), Some(32)]);
        // Bergen lies in 32 although its meridian is that of 31; Svalbard has only the odd zones.
        assert_eq!([zone(60.4, 5.3), zone(55.9, 5.3), zone(78.22, 15.65)], [Some(32), Some(31), Some(33)]);
        assert_eq!([zone(78.0, 8.9), zone(78.0, 9.1)], [Some(31), Some(33)]);
        assert_eq!([zone(84.1, 0.0), zone(-80.1, 0.0)], [None, None]);
        assert!(Georeference::of_utm_world(degrees(85.0, 0.0, 0.0)).is_none());
    }

    #[test]
    fn conversions_are_inverse_within_100_km() {
        for (latitude, longitude) in
            [(36.9, -2.3), (-33.9, 151.2), (0.01, 0.0), (-0.01, 179.99), (79.0, 15.0), (89.9, 3.0)]
        {
            let origin = degrees(latitude, longitude, 200.0);
            let mut worlds = vec![Georeference::new(origin, 0.3), Georeference::new(origin, -2.0)];
            worlds.extend(Georeference::of_utm_world(origin));
            for world in worlds {
                let start = world.world_from_geodetic(origin);
                for (x, y, z) in [(0.0, 0.0, 0.0), (1e5, -3e4, 50.0), (-7e4, 7e4, -10.0), (3e4, 1e5, 900.0)] {
                    let point = start + Vec3::new(x, y, z);
                    let place = world.geodetic_from_world(point);
                    let back = world.world_from_geodetic(place);
                    assert!((back - point).norm() < 1e-6, "{world:?}: {back} for {point}");
                    let again = world.geodetic_from_world(back);
                    let turned = (again.longitude - place.longitude) * libm::cos(place.latitude);
                    assert!((again.latitude - place.latitude).abs() < 1e-12 && turned.abs() < 1e-12);
                    assert!((again.height - place.height).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn the_world_turns_about_its_origin() {
        let origin = degrees(36.894_718, -2.316_988, 200.0);
        // Its x axis points to the north.
        let world = Georeference::new(origin, std::f64::consts::FRAC_PI_2);
        let place = world.geodetic_from_world(Vec3::new(100.0, 0.0, 1.0));
        // A meridian arc of 100 m over the radius of curvature M + h.
        let sin = libm::sin(origin.latitude);
        let w = 1.0 - WGS84.e2() * sin * sin;
        let radius = WGS84.a() * (1.0 - WGS84.e2()) / (w * w.sqrt()) + origin.height;
        assert!((place.latitude - origin.latitude - 100.0 / radius).abs() < 1e-10, "{place:?}");
        assert!((place.longitude - origin.longitude).abs() < 1e-15);
        assert!((place.height - 201.0).abs() < 1e-2);
    }

    #[test]
    fn a_utm_world_has_grid_coordinates() {
        let place = degrees(48.8582, 2.2945, 35.0);
        let world = Georeference::of_utm_world(place).expect("on the grid");
        let at = world.world_from_geodetic(Geodetic { height: 38.0, ..place });
        assert!((at - Vec3::new(448_251.795, 5_411_932.678, 3.0)).norm() < 1e-3, "{at}");
        let back = world.geodetic_from_world(at);
        assert!((back.latitude - place.latitude).abs() < 1e-14 && (back.height - 38.0).abs() < 1e-9);
        // South of the equator a northern world counts on below zero.
        let equator = Georeference::of_utm_world(degrees(0.1, 3.0, 0.0)).expect("on the grid");
        let south = equator.world_from_geodetic(degrees(-0.1, 3.0, 0.0));
        assert!((south.x - 5e5).abs() < 1e-6 && (south.y + 11_053.0).abs() < 10.0, "{south}");
        assert!(equator.geodetic_from_world(Vec3::new(5e6, 0.0, 0.0)).latitude.is_nan());
    }
}
