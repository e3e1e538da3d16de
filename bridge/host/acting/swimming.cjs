'use strict'
// How the search for a path moves through water: up from the bottom, and out over a shore no
// higher than the water. Who goes in must be able to come out.
const { load } = require('../packages.cjs')
const Move = load('mineflayer-pathfinder/lib/move')
const { goals } = load('mineflayer-pathfinder')
const { cellOf } = require('./doors.cjs')
const { Vec3 } = load('vec3')

const WAY_OUT_MS = 100 // to look for a way out; larger waters have one

/** Let a search lead up through water and out of it. */
function swim (movements) {
  bear(movements)
  rise(movements)
}

// Expected: who swims gets out over a shore as high as the water. Actual (2.4.5): the height of the
// step is counted from the block below the one swum in. Remove when it is counted from the surface.
function bear (movements) {
  const { getBlock } = movements
  movements.getBlock = (pos, dx, dy, dz) => {
    const block = getBlock.call(movements, pos, dx, dy, dz)
    if (block.liquid) block.height = pos.y + dy + 1
    return block
  }
}

// Expected: who is under water swims up. Actual (2.4.5): no move leads up in water. Remove when one
// does.
function rise (movements) {
  const { getMoveUp } = movements
  movements.getMoveUp = (node, neighbors) => {
    if (!movements.getBlock(node, 0, 0, 0).liquid) return getMoveUp.call(movements, node, neighbors)
    const above = movements.getBlock(node, 0, 1, 0)
    if (!above.liquid || !above.safe || !movements.getBlock(node, 0, 2, 0).safe) return
    neighbors.push(new Move(node.x, node.y + 1, node.z, node.remainingBlocks, 1))
  }
}

/** Reached wherever one stands on firm ground; looked for towards a point. */
class Ashore extends goals.Goal {
  constructor (bot, from) {
    super()
    this.bot = bot
    this.from = from
  }

  heuristic ({ x, y, z }) {
    return Math.abs(x - this.from.x) + Math.abs(y - this.from.y) + Math.abs(z - this.from.z)
  }

  isEnd ({ x, y, z }) {
    return !isWater(this.bot, new Vec3(x, y, z))
  }
}

/** Whether a path ends in water out of which no way leads. */
function endsInATrap (bot, path) {
  const end = path.length ? cellOf(path.at(-1)) : null
  const { movements } = bot.pathfinder
  if (!end || bot.entity.isInWater || !isWater(bot, end)) return false
  const startMove = new Move(end.x, end.y, end.z, 0, 0)
  const limits = { timeout: WAY_OUT_MS, tickTimeout: WAY_OUT_MS, optimizePath: false, resetEntityIntersects: false }
  const search = bot.pathfinder.getPathFromTo(
    movements, end, new Ashore(bot, bot.entity.position), { ...limits, startMove })
  return search.next().value.result.status === 'noPath'
}

function isWater (bot, cell) {
  return bot.blockAt(cell, false)?.name === 'water'
}

module.exports = { endsInATrap, isWater, swim }
