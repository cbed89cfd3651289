// Where the numbers of a state are: channels by name, bodies by index.
import type { Channel, Layout, SceneView } from "./types";

/** Finds values in the `values` of a `Sample`; made once for each scene. */
export class StateLayout {
  /** How many numbers a state has. */
  readonly size: number;
  /** Value of one count, for each number. */
  readonly resolutions: Float64Array;
  private readonly vehicles: number[] = [];
  private readonly blocks: number;
  private readonly planes: number;
  private readonly actors: number;
  private readonly vehicleChannels: Map<string, number>;
  private readonly wheelChannels: Map<string, number>;

  constructor(
    readonly layout: Layout,
    scene: SceneView,
  ) {
    this.vehicleChannels = byName(layout.vehicle);
    this.wheelChannels = byName(layout.wheel);
    const resolutions: number[] = [];
    const add = (channels: Channel[]) => {
      for (const channel of channels) resolutions.push(channel.resolution);
    };
    for (const vehicle of scene.vehicles) {
      this.vehicles.push(resolutions.length);
      add(layout.vehicle);
      for (let wheel = 0; wheel < vehicle.wheels.length; wheel += 1) add(layout.wheel);
    }
    this.blocks = resolutions.length;
    for (let block = 0; block < scene.blocks.length; block += 1) add(layout.pose);
    this.planes = resolutions.length;
    for (let plane = 0; plane < scene.planes.length; plane += 1) add(layout.pose);
    this.actors = resolutions.length;
    for (let actor = 0; actor < scene.actors.length; actor += 1) add(layout.actor);
    this.size = resolutions.length;
    this.resolutions = Float64Array.from(resolutions);
  }

  /** Index of a vehicle's first number: its pose, x y z yaw pitch roll. */
  vehicle(index: number): number {
    return this.vehicles[index] ?? 0;
  }

  /** Index of a channel of a vehicle. */
  vehicleChannel(index: number, name: string): number {
    return this.vehicle(index) + channelOf(this.vehicleChannels, name);
  }

  /** Index of a channel of a wheel. */
  wheelChannel(vehicle: number, wheel: number, name: string): number {
    const before = this.layout.vehicle.length + wheel * this.layout.wheel.length;
    return this.vehicle(vehicle) + before + channelOf(this.wheelChannels, name);
  }

  /** Index of the first number of a block: its pose. */
  block(index: number): number {
    return this.blocks + index * this.layout.pose.length;
  }

  /** Index of the first number of a plane: its pose. */
  plane(index: number): number {
    return this.planes + index * this.layout.pose.length;
  }

  /** Index of the first number of an actor: its pose, gait, clip time. */
  actor(index: number): number {
    return this.actors + index * this.layout.actor.length;
  }
}

function byName(channels: Channel[]): Map<string, number> {
  return new Map(channels.map((channel, index) => [channel.name, index]));
}

function channelOf(channels: Map<string, number>, name: string): number {
  const index = channels.get(name);
  if (index === undefined) throw new Error(`no channel "${name}" in the states of this server`);
  return index;
}
