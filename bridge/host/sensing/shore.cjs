'use strict'
// Dry ground from which a block under water can be dug.

const REACH = 4.5 // blocks from the eyes to its middle
const EYES = 1.62 // blocks above the feet
const WIDEST = Math.floor(REACH)
const [LOWEST, HIGHEST] = [-1, 3] // where the feet may be, counted from the block
const WATER = new Set(['water', 'flowing_water', 'seagrass', 'tall_seagrass', 'kelp', 'kelp_plant'])
const STANDS = [...stands()]

/** Where to stand, as near to `here` as can be; undefined if nowhere. `blockAt` tells the block at x, y, z. */
function shoreOf (blockAt, [x, y, z], here) {
  const places = STANDS.map(([dx, dy, dz]) => [x + dx, y + dy, z + dz])
  const far = ([x, y, z]) => Math.hypot(x - here.x, y - here.y, z - here.z)
  return places.filter(at => isDryGround(blockAt, at)).sort((a, b) => far(a) - far(b))[0]
}

function isDryGround (blockAt, [x, y, z]) {
  return hasRoom(blockAt(x, y, z)) && blockAt(x, y - 1, z)?.boundingBox === 'block' &&
    hasRoom(blockAt(x, y + 1, z))
}

function hasRoom (block) {
  return !block || (block.boundingBox === 'empty' && !WATER.has(block.name) && !/lava$/.test(block.name))
}

function * stands () {
  for (let dx = -WIDEST; dx <= WIDEST; dx++) {
    for (let dz = -WIDEST; dz <= WIDEST; dz++) {
      for (let dy = LOWEST; dy <= HIGHEST; dy++) {
        if (Math.hypot(dx, dy + EYES - 0.5, dz) <= REACH) yield [dx, dy, dz]
      }
    }
  }
}

module.exports = { WATER, shoreOf }
