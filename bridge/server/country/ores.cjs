'use strict'
// Ores in veins. Depths are those of the vanilla overworld of 1.16 (written from knowledge of it),
// amounts a little richer because a bot sees less than a person does.

const CLEAR_RADIUS = 25 // no iron or deeper ore nearer to spawn
const COVER = 5 // blocks of ground over every vein but coal

// veins a chunk, blocks a vein, y from..to; `far`: only away from spawn
const VEINS = [
  { ore: 'coal_ore', veins: 5, size: [6, 12], y: [8, 60], far: false },
  { ore: 'iron_ore', veins: 6, size: [4, 8], y: [5, 54], far: true },
  { ore: 'gold_ore', veins: 2, size: [3, 7], y: [5, 29], far: true },
  { ore: 'redstone_ore', veins: 3, size: [4, 7], y: [3, 15], far: true },
  { ore: 'lapis_ore', veins: 2, size: [3, 6], y: [8, 26], far: true },
  { ore: 'diamond_ore', veins: 2, size: [2, 5], y: [4, 14], far: true },
  { ore: 'emerald_ore', veins: 1, size: [1, 1], y: [5, 30], far: true },
  { ore: 'gravel', veins: 1, size: [12, 20], y: [10, 50], far: false },
  { ore: 'andesite', veins: 1, size: [12, 24], y: [10, 55], far: false },
  { ore: 'diorite', veins: 1, size: [12, 24], y: [10, 55], far: false },
  { ore: 'granite', veins: 1, size: [12, 24], y: [10, 55], far: false }
]
const STEPS = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]

module.exports = function ores (land, roll) {
  for (const kind of VEINS) {
    for (let i = 0; i < kind.veins; i++) vein(land, roll, kind)
  }
}

// a wandering line: each block next to the one before, so that a vein hangs together
function vein (land, roll, { ore, size, y: [low, high], far }) {
  let [x, y, z] = [roll.below(16), roll.between(low, high), roll.below(16)]
  for (let left = roll.between(...size); left > 0; left--) {
    if (y >= low && y <= high && fits(land, x, y, z, far)) land.set(x, y, z, ore)
    const step = STEPS[roll.below(STEPS.length)]
    ;[x, y, z] = [clamp(x + step[0]), y + step[1], clamp(z + step[2])]
  }
}

function fits (land, x, y, z, far) {
  if (y > land.height(x, z) - COVER || !land.is(x, y, z, 'stone')) return false
  return !far || land.fromSpawn(x, z) > CLEAR_RADIUS
}

const clamp = value => Math.min(15, Math.max(0, value))
