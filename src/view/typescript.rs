//! Keeps web/src/protocol/types.ts consistent with the types here. `SKIDPAD_UPDATE=1 cargo test -p skidpad-view typescript` rewrites it.

use ts_rs::{Config, TS};

use super::channels::{ChannelType, Layout};
use super::editing::*;
use super::messages::*;
use super::parts::PartView;
use super::scene::*;
use super::sensor_data::{ReadingView, ValueView};

#[test]
fn the_page_has_the_same_types() {
    let config = Config::default();
    let mut text =
        String::from("// Made from src/view/ by `SKIDPAD_UPDATE=1 cargo test -p skidpad-view typescript`.\n\n");
    macro_rules! declare {
        ($($kind:ty),* $(,)?) => { $( text += &format!("export {}\n", <$kind>::decl(&config)); )* };
    }
    declare!(
        SceneView,
        PartView,
        VehicleView,
        GhostView,
        WheelView,
        FramesView,
        SensorView,
        SensorTopicView,
        BodyView,
        DrawingView,
        ShapeView,
        TextureView,
        MapView,
        CloudView,
        JointView,
        JointEndView,
        GridView,
        GuiView,
        LightsView,
        ChannelType,
        Layout,
        Greeting,
        RecordingView,
        Mode,
        Status,
        Span,
        Envelope,
        Order,
        WatchedTopic,
        OfVehicles,
        ReadingView,
        ValueView,
        Answer,
        ParameterView,
        Notice,
        EditView,
        OfferView,
        OfferSource,
        DocumentView,
        DescriptionView,
        PropertyView
    );
    text += &super::command::typescript();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/protocol/types.ts");
    if std::env::var_os("SKIDPAD_UPDATE").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), text);
}
