//! `vision_msgs`: detections as trackers and evaluations read them, here of what is truly there.

use super::standard::{Header, Pose, PoseWithCovariance, Vector3};

messages! {
    Point2D = "vision_msgs/msg/Point2D" [Copy] {
        /// x.
        x: f64,
        /// y.
        y: f64,
    }

    Pose2D = "vision_msgs/msg/Pose2D" [Copy] {
        /// Position.
        position: Point2D,
        /// Orientation [rad].
        theta: f64,
    }

    BoundingBox2D = "vision_msgs/msg/BoundingBox2D" [Copy] {
        /// Centre and orientation, in pixels.
        center: Pose2D,
        /// Width [pixels].
        size_x: f64,
        /// Height [pixels].
        size_y: f64,
    }

    BoundingBox3D = "vision_msgs/msg/BoundingBox3D" [Copy] {
        /// Centre and orientation [m].
        center: Pose,
        /// Size along the axes of the box [m].
        size: Vector3,
    }

    ObjectHypothesis = "vision_msgs/msg/ObjectHypothesis" {
        /// Class.
        class_id: String,
        /// Confidence [-].
        score: f64,
    }

    ObjectHypothesisWithPose = "vision_msgs/msg/ObjectHypothesisWithPose" {
        /// Class and confidence.
        hypothesis: ObjectHypothesis,
        /// Pose of the object.
        pose: PoseWithCovariance,
    }

    Detection2D = "vision_msgs/msg/Detection2D" {
        /// Time stamp and frame.
        header: Header,
        /// Classes.
        results: Vec<ObjectHypothesisWithPose>,
        /// Box in the picture.
        bbox: BoundingBox2D,
        /// Name of the object.
        id: String,
    }

    Detection2DArray = "vision_msgs/msg/Detection2DArray" {
        /// Time stamp and frame of the camera.
        header: Header,
        /// The detections.
        detections: Vec<Detection2D>,
    }

    Detection3D = "vision_msgs/msg/Detection3D" {
        /// Time stamp and frame.
        header: Header,
        /// Classes.
        results: Vec<ObjectHypothesisWithPose>,
        /// Box around the object.
        bbox: BoundingBox3D,
        /// Name of the object.
        id: String,
    }

    Detection3DArray = "vision_msgs/msg/Detection3DArray" {
        /// Time stamp and frame.
        header: Header,
        /// The detections.
        detections: Vec<Detection3D>,
    }
}

/// The certain hypothesis that something has this class and pose.
pub(super) fn certain(class: &str, pose: Pose) -> ObjectHypothesisWithPose {
    ObjectHypothesisWithPose {
        hypothesis: ObjectHypothesis { class_id: class.to_owned(), score: 1.0 },
        pose: PoseWithCovariance { pose, ..PoseWithCovariance::default() },
    }
}
