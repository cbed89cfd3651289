// Meshes of actors: figures that move by clips, and wheels that roll. Sensors see the same: the laws are those of
// src/sim/world/surroundings/figures.rs, src/files/mesh/rig.rs, and `actor_from_rolling` in src/sim/world/drawing/mod.rs.
import { type AnimationAction, AnimationMixer, type Matrix4, type Object3D, SkinnedMesh } from "three";
import { Rigid } from "./batch";
import type { MeshContent } from "./meshes";
import { matrixOf, poseMatrix } from "./pose";

/** A copy of a mesh file's tree, which moves by one of its clips at a time. */
export class Figure {
  private readonly mixer: AnimationMixer;
  private readonly actions: AnimationAction[] = [];

  /**
   * @param root a copy of the tree of the file
   * @param clips those of the file
   * @param names of the clips to stand, walk and run; instead of one that the file does not have its first is played
   */
  constructor(
    readonly root: Object3D,
    clips: MeshContent["clips"],
    names: readonly string[],
  ) {
    this.mixer = new AnimationMixer(root);
    for (const name of names) {
      const clip = clips.find((candidate) => candidate.name === name) ?? clips[0];
      if (!clip) continue;
      const action = this.mixer.clipAction(clip);
      action.play();
      action.weight = 0;
      this.actions.push(action);
    }
  }

  /** Takes the pose at a time of the clip of a gait [s]. */
  pose(gait: number, time: number): void {
    const current = this.actions[Math.min(gait, this.actions.length - 1)];
    if (!current) return;
    for (const action of this.actions) action.weight = action === current ? 1 : 0;
    current.time = time % (current.getClip().duration || 1);
    this.mixer.update(0);
  }

  dispose(): void {
    this.mixer.stopAllAction();
    this.root.removeFromParent();
    // Geometry and materials are those of the file; the bones are its own.
    this.root.traverse((object) => object instanceof SkinnedMesh && object.skeleton.dispose());
  }
}

/** A wheel of an actor. */
export class RollingWheel {
  readonly body = new Rigid();

  /**
   * @param pose of the mesh on the actor: the axle goes through its origin, along the actor's y
   * @param radius [m]
   */
  constructor(
    private readonly pose: readonly number[],
    private readonly radius: number,
  ) {}

  /** From the mesh to the wheel, which has the axes of the actor before it rolls. */
  get wheelFromMesh(): Matrix4 {
    return matrixOf([0, 0, 0, ...this.pose.slice(3)]);
  }

  /** Turns it as it has rolled over this distance [m], on an actor that is here. */
  place(actor: Matrix4, distance: number): void {
    const [x = 0, y = 0, z = 0] = this.pose;
    const { matrix } = this.body;
    poseMatrix(x, y, z, 0, distance / this.radius, 0, matrix).premultiply(actor);
    this.body.place();
  }
}
