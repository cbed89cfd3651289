"""ros2 action: list, info, send_goal."""

import rclpy
from action_msgs.msg import GoalStatus
from rclpy.action import ActionClient

import graph
import messages
from problem import Problem

STATES = {
    GoalStatus.STATUS_SUCCEEDED: "SUCCEEDED",
    GoalStatus.STATUS_CANCELED: "CANCELED",
    GoalStatus.STATUS_ABORTED: "ABORTED",
}


def add_commands(commands):
    verbs = commands.add_parser("action", help="actions: list, info, send_goal").add_subparsers(dest="verb", metavar="VERB", required=True)
    verb = verbs.add_parser("list", help="names of all actions")
    verb.add_argument("-t", "--show-types", action="store_true", help="with their types")
    verb.set_defaults(act=list_actions)
    verb = verbs.add_parser("info", help="type of an action")
    verb.add_argument("name")
    verb.set_defaults(act=info)
    verb = verbs.add_parser("send_goal", help="sends a goal and waits for its result")
    verb.add_argument("name")
    verb.add_argument("type")
    verb.add_argument("values", help="fields of the goal as YAML")
    verb.add_argument("-f", "--feedback", action="store_true", help="prints the feedback too")
    verb.set_defaults(act=send_goal)


def list_actions(arguments):
    with graph.a_node() as node:
        for name, kinds in sorted(graph.settled(lambda: graph.actions(node)).items()):
            print("{} [{}]".format(name, ", ".join(kinds)) if arguments.show_types else name)


def info(arguments):
    name = graph.absolute(arguments.name)
    with graph.a_node() as node:
        print("Action: {}\nType: {}".format(name, ", ".join(graph.wait_for(name, "action", lambda: graph.actions(node)))))


def send_goal(arguments):
    kind = messages.load(arguments.type, "action")
    goal = kind.Goal()
    messages.fill(goal, messages.parse(arguments.values, "values"), kind.__name__)
    name = graph.absolute(arguments.name)
    with graph.a_node() as node:
        client = ActionClient(node, kind, name)
        try:
            graph.wait_for_server(client.wait_for_server, name, lambda: graph.actions(node))
            print("Sending goal:\n{}".format(messages.shown(goal)), flush=True)
            feedback = (lambda message: print("Feedback:\n" + messages.shown(message.feedback), flush=True)) if arguments.feedback else None
            handle = graph.future_result(node, client.send_goal_async(goal, feedback_callback=feedback), 60.0, name)
            if not handle.accepted:
                raise Problem(name, "the goal was rejected")
            print("Goal accepted with ID: {}\n".format(bytes(handle.goal_id.uuid).hex()), flush=True)
            future = handle.get_result_async()
            try:
                rclpy.spin_until_future_complete(node, future)
            except KeyboardInterrupt:
                graph.future_result(node, handle.cancel_goal_async(), 5.0, name)
                raise
            result = future.result()
            print("Result:\n{}\nGoal finished with status: {}".format(messages.shown(result.result), STATES.get(result.status, result.status)))
        finally:
            client.destroy()
