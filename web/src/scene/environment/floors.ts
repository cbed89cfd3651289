// The floors under a pointer: terrain and planes, or else the height 0.
import { type BufferGeometry, type Matrix4, Mesh, MeshBasicMaterial, type Ray, Raycaster, Vector3 } from "three";
import { sideOf } from "../bodies/materials";

/** Where a ray meets the ground. */
export interface Footing {
  point: Vector3;
  /** Whether something is there; otherwise it is the height 0. */
  isOn: boolean;
}

/** The horizontal extent of a floor. */
export interface Frame {
  readonly matrix: Matrix4;
}

interface Floor {
  mesh: Mesh<BufferGeometry, MeshBasicMaterial>;
  body: Frame;
  local: Matrix4;
}

/** Finds the ground under a ray. */
export class Floors {
  private readonly floors: Floor[] = [];
  private readonly caster = new Raycaster();

  /** @param cull which faces are not drawn; rays pass through those */
  add(geometry: BufferGeometry, body: Frame, local: Matrix4, cull: string): void {
    const mesh = new Mesh(geometry, new MeshBasicMaterial({ side: sideOf(cull) }));
    this.floors.push({ mesh, body, local });
  }

  /** Where a ray meets terrain or a plane, which may lie below the height 0, or else that height. */
  under(ray: Ray): Footing | undefined {
    for (const { mesh, body, local } of this.floors) mesh.matrixWorld.multiplyMatrices(body.matrix, local);
    this.caster.ray.copy(ray);
    const meshes = this.floors.map(({ mesh }) => mesh);
    const hit = this.caster.intersectObjects(meshes, false)[0]?.point;
    if (hit) return { point: hit, isOn: true };
    if (ray.direction.z > -1e-9) return undefined;
    return { point: ray.at(-ray.origin.z / ray.direction.z, new Vector3()), isOn: false };
  }

  dispose(): void {
    for (const { mesh } of this.floors) mesh.material.dispose();
  }
}
