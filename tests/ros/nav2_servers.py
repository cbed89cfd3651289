"""nav2's servers as a scenario sees them: actions that drive a robot to its goals, and managed nodes, by a stand-in of a few lines.

Written from the definitions of the actions of nav2_msgs 1.3 and the services of managed nodes.
"""

import math
import threading

import rclpy
from geometry_msgs.msg import PoseWithCovarianceStamped, TransformStamped, Twist
from lifecycle_msgs.srv import ChangeState, GetState
from nav2_msgs.action import FollowPath, FollowWaypoints, NavigateToPose
from nav2_msgs.msg import MissedWaypoint
from nav_msgs.msg import Odometry
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.context import Context
from rclpy.executors import MultiThreadedExecutor
from tf2_msgs.msg import TFMessage

STATES = {"configure": "inactive", "activate": "active", "deactivate": "inactive", "cleanup": "unconfigured"}


def yaw_of(q):
    return math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z))


class Servers:
    """The servers of one robot in `namespace`, whose odometry starts at `start` (x, y, yaw) of the map. `fails` has the kinds of goals that are
    given up (`abort`) or not accepted (`reject`); `state` is that of bt_navigator."""

    def __init__(self, domain, namespace, start, fails=(), state="active", recoveries=0):
        self.start, self.fails, self.state, self.recoveries = start, set(fails), state, recoveries
        self.initial_poses, self.goals, self.pose = [], [], None
        self.motion = threading.Condition()
        self.context = Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.node = node = rclpy.create_node("bt_navigator", namespace=namespace, context=self.context)
        group = ReentrantCallbackGroup()
        decide = {
            "goal_callback": lambda _: GoalResponse.REJECT if "reject" in self.fails else GoalResponse.ACCEPT,
            "cancel_callback": lambda _: CancelResponse.ACCEPT, "callback_group": group,
        }
        self.servers = [
            ActionServer(node, NavigateToPose, "navigate_to_pose", self.navigate, **decide),
            ActionServer(node, FollowWaypoints, "follow_waypoints", self.follow, **decide),
            ActionServer(node, FollowPath, "follow_path", self.follow_path, **decide),
        ]
        node.create_service(GetState, "bt_navigator/get_state", self.tell_state)
        node.create_service(ChangeState, "bt_navigator/change_state", self.change_state)
        node.declare_parameter("speed", 1.0)
        node.create_subscription(Odometry, "odom", self.hear, 10, callback_group=group)
        node.create_subscription(PoseWithCovarianceStamped, "initialpose", self.initial_poses.append, 10)
        self.commands = node.create_publisher(Twist, "cmd_vel", 10)
        self.transforms = node.create_publisher(TFMessage, "tf", 100)
        self.executor = MultiThreadedExecutor(num_threads=4, context=self.context)
        self.executor.add_node(node)
        self.thread = threading.Thread(target=self.executor.spin)
        self.thread.start()

    def close(self):
        self.executor.shutdown(0)
        with self.motion:
            self.motion.notify_all()
        rclpy.shutdown(context=self.context)
        self.thread.join()

    def hear(self, odometry):
        x0, y0, yaw0 = self.start
        at, c, s = odometry.pose.pose.position, math.cos(yaw0), math.sin(yaw0)
        with self.motion:
            self.pose = x0 + c * at.x - s * at.y, y0 + s * at.x + c * at.y, yaw0 + yaw_of(odometry.pose.pose.orientation)
            self.motion.notify_all()
        # A localisation that knows the start.
        transform = TransformStamped()
        transform.header.stamp, transform.header.frame_id = odometry.header.stamp, "map"
        transform.child_frame_id = odometry.header.frame_id
        transform.transform.translation.x, transform.transform.translation.y = x0, y0
        transform.transform.rotation.z, transform.transform.rotation.w = math.sin(yaw0 / 2), math.cos(yaw0 / 2)
        self.transforms.publish(TFMessage(transforms=[transform]))

    def tell_state(self, _request, response):
        response.current_state.label = self.state
        return response

    def change_state(self, request, response):
        self.state, response.success = STATES[request.transition.label], True
        return response

    def drive(self, handle, goal, tell):
        """Drives there; returns whether the robot is there, otherwise the goal was cancelled."""
        while self.context.ok() and not handle.is_cancel_requested:
            with self.motion:
                self.motion.wait(1)
                x, y, yaw = self.pose or (0.0, 0.0, 0.0)
            dx, dy = goal.pose.position.x - x, goal.pose.position.y - y
            left = math.hypot(dx, dy)
            tell(left)
            command = Twist()
            if left < 0.1:
                self.commands.publish(command)
                return True
            turn = math.remainder(math.atan2(dy, dx) - yaw, math.tau)
            speed = self.node.get_parameter("speed").value
            command.linear.x, command.angular.z = (speed if abs(turn) < 0.5 else 0.0), 2.0 * turn
            self.commands.publish(command)
        self.commands.publish(Twist())
        return False

    def navigate(self, handle):
        self.goals.append(handle.request)

        def tell(left):
            feedback = NavigateToPose.Feedback(number_of_recoveries=self.recoveries, distance_remaining=left)
            handle.publish_feedback(feedback)

        if "abort" in self.fails:
            tell(9.0)
            handle.abort()
            return NavigateToPose.Result(error_code=9003, error_msg="took too long")
        handle.succeed() if self.drive(handle, handle.request.pose, tell) else handle.canceled()
        return NavigateToPose.Result()

    def follow(self, handle):
        self.goals.append(handle.request)
        result = FollowWaypoints.Result()
        for index, pose in enumerate(handle.request.poses):
            handle.publish_feedback(FollowWaypoints.Feedback(current_waypoint=index))
            if "abort" in self.fails:
                result.missed_waypoints.append(MissedWaypoint(index=index, goal=pose, error_code=201))
            elif not self.drive(handle, pose, lambda left: None):
                handle.canceled()
                return result
        handle.succeed()
        return result

    def follow_path(self, handle):
        self.goals.append(handle.request)
        tell = lambda left: handle.publish_feedback(FollowPath.Feedback(distance_to_goal=left))  # noqa: E731
        if all(self.drive(handle, pose, tell) for pose in handle.request.path.poses):
            handle.succeed()
        else:
            handle.canceled()
        return FollowPath.Result()
