'use strict'
// Walking with the pathfinder: digs only when asked to, never builds, and leaves no goal behind.
const { load } = require('../packages.cjs')
const { wasPutBack } = require('../confirming.cjs')
const { ActionFailure } = require('../failure.cjs')
const { climb } = require('./climbing.cjs')
const { cellOf, doorIn, doormanOf } = require('./doors.cjs')
const { isStoodIn } = require('./heights.cjs')
const { diggingManners, fallingManners, onTheWay, walkingManners } = require('./manners.cjs')
const { onPutBack } = require('./putback.cjs')
const { endsInATrap } = require('./swimming.cjs')
const { Thinking } = require('./thinking.cjs')
const { goals } = load('mineflayer-pathfinder')
const { Vec3 } = load('vec3')

const LEG_BLOCKS = 24 // a goal in country not loaded yet is walked to in legs of this length
const LEG_WITHIN = 4
const OFF_MIDDLE = 0.75 // a body may stand that far from the middle of its block
const MOVED_ON = 1 // blocks a target goes before the way to it is sought anew
const THOUGHT_MS = 5000 // for one search
const DIGGING_THOUGHT_MS = 10_000 // there are many more ways through the ground than over it
const STEP_THOUGHT_MS = 1000 // of that, for each block there is to go, and two more
const SHORT = 3 // blocks: so short a way is dug straight, or not at all
const AROUND = 3 // blocks it may lead around something
const STUCK_LIMIT = 3 // the pathfinder calls itself stuck after 3.5 s without a node
const STUCK_SOON = 2 // on a short way: another is dug sooner
const MOST_PUT_BACK = 5 // times in a row to the same place
const DEEP = 3 // blocks: no fall down there does harm

/** Reached in the point's own block, on it if the feet of who stands there are in it, or where the
 *  block's middle is within reach of the point. */
class Within extends goals.Goal {
  constructor (point, within, isStoodIn = false) {
    super()
    this.point = point.clone() // what lies there may move on: the end of a way that is found does not
    this.within = within
    this.height = isStoodIn ? 1 : 0
  }

  heuristic (node) {
    const middle = middleOf(node)
    const dx = Math.abs(middle.x - this.point.x)
    const dz = Math.abs(middle.z - this.point.z)
    const level = Math.abs(dx - dz) + Math.min(dx, dz) * Math.SQRT2
    return Math.max(0, level + Math.abs(middle.y - this.point.y) - Math.max(this.within, this.height))
  }

  isEnd (node) {
    const middle = middleOf(node)
    return middle.distanceTo(this.point) <= this.within ||
      (isColumn(this.point, middle) && [0, this.height].includes(middle.y - Math.floor(this.point.y)))
  }
}

function isColumn (a, b) {
  return Math.floor(a.x) === Math.floor(b.x) && Math.floor(a.z) === Math.floor(b.z)
}

// Expected: the nodes of a search are whole blocks. Actual (2.4.5): when it takes longer than a
// tick, those of the best path so far are moved to the middles of their blocks, and so the end
// itself would not be known any more. Remove when a search keeps its nodes.
function middleOf (node) {
  return new Vec3(Math.floor(node.x) + 0.5, Math.floor(node.y), Math.floor(node.z) + 0.5)
}

/** Reached wherever in the end block the body stands; moves on with its target. */
class Nearby extends Within {
  constructor (target, within) {
    super(target.point, Math.max(within - OFF_MIDDLE, OFF_MIDDLE))
    this.target = target
  }

  hasChanged () {
    if (this.target.point.distanceTo(this.point) <= MOVED_ON) return false
    this.point = this.target.point
    return true
  }
}

/** Walk until within `within` blocks (2 or more) of `target.point`, which may move meanwhile.
 *  Fails: no_path. */
async function walkAfter (bot, target, within, signal) {
  await around(bot, target.point, async left => {
    setUp(bot, walkingManners(bot, left), THOUGHT_MS)
    await walk(bot, new Nearby(target, within), signal)
  })
}

/** Walk until within `within` blocks of a point; through natural ground if it may dig, but for the
 *  zones it spares. On foot it takes a fall that hurts only where no other way leads down.
 *  Fails: no_path; blocked, where the server lets nothing be dug. */
async function walkTo (bot, point, within, signal, { mayDig = false, spared = [] } = {}) {
  await around(bot, point, async left => {
    if (mayDig) await digTo(bot, point, within, signal, { spared, shunned: left })
    else await footTo(bot, point, within, signal, left)
  })
}

/** Go around those places that the action shuns and that are on the way, and past them where no way
 *  was found. */
async function around (bot, end, go) {
  const left = onTheWay(bot.shunned, bot.entity.position, end)
  try {
    await go(left)
  } catch (error) {
    if (left.length === 0 || !isWayless(error)) throw error
    await go([])
  }
}

async function footTo (bot, point, within, signal, shunned) {
  setUp(bot, walkingManners(bot, shunned), THOUGHT_MS)
  try {
    await walkThere(bot, point, within, signal, STUCK_LIMIT)
  } catch (error) {
    const manners = isWayless(error) && bot.entity.position.y - point.y > DEEP && fallingManners(bot)
    if (!manners) throw error
    setUp(bot, manners, THOUGHT_MS)
    await walkThere(bot, point, within, signal, STUCK_LIMIT)
  }
}

async function digTo (bot, point, within, signal, places) {
  const distance = bot.entity.position.distanceTo(point)
  const isShort = distance <= SHORT
  const manners = diggingManners(bot, isShort ? distance + AROUND : Infinity, places)
  setUp(bot, manners, Math.min(DIGGING_THOUGHT_MS, STEP_THOUGHT_MS * (2 + distance)))
  await walkThere(bot, point, within, signal, isShort ? STUCK_SOON : STUCK_LIMIT)
}

async function walkThere (bot, point, within, signal, stuckLimit) {
  while (!bot.world.getColumnAt(point)) {
    const before = bot.entity.position.distanceTo(point)
    await walk(bot, legTowards(bot, point), signal)
    if (bot.entity.position.distanceTo(point) > before - 1) throw noPath('the way does not lead on')
  }
  const goal = new Within(point, within, isStoodIn(bot, point))
  await walk(bot, goal, signal, stuckLimit)
  settleIn(bot, goal)
}

function isWayless (error) {
  return error instanceof ActionFailure && error.reason === 'no_path'
}

function setUp (bot, movements, thoughtMs) {
  if (bot.pathfinder.movements !== movements) bot.pathfinder.setMovements(movements)
  // The default thinks 40 ms of every tick, and the other bots' events wait meanwhile.
  bot.pathfinder.tickTimeout = 10
  bot.pathfinder.thinkTimeout = thoughtMs
}

function legTowards (bot, point) {
  const here = bot.entity.position
  const way = point.minus(here)
  const length = Math.hypot(way.x, way.z)
  const leg = here.plus(way.scaled(Math.min(1, LEG_BLOCKS / length)))
  return new goals.GoalNearXZ(leg.x, leg.z, LEG_WITHIN)
}

// Not goto(): it resolves, as if it had arrived, when no step leads anywhere (2.4.5).
function walk (bot, goal, signal, stuckLimit = STUCK_LIMIT) {
  return new Promise((resolve, reject) => {
    let stuck = 0
    let way = []
    const thinking = new Thinking()
    const doorman = doormanOf(bot)
    const held = { where: null, times: 0 }
    const listeners = {
      putBack: () => {
        const { where } = bot.putBack
        held.times = held.where?.distanceTo(where) <= 1 ? held.times + 1 : 1
        held.where = where
        if (held.times === MOST_PUT_BACK) finish(reject, wasPutBack(bot))
      },
      goal_reached: () => finish(resolve),
      path_update: result => {
        thinking.follow(result)
        const { status, path } = result
        way = path
        if (status === 'success') leadThroughMiddles(path)
        if (status === 'success' && endsInATrap(bot, path)) finish(reject, noPath('no way leads out of the water there'))
        if (status === 'noPath' || status === 'timeout') finish(reject, noPath(FOUND_NONE[status]))
        stayInDoorways(bot, path)
      },
      path_reset: reason => {
        if (reason === 'stuck' && ++stuck === stuckLimit) finish(reject, noPath('I get stuck'))
      },
      blockUpdate: onPutBack(block => { if (mayDig(bot)) finish(reject, putBack(block)) }),
      physicsTick: () => { // after the pathfinder's own
        climb(bot, way)
        if (doorman.attend(way)) holdStill(bot)
        if (doorman.isLockedOut()) finish(reject, noPath('a door does not open'))
      }
    }
    const onAbort = () => finish(reject, signal.reason)
    function finish (end, value) {
      signal.removeEventListener('abort', onAbort)
      for (const [event, listener] of Object.entries(listeners)) bot.removeListener(event, listener)
      bot.pathfinder.setGoal(null)
      forgetDig(bot)
      doorman.closeBehind()
      end(value)
    }
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    for (const [event, listener] of Object.entries(listeners)) bot.on(event, listener)
    bot.pathfinder.setGoal(goal)
  })
}

// Expected: the pathfinder takes back its two listeners for the end of a dig. Actual (2.4.5): they
// stay behind a dig that failed before it began. Remove when each goes with its dig.
function forgetDig (bot) {
  if (bot.targetDigBlock) return
  for (const event of ['diggingAborted', 'diggingCompleted']) bot.removeAllListeners(event)
}

// Expected: each node is the middle of its block. Actual (2.4.5): those behind the first dig are
// corners, and the body catches on the blocks around. Remove when every node is a middle.
function leadThroughMiddles (path) {
  for (const node of path) {
    if (!Number.isInteger(node.x) || !Number.isInteger(node.z)) continue
    node.x += 0.5
    node.z += 0.5
  }
}

// Expected: a body goes through a doorway in its middle. Actual (2.4.5): it aims at the top of the
// door. Remove when a door is no ground to stand on.
function stayInDoorways (bot, path) {
  for (const node of path) {
    const cell = cellOf(node)
    if (doorIn(bot, cell)) node.update(cell.offset(0.5, 0, 0.5))
  }
}

function holdStill (bot) {
  for (const key of ['forward', 'sprint', 'jump']) bot.setControlState(key, false)
}

function mayDig (bot) {
  return Boolean(bot.pathfinder.movements?.canDig)
}

function putBack ({ name }) {
  return new ActionFailure('blocked', `the server put the ${name} back`)
}

const FOUND_NONE = { noPath: 'none leads there', timeout: 'I looked for one too long' }

function noPath (why) {
  return new ActionFailure('no_path', `no way there: ${why}`)
}

// The pathfinder stops anywhere near a block's middle; the middle itself is near enough.
function settleIn (bot, { point, within }) {
  const { position } = bot.entity
  if (position.distanceTo(point) <= within || !bot.entity.onGround) return
  position.set(Math.floor(position.x) + 0.5, position.y, Math.floor(position.z) + 0.5)
}

module.exports = { walkAfter, walkTo }
