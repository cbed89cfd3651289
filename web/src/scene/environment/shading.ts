// Light of surfaces as software can afford it: computed at their corners, and from there on a colour between three. Pictures with shadows have
// that of three.js, which computes it for each pixel.
import type { MeshLambertMaterial, WebGLProgramParametersWithUniforms } from "three";

const CORNERS = `
#include <clipping_planes_pars_vertex>
#include <lights_pars_begin>
uniform vec3 diffuse;
varying vec3 shade;
#ifdef DOUBLE_SIDED
varying vec3 shadeBehind;
#endif
vec3 lightOn(vec3 normal) {
  vec3 sum = ambientLightColor;
#if NUM_DIR_LIGHTS > 0
  for (int i = 0; i < NUM_DIR_LIGHTS; i++)
    sum += saturate(dot(normal, directionalLights[i].direction)) * directionalLights[i].color;
#endif
#if NUM_HEMI_LIGHTS > 0
  for (int i = 0; i < NUM_HEMI_LIGHTS; i++) sum += getHemisphereLightIrradiance(hemisphereLights[i], normal);
#endif
  return RECIPROCAL_PI * sum;
}`;

const AT_CORNERS = `
  vec3 paint = diffuse;
#if defined(USE_COLOR) || defined(USE_COLOR_ALPHA) || defined(USE_INSTANCING_COLOR)
  paint *= vColor.rgb;
#endif
  vec3 upright = normalize(transformedNormal);
  shade = paint * lightOn(upright);
#ifdef DOUBLE_SIDED
  shadeBehind = paint * lightOn(-upright);
#endif
}`;

const BETWEEN = `
uniform vec3 emissive;
uniform float opacity;
varying vec3 shade;
#ifdef DOUBLE_SIDED
varying vec3 shadeBehind;
#endif
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphatest_pars_fragment>
void main() {
  vec4 diffuseColor = vec4(shade, opacity);
#ifdef DOUBLE_SIDED
  if (!gl_FrontFacing) diffuseColor.rgb = shadeBehind;
#endif
  #include <map_fragment>
  #include <alphatest_fragment>
  gl_FragColor = vec4(diffuseColor.rgb + emissive, diffuseColor.a);
}`;

/** Lights a material at the corners, where it has normals there and nothing casts shadows on it. */
export function litAtCorners(material: MeshLambertMaterial): MeshLambertMaterial {
  material.customProgramCacheKey = () => "corners";
  material.onBeforeCompile = (shader) => {
    const { shadowMapEnabled, flatShading } = shader as WebGLProgramParametersWithUniforms;
    if (shadowMapEnabled || flatShading) return;
    const end = shader.vertexShader.lastIndexOf("}");
    const start = shader.vertexShader.slice(0, end);
    shader.vertexShader = start.replace("#include <clipping_planes_pars_vertex>", CORNERS) + AT_CORNERS;
    shader.fragmentShader = BETWEEN;
  };
  return material;
}
