'use strict'
// Trees of six woods. Each stands in a quarter of its chunk, canopy included, so that no tree
// depends on a neighbouring chunk; the quarter of the feature (features.cjs) stays free of them.

const WOODS = ['oak', 'birch', 'spruce', 'oak', 'far']
const FAR_WOODS = ['jungle', 'acacia', 'dark_oak']
const QUARTERS = [[8, 0], [0, 8], [8, 8]]
const MARGIN = 2

module.exports = function trees (land, roll) {
  const wood = woodOf(land, roll)
  for (const [qx, qz] of QUARTERS) {
    const [x, z] = [qx + MARGIN + roll.below(4), qz + MARGIN + roll.below(4)]
    const trunk = roll.between(4, 6)
    if (roll.below(4) > 0 && land.fromSpawn(x, z) > 10) tree(land, x, z, wood, trunk)
  }
}

// neighbouring chunks differ, so that every wood is a short walk away
function woodOf (land, roll) {
  const wood = WOODS[modulo(land.cx + 2 * land.cz, WOODS.length)]
  return wood === 'far' ? FAR_WOODS[roll.below(FAR_WOODS.length)] : wood
}

function tree (land, x, z, wood, trunk) {
  const foot = land.height(x, z)
  land.set(x, foot, z, 'dirt')
  leaves(land, x, foot + trunk - 1, z, 2, wood)
  leaves(land, x, foot + trunk, z, 2, wood)
  leaves(land, x, foot + trunk + 1, z, 1, wood)
  for (let y = 1; y <= trunk; y++) land.set(x, foot + y, z, `${wood}_log`)
}

function leaves (land, x, y, z, radius, wood) {
  for (let dx = -radius; dx <= radius; dx++) {
    for (let dz = -radius; dz <= radius; dz++) {
      const corner = Math.abs(dx) === radius && Math.abs(dz) === radius
      if (!corner) land.set(x + dx, y, z + dz, `${wood}_leaves`)
    }
  }
}

const modulo = (value, by) => ((value % by) + by) % by
