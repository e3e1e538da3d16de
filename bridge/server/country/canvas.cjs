'use strict'
// One chunk under construction: blocks by name, x and z within 0..15, surface heights.

module.exports = function canvas (chunk, states, cx, cz) {
  const heights = new Array(256)
  const at = { x: 0, y: 0, z: 0 }
  const point = (x, y, z) => Object.assign(at, { x, y, z })
  return {
    chunk,
    cx,
    cz,
    set: (x, y, z, name) => chunk.setBlockStateId(point(x, y, z), states(name)),
    is: (x, y, z, name) => chunk.getBlockStateId(point(x, y, z)) === states(name),
    height: (x, z) => heights[x * 16 + z], // y of the topmost ground block
    setHeight: (x, z, y) => { heights[x * 16 + z] = y },
    /** Distance from the spawn column, on the ground. */
    fromSpawn: (x, z) => Math.hypot(cx * 16 + x - 8, cz * 16 + z - 8)
  }
}
