// Materials by appearance, each created once.
import {
  BackSide,
  Color,
  DoubleSide,
  FrontSide,
  type Material,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type MeshLambertMaterialParameters,
  MeshPhongMaterial,
  NoColorSpace,
  type Side,
  type Texture,
} from "three";
import { litAtCorners } from "../environment/shading";
import { type ColorView, colorFrom } from "./colors";

/** How surfaces shine: like paint that is neither new nor dull. */
const GLOSS = { specular: 0x2a2a2a, shininess: 36 };

/** Appearance of a surface. */
export interface Look {
  color: ColorView;
  isLit: boolean;
  /** Which faces are not drawn. */
  cull: string;
  hasCornerColors: boolean;
  /** Whether it never shines, like ground and walls. */
  isMatte?: boolean;
  picture?: Texture | undefined;
}

/** The side that is drawn. */
export function sideOf(cull: string): Side {
  if (cull === "back") return FrontSide;
  return cull === "front" ? BackSide : DoubleSide;
}

/** The colour of a material of a mesh file, as the page counts colours. */
export function ownColor(original: Material): Color {
  const own = (original as Partial<MeshLambertMaterial>).color?.clone() ?? new Color(0xb8bec6);
  // glTF gives amounts of light.
  return "metalness" in original ? own.convertLinearToSRGB() : own;
}

/** The same of one without a picture: files without materials would be white, which glares. */
export function plainColor(original: Material): Color {
  const own = ownColor(original);
  return own.getHex() === 0xffffff ? own.set(0xc6cbd2) : own;
}

/** Makes materials, and gives equal ones out again. */
export class Materials {
  private readonly materials = new Map<string, Material>();

  /** @param hasGloss whether surfaces shine a little, which takes a graphics processor */
  constructor(private readonly hasGloss: boolean) {}

  /** The material for a look. */
  material(look: Look): Material {
    const { color, isLit, cull, hasCornerColors, isMatte = false, picture } = look;
    const key = [color.join(), isLit, cull, hasCornerColors, isMatte, picture?.uuid].join(" ");
    const known = this.materials.get(key);
    if (known) return known;
    const isSolid = color[3] === 255;
    const options = {
      color: colorFrom(color),
      side: sideOf(cull),
      vertexColors: hasCornerColors,
      map: picture ?? null,
      transparent: !isSolid,
      opacity: color[3] / 255,
      depthWrite: isSolid,
    };
    const material = isLit ? this.lit(options, isMatte) : new MeshBasicMaterial(options);
    this.materials.set(key, material);
    return material;
  }

  /** The material of a mesh file as this page draws it: lit simply, which software rendering can afford. */
  simplified(original: Material, color: ColorView | null, cull: string): Material {
    const key = `${original.uuid} ${color?.join()} ${cull}`;
    const known = this.materials.get(key);
    if (known) return known;
    const from = original as Partial<MeshLambertMaterial>;
    if (from.map && from.map.colorSpace !== NoColorSpace) {
      from.map.colorSpace = NoColorSpace;
      from.map.needsUpdate = true;
    }
    const own = from.map || from.vertexColors ? ownColor(original) : plainColor(original);
    const material = this.lit({
      color: color ? colorFrom(color) : own,
      map: color ? null : (from.map ?? null),
      vertexColors: color ? false : (from.vertexColors ?? false),
      side: sideOf(cull),
      transparent: color ? color[3] < 255 : original.transparent,
      opacity: color ? color[3] / 255 : original.opacity,
      alphaTest: original.alphaTest,
      flatShading: from.flatShading ?? false,
      emissive: color ? new Color(0) : (from.emissive?.clone() ?? new Color(0)),
    });
    this.materials.set(key, material);
    return material;
  }

  private lit(options: MeshLambertMaterialParameters, isMatte = false): Material {
    if (!this.hasGloss) return litAtCorners(new MeshLambertMaterial(options));
    return isMatte ? new MeshLambertMaterial(options) : new MeshPhongMaterial({ ...options, ...GLOSS });
  }

  dispose(): void {
    for (const material of this.materials.values()) material.dispose();
    this.materials.clear();
  }
}
