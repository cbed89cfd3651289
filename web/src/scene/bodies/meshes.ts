// Mesh files: read once each, by loaders that are fetched when the first file of their kind is needed.
import {
  type AnimationClip,
  type BufferGeometry,
  FrontSide,
  type Group,
  LoadingManager,
  type Material,
  Matrix4,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  SkinnedMesh,
  Texture,
} from "three";
import { type Role, roleOf } from "../environment/lamps";
import { merged } from "./merging";
import { Shelf } from "./shelf";

/** A surface of a mesh file. */
export interface Piece {
  geometry: BufferGeometry;
  material: Material;
  /** What its material stands for, if that is more than a look. */
  role: Role | undefined;
  /** Which faces its file has nothing to see on, as in drawings. */
  cull: "none" | "back";
  /** From the surface's own frame to that of the file. */
  matrix: Matrix4;
}

/** Content of a mesh file. */
export interface MeshContent {
  pieces: Piece[];
  /** The same as a tree, for what moves within itself. */
  root: Object3D;
  clips: AnimationClip[];
}

/** Reads mesh files, and keeps them. */
export class MeshLibrary {
  readonly contents = new Shelf<MeshContent>(freeMesh);

  /** @param url makes an address of a path of the scene document */
  constructor(private readonly url: (path: string) => string) {}

  /** The content of a file; rejected if it cannot be loaded or read. */
  load(path: string, format: string): Promise<MeshContent> {
    return this.contents.get(path, () => this.read(path, format).then((read) => contentOf(read, format)));
  }

  private async read(path: string, format: string): Promise<{ root: Object3D; clips: AnimationClip[] }> {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const manager = new LoadingManager();
    manager.setURLModifier((address) => this.besides(folder, address));
    switch (format) {
      case "dae": {
        const { ColladaLoader } = await import("three/examples/jsm/loaders/ColladaLoader.js");
        const text = await this.text(path);
        const collada = new ColladaLoader(manager).parse(text, folder);
        if (!collada) throw new Error(`${path}: not a COLLADA file`);
        return { root: collada.scene, clips: collada.scene.animations };
      }
      case "stl": {
        const { STLLoader } = await import("three/examples/jsm/loaders/STLLoader.js");
        const geometry = new STLLoader(manager).parse(await this.bytes(path));
        return { root: new Mesh(geometry, new MeshLambertMaterial({ color: 0xb8bec6 })), clips: [] };
      }
      case "obj":
        return { root: await this.wavefront(path, folder, manager), clips: [] };
      case "gltf":
      case "glb": {
        const { GLTFLoader } = await import("three/examples/jsm/loaders/GLTFLoader.js");
        const content = await new GLTFLoader(manager).parseAsync(await this.bytes(path), folder);
        return { root: content.scene, clips: content.animations };
      }
      default:
        throw new Error(`${path}: format "${format}"\n  accepted: dae, stl, obj, gltf, glb`);
    }
  }

  private async wavefront(path: string, folder: string, manager: LoadingManager): Promise<Group> {
    const [{ OBJLoader }, { MTLLoader }, text] = await Promise.all([
      import("three/examples/jsm/loaders/OBJLoader.js"),
      import("three/examples/jsm/loaders/MTLLoader.js"),
      this.text(path),
    ]);
    const loader = new OBJLoader(manager);
    const library = /^mtllib\s+(.+)$/m.exec(text)?.[1]?.trim();
    if (library) {
      // Without its materials it is grey, but there.
      const materials = await this.text(folder + encodeURIComponent(library)).catch(() => undefined);
      if (materials) loader.setMaterials(new MTLLoader(manager).parse(materials, folder));
    }
    return loader.parse(text);
  }

  /** Address of what a mesh file names: its whole relative path is one segment, since browsers would resolve `..` themselves. */
  private besides(folder: string, address: string): string {
    if (/^(data|blob):/.test(address)) return address;
    const relative = address.startsWith(folder) ? address.slice(folder.length) : address;
    return this.url(
      folder +
        encodeURIComponent(
          decodeURI(relative)
            .replaceAll("\\", "/")
            .replace(/^(\.\/)+/, ""),
        ),
    );
  }

  private async text(path: string): Promise<string> {
    return new TextDecoder().decode(await this.bytes(path));
  }

  private async bytes(path: string): Promise<ArrayBuffer> {
    const answer = await fetch(this.url(path));
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${answer.statusText}`);
    return answer.arrayBuffer();
  }
}

/** Takes the surfaces of a tree, of a file in this format, out of it. */
export function contentOf({ root, clips }: { root: Object3D; clips: AnimationClip[] }, format: string): MeshContent {
  root.updateMatrixWorld(true);
  const pieces: Piece[] = [];
  root.traverse((object) => {
    if (!(object instanceof Mesh) || object instanceof SkinnedMesh) return;
    const geometry = withNormals(object.geometry);
    const matrix = object.matrixWorld.clone();
    if (!Array.isArray(object.material)) {
      pieces.push({ geometry, material: object.material, matrix, ...senseOf(object.material, format) });
      return;
    }
    for (const group of geometry.groups) {
      const material: Material | undefined = object.material[group.materialIndex ?? 0];
      if (!material) continue;
      const part = groupOf(geometry, group.start, group.count);
      pieces.push({ geometry: part, material, matrix, ...senseOf(material, format) });
    }
  });
  return { pieces: merged(pieces), root, clips };
}

/** What a file in this format says of a surface beyond its look. Other formats than glTF cannot tell which sides it has. */
function senseOf(material: Material, format: string): Pick<Piece, "role" | "cull"> {
  const isOneSided = (format === "glb" || format === "gltf") && material.side === FrontSide;
  return { role: roleOf(material, format), cull: isOneSided ? "back" : "none" };
}

/** Frees a mesh file's memory on the graphics card. */
export function freeMesh({ pieces, root }: MeshContent): void {
  for (const { geometry, material } of pieces) {
    geometry.dispose();
    freeMaterial(material);
  }
  root.traverse((object) => {
    if (!(object instanceof Mesh)) return;
    object.geometry.dispose();
    if (object instanceof SkinnedMesh) object.skeleton.dispose();
    for (const material of [object.material].flat()) freeMaterial(material);
  });
}

function freeMaterial(material: Material): void {
  for (const value of Object.values(material)) {
    if (value instanceof Texture) value.dispose();
  }
  material.dispose();
}

/** Adds face normals where the file has none, or invalid ones. */
function withNormals(geometry: BufferGeometry): BufferGeometry {
  const normals = geometry.getAttribute("normal");
  for (let i = 0; i < (normals?.count ?? 0); i += 1) {
    if (normals && normals.getX(i) ** 2 + normals.getY(i) ** 2 + normals.getZ(i) ** 2 > 0.25) return geometry;
  }
  const faceted = geometry.index ? geometry.toNonIndexed() : geometry;
  faceted.computeVertexNormals();
  return faceted;
}

/** The part of a geometry that has one material; its corners are shared. */
function groupOf(geometry: BufferGeometry, start: number, count: number): BufferGeometry {
  const part = geometry.clone();
  part.clearGroups();
  part.setDrawRange(start, count);
  return part;
}

/** A matrix after whose result is scaled. */
export function scaled(matrix: Matrix4, scale: number): Matrix4 {
  return new Matrix4().makeScale(scale, scale, scale).multiply(matrix);
}
