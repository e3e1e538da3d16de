'use strict'
// One feature a chunk, in its first quarter, in a fixed round: whoever walks a few chunks finds
// water, sand, clay, gravel, bare stone, obsidian, lava. Fluids lie still in their beds.

const LAVA_RADIUS = 30
const ROUND = ['pond', 'gravel', 'sand', 'outcrop', 'lava', 'clay']

module.exports = function features (land, roll) {
  const turn = ROUND[modulo(land.cx + 2 * land.cz, ROUND.length)]
  const kind = turn === 'lava' && land.fromSpawn(4, 4) < LAVA_RADIUS ? 'outcrop' : turn
  BUILD[kind](land, roll)
}

const BUILD = {
  pond (land) {
    const level = bed(land, 'sand')
    basin(land, level, 'water', 'clay')
    land.set(1, level + 1, 3, 'sugar_cane')
    land.set(1, level + 2, 3, 'sugar_cane')
  },
  lava (land) {
    const level = bed(land, 'stone')
    basin(land, level, 'lava', 'stone')
    for (const z of [2, 3, 4]) land.set(1, level, z, 'obsidian') // within reach, on the rim
  },
  sand: land => patch(land, ['sand', 'sand', 'sandstone']),
  gravel: land => patch(land, ['gravel', 'gravel', 'gravel']),
  clay: land => patch(land, ['clay', 'clay', 'dirt']),
  outcrop (land, roll) {
    patch(land, ['stone', 'stone', 'stone'])
    for (let i = 0; i < 5; i++) {
      const [x, z] = [2 + roll.below(4), 2 + roll.below(4)]
      land.set(x, land.height(x, z) + 1, z, i === 0 ? 'coal_ore' : 'stone')
    }
  }
}

/** A level ring of `rim` one block wide around a 4x4 hole; its level. */
function bed (land, rim) {
  const level = lowest(land)
  each(1, 6, (x, z) => {
    for (let y = level + 1; y <= land.height(x, z) + 1; y++) land.set(x, y, z, 'air')
    land.set(x, level, z, rim)
    land.set(x, level - 1, z, rim === 'sand' ? 'sandstone' : rim)
    land.setHeight(x, z, level)
  })
  return level
}

function basin (land, level, fluid, floor) {
  each(2, 5, (x, z) => {
    land.set(x, level, z, fluid)
    land.set(x, level - 1, z, fluid)
    land.set(x, level - 2, z, floor)
  })
  each(1, 6, (x, z) => land.is(x, level - 1, z, fluid) || land.set(x, level - 1, z, 'stone'))
}

/** Three layers from the surface down, following the hills. */
function patch (land, layers) {
  each(1, 6, (x, z) => {
    layers.forEach((name, depth) => land.set(x, land.height(x, z) - depth, z, name))
  })
}

function lowest (land) {
  let level = Infinity
  each(0, 7, (x, z) => { level = Math.min(level, land.height(x, z)) })
  return level
}

function each (from, to, visit) {
  for (let x = from; x <= to; x++) for (let z = from; z <= to; z++) visit(x, z)
}

const modulo = (value, by) => ((value % by) + by) % by
