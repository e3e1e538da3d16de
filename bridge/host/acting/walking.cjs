'use strict'
// Walking with the pathfinder: never digs, never builds, and leaves no goal behind.
const { load } = require('../packages.cjs')
const { ActionFailure } = require('../failure.cjs')
const { goals, Movements } = load('mineflayer-pathfinder')

const LEG_BLOCKS = 24 // a goal in country not loaded yet is walked to in legs of this length
const LEG_WITHIN = 4
const STUCK_LIMIT = 3 // the pathfinder calls itself stuck after 3.5 s without a node

/** Reached in the point's own block or where the block's middle is within reach of the point. */
class Within extends goals.Goal {
  constructor (point, within) {
    super()
    this.point = point
    this.within = within
  }

  heuristic (node) {
    const dx = Math.abs(node.x + 0.5 - this.point.x)
    const dz = Math.abs(node.z + 0.5 - this.point.z)
    const level = Math.abs(dx - dz) + Math.min(dx, dz) * Math.SQRT2
    return Math.max(0, level + Math.abs(node.y - this.point.y) - this.within)
  }

  isEnd (node) {
    const middle = this.point.clone().set(node.x + 0.5, node.y, node.z + 0.5)
    return middle.distanceTo(this.point) <= this.within || this.point.floored().equals(node)
  }
}

/** Walk until within `within` blocks of a point. Fails: no_path. */
async function walkTo (bot, point, within, signal) {
  setUp(bot)
  while (!bot.world.getColumnAt(point)) {
    const before = bot.entity.position.distanceTo(point)
    await walk(bot, legTowards(bot, point), signal)
    if (bot.entity.position.distanceTo(point) > before - 1) throw noPath('the way does not lead on')
  }
  const goal = new Within(point, within)
  await walk(bot, goal, signal)
  settleIn(bot, goal)
}

function setUp (bot) {
  if (bot.pathfinder.movements.townsfolk) return
  const movements = new Movements(bot)
  movements.townsfolk = true
  movements.canDig = false
  movements.allow1by1towers = false
  movements.scafoldingBlocks = []
  movements.maxDropDown = 3 // blocks without harm
  bot.pathfinder.setMovements(movements)
  // The default thinks 40 ms of every tick, and the other bots' events wait meanwhile.
  bot.pathfinder.tickTimeout = 10
}

function legTowards (bot, point) {
  const here = bot.entity.position
  const way = point.minus(here)
  const length = Math.hypot(way.x, way.z)
  const leg = here.plus(way.scaled(Math.min(1, LEG_BLOCKS / length)))
  return new goals.GoalNearXZ(leg.x, leg.z, LEG_WITHIN)
}

// Not goto(): it resolves, as if it had arrived, when no step leads anywhere (2.4.5).
function walk (bot, goal, signal) {
  return new Promise((resolve, reject) => {
    let stuck = 0
    const listeners = {
      goal_reached: () => finish(resolve),
      path_update: ({ status }) => {
        if (status === 'noPath' || status === 'timeout') finish(reject, noPath(status))
      },
      path_reset: reason => {
        if (reason === 'stuck' && ++stuck === STUCK_LIMIT) finish(reject, noPath('stuck'))
      }
    }
    const onAbort = () => finish(reject, signal.reason)
    function finish (end, value) {
      signal.removeEventListener('abort', onAbort)
      for (const [event, listener] of Object.entries(listeners)) bot.removeListener(event, listener)
      bot.pathfinder.setGoal(null)
      end(value)
    }
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    for (const [event, listener] of Object.entries(listeners)) bot.on(event, listener)
    bot.pathfinder.setGoal(goal)
  })
}

function noPath (why) {
  return new ActionFailure('no_path', `no way there: ${why}`)
}

// The pathfinder stops anywhere near a block's middle; the middle itself is near enough.
function settleIn (bot, { point, within }) {
  const { position } = bot.entity
  if (position.distanceTo(point) <= within || !bot.entity.onGround) return
  position.set(Math.floor(position.x) + 0.5, position.y, Math.floor(position.z) + 0.5)
}

module.exports = { walkTo }
