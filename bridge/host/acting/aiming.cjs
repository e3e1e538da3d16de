'use strict'
// How an arrow flies, and who is in its way.
const { load } = require('../packages.cjs')

const { Vec3 } = load('vec3')

// Of a bow drawn in full; source: minecraft.wiki/w/Arrow, Bow
const [SPEED, GRAVITY, DRAG] = [3, 0.05, 0.99] // blocks a tick, and what a tick adds and leaves
const MOST_TICKS = 60
const TRIES = 6 // of the pitch, by the slope of a straight line
const EYES = 1.52 // blocks above the feet, where arrows start
const BODY = 1.2 // blocks beside the way in which nobody else may be
const BEYOND = 12 // blocks that a miss flies on

/** {pitch, ticks} at which an arrow comes down so many blocks away and higher; null: it does not. */
function aimAt (away, up) {
  let pitch = Math.atan2(up, away)
  let flown = null
  for (let i = 0; i < TRIES; i++) {
    flown = fly(pitch, away)
    if (!flown) return null
    pitch += (up - flown.up) * Math.cos(pitch) ** 2 / away
  }
  return { pitch, ticks: flown.ticks }
}

function fly (pitch, away) {
  let [x, y, vx, vy] = [0, 0, SPEED * Math.cos(pitch), SPEED * Math.sin(pitch)]
  for (let ticks = 1; ticks <= MOST_TICKS; ticks++) {
    if (x + vx >= away) {
      const share = (away - x) / vx
      return { up: y + vy * share, ticks: ticks - 1 + share }
    }
    x += vx
    y += vy
    vx *= DRAG
    vy = vy * DRAG - GRAVITY
  }
  return null
}

/** The point to look at, so that an arrow meets what is `at` a point and moves so far in a tick;
 *  null where it is out of reach. */
function lead (bot, at, step) {
  const from = bot.entity.position.offset(0, EYES, 0)
  const wayTo = point => [Math.hypot(point.x - from.x, point.z - from.z), point.y - from.y]
  const first = aimAt(...wayTo(at))
  const there = first && at.plus(step.scaled(first.ticks))
  const aim = there && aimAt(...wayTo(there))
  if (!aim) return null
  const [away] = wayTo(there)
  // looked at from the eyes, not from where the arrow starts
  return new Vec3(there.x, bot.entity.position.y + bot.entity.eyeHeight + Math.tan(aim.pitch) * away, there.z)
}

/** Whether no block, player or animal is between a bot and a point, nor anybody beyond it. */
function isClear (bot, target, at) {
  const from = bot.entity.position.offset(0, EYES, 0)
  const way = at.minus(from)
  const [length, unit] = [way.norm(), way.unit()]
  if (bot.world.raycast(from, unit, length)) return false
  return !Object.values(bot.entities).some(({ type, position, height }) => {
    if (position === bot.entity.position || position === target.position || !BEINGS.has(type)) return false
    const to = position.offset(0, (height ?? 1) / 2, 0).minus(from)
    const along = Math.min(Math.max(to.dot(unit), 0), length + BEYOND)
    return to.minus(unit.scaled(along)).norm() < BODY
  })
}

const BEINGS = new Set(['player', 'mob', 'animal', 'hostile', 'passive', 'living', 'ambient', 'water_creature'])

module.exports = { aimAt, isClear, lead }
