// What each ray meets first: a walk through the tree of instances, and of each instance through the tree of its model.
//
// The same boxes, triangles and tests as in src/rays/space/kernel.rs, in f32: slabs whose far side is a little beyond its rounding
// error, and triangles in a frame sheared along the ray. A compiler may fuse products and sums here, so that neighbours do not quite compute
// the same edge: triangles reach beyond their edges by that much.

struct Parameters {
    // The point that rays and instances are counted from, from the origin of the upper tree [m].
    eye: vec3<f32>,
    count: u32,
    // One more than the index of the vehicle that rays pass through; all bits: none.
    hidden: u32,
    // 1: any triangle will do.
    any: u32,
    // 0: there is no instance.
    has_tree: u32,
}

// Eight boxes: lower and upper limits of x, y, z, then children. An upper node differs in what its leaves are: instances.
const NODE = 14u;
// Four triangles: x, y, z of each corner.
const LEAF = 9u;
const LEAF_BIT = 0x80000000u;
const NONE = 0xffffffffu;
// Deepest stack: seven siblings a level.
const STACK = 128u;
// One, and a little more than the largest relative error of a slab test.
const ROBUST = 1.0000008;
// More than the relative error of a product.
const ERROR = 2.5e-7;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> nodes: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> leaves: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read> upper: array<vec4<u32>>;
// Columns of the rotation into the world, then the position; behind them the first node, the first leaf, and one more than the vehicle's index.
@group(0) @binding(4) var<storage, read> instances: array<vec4<u32>>;
// Origin and near limit, direction and far limit.
@group(0) @binding(5) var<storage, read> rays: array<vec4<f32>>;
@group(0) @binding(6) var<storage, read_write> found: array<vec2<u32>>;

// What is still to be visited: children, and where the ray enters them.
var<private> stack: array<u32, STACK>;
var<private> enters: array<f32, STACK>;
var<private> depth: u32;
// Where the siblings of the node at hand begin.
var<private> first: u32;

struct Ray {
    origin: vec3<f32>,
    near: f32,
    inverse: vec3<f32>,
}

fn new_ray(origin: vec3<f32>, direction: vec3<f32>, near: f32) -> Ray {
    let least = select(vec3(1e-30), vec3(-1e-30), direction < vec3(0.0));
    let safe = select(direction, least, abs(direction) < vec3(1e-30));
    return Ray(origin, near, vec3(1.0) / safe);
}

// Puts a child on the stack, the nearest of its siblings on top.
fn push(child: u32, enter: f32) {
    var at = depth;
    while at > first && enters[(at - 1u) % STACK] < enter {
        stack[at % STACK] = stack[(at - 1u) % STACK];
        enters[at % STACK] = enters[(at - 1u) % STACK];
        at -= 1u;
    }
    stack[at % STACK] = child;
    enters[at % STACK] = enter;
    depth += 1u;
}

// Puts those of four children on the stack that the ray enters before `far`.
fn push_four(
    ray: Ray, far: f32, children: vec4<u32>,
    x0: vec4<u32>, x1: vec4<u32>, y0: vec4<u32>, y1: vec4<u32>, z0: vec4<u32>, z1: vec4<u32>,
) {
    let ax = (bitcast<vec4<f32>>(x0) - ray.origin.x) * ray.inverse.x;
    let bx = (bitcast<vec4<f32>>(x1) - ray.origin.x) * ray.inverse.x;
    let ay = (bitcast<vec4<f32>>(y0) - ray.origin.y) * ray.inverse.y;
    let by = (bitcast<vec4<f32>>(y1) - ray.origin.y) * ray.inverse.y;
    let az = (bitcast<vec4<f32>>(z0) - ray.origin.z) * ray.inverse.z;
    let bz = (bitcast<vec4<f32>>(z1) - ray.origin.z) * ray.inverse.z;
    let enter = max(max(min(ax, bx), min(ay, by)), max(min(az, bz), vec4(ray.near)));
    let leave = min(min(max(ax, bx), max(ay, by)), min(max(az, bz), vec4(far)));
    let hit = (enter <= leave * ROBUST) & (children != vec4(NONE));
    for (var i = 0u; i < 4u; i += 1u) {
        if hit[i] {
            push(children[i], enter[i]);
        }
    }
}

// The nearest of four triangles before `far`, of a ray whose longest axis is z: its place and the distance; place 4: none.
struct Nearest {
    place: u32,
    distance: f32,
}

fn nearest(leaf: u32, origin: vec3<f32>, shear: vec3<f32>, axes: vec3<u32>, near: f32, far: f32) -> Nearest {
    let at = leaf * LEAF;
    let az = bitcast<vec4<f32>>(leaves[at + axes.z]) - origin[axes.z];
    let ax = bitcast<vec4<f32>>(leaves[at + axes.x]) - origin[axes.x] - shear.x * az;
    let ay = bitcast<vec4<f32>>(leaves[at + axes.y]) - origin[axes.y] - shear.y * az;
    let bz = bitcast<vec4<f32>>(leaves[at + 3u + axes.z]) - origin[axes.z];
    let bx = bitcast<vec4<f32>>(leaves[at + 3u + axes.x]) - origin[axes.x] - shear.x * bz;
    let by = bitcast<vec4<f32>>(leaves[at + 3u + axes.y]) - origin[axes.y] - shear.y * bz;
    let cz = bitcast<vec4<f32>>(leaves[at + 6u + axes.z]) - origin[axes.z];
    let cx = bitcast<vec4<f32>>(leaves[at + 6u + axes.x]) - origin[axes.x] - shear.x * cz;
    let cy = bitcast<vec4<f32>>(leaves[at + 6u + axes.y]) - origin[axes.y] - shear.y * cz;
    let u = cx * by - cy * bx;
    let v = ax * cy - ay * cx;
    let w = bx * ay - by * ax;
    let u_error = ERROR * (abs(cx * by) + abs(cy * bx));
    let v_error = ERROR * (abs(ax * cy) + abs(ay * cx));
    let w_error = ERROR * (abs(bx * ay) + abs(by * ax));
    let zero = vec4(0.0);
    let area = u + v + w;
    let inside = ((u >= zero) & (v >= zero) & (w >= zero)) | ((u <= zero) & (v <= zero) & (w <= zero));
    let touched = ((u >= -u_error) & (v >= -v_error) & (w >= -w_error)) | ((u <= u_error) & (v <= v_error) & (w <= w_error));
    // Of a triangle that is seen edge-on everything is within the error.
    let is_wide = abs(area) > 16.0 * (u_error + v_error + w_error);
    let distance = shear.z * (u * az + v * bz + w * cz) / area;
    let hit = (inside | (touched & is_wide)) & (area != zero) & (distance > vec4(near)) & (distance < vec4(far));
    var best = Nearest(4u, far);
    for (var i = 0u; i < 4u; i += 1u) {
        if hit[i] && distance[i] < best.distance {
            best = Nearest(i, distance[i]);
        }
    }
    return best;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = id.x;
    if index >= parameters.count {
        return;
    }
    let start = rays[2u * index];
    let end = rays[2u * index + 1u];
    let near = start.w;
    var far = end.w;
    var best = vec2(NONE, NONE);
    if parameters.has_tree == 0u || far < near {
        found[index] = best;
        return;
    }
    let world = new_ray(start.xyz + parameters.eye, end.xyz, near);
    depth = 1u;
    stack[0] = 0u;
    enters[0] = near;
    while depth > 0u {
        depth -= 1u;
        let next = stack[depth % STACK];
        if enters[depth % STACK] > far {
            continue;
        }
        first = depth;
        if (next & LEAF_BIT) == 0u {
            let at = next * NODE;
            for (var half = 0u; half < 2u; half += 1u) {
                let h = at + half;
                push_four(world, far, upper[h + 12u], upper[h], upper[h + 2u], upper[h + 4u], upper[h + 6u], upper[h + 8u], upper[h + 10u]);
            }
            continue;
        }
        let instance = next & ~LEAF_BIT;
        let columns = array(instances[4u * instance], instances[4u * instance + 1u], instances[4u * instance + 2u]);
        if columns[2].w == parameters.hidden {
            continue;
        }
        let x = bitcast<vec3<f32>>(columns[0].xyz);
        let y = bitcast<vec3<f32>>(columns[1].xyz);
        let z = bitcast<vec3<f32>>(columns[2].xyz);
        let apart = start.xyz - bitcast<vec3<f32>>(instances[4u * instance + 3u].xyz);
        let origin = vec3(dot(x, apart), dot(y, apart), dot(z, apart));
        let direction = vec3(dot(x, end.xyz), dot(y, end.xyz), dot(z, end.xyz));
        let local = new_ray(origin, direction, near);
        // The frame of the triangles: the ray is longest along its z axis.
        let size = abs(direction);
        var axes = vec3(0u, 1u, 2u);
        if size.x > size.y && size.x > size.z {
            axes = vec3(1u, 2u, 0u);
        } else if size.y > size.z {
            axes = vec3(2u, 0u, 1u);
        }
        let scale = 1.0 / direction[axes.z];
        let shear = vec3(direction[axes.x] * scale, direction[axes.y] * scale, scale);
        let base = depth;
        depth += 1u;
        stack[base % STACK] = 0u;
        enters[base % STACK] = near;
        while depth > base {
            depth -= 1u;
            let next = stack[depth % STACK];
            if enters[depth % STACK] > far {
                continue;
            }
            first = depth;
            if (next & LEAF_BIT) == 0u {
                let at = (columns[0].w + next) * NODE;
                for (var half = 0u; half < 2u; half += 1u) {
                    let h = at + half;
                    push_four(local, far, nodes[h + 12u], nodes[h], nodes[h + 2u], nodes[h + 4u], nodes[h + 6u], nodes[h + 8u], nodes[h + 10u]);
                }
                continue;
            }
            let leaf = next & ~LEAF_BIT;
            let met = nearest(columns[1].w + leaf, origin, shear, axes, near, far);
            if met.place < 4u {
                best = vec2(instance, 4u * leaf + met.place);
                far = met.distance;
                if parameters.any != 0u {
                    depth = 0u;
                    break;
                }
            }
        }
    }
    found[index] = best;
}
