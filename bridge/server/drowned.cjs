'use strict'
// The mind of a drowned: a zombie that swims. By day it keeps to the water and hunts only who is in
// it. No tridents, rods or shells. After vanilla 1.16.5; source: minecraft.wiki/w/Drowned.

const { isNight } = require('./beds.cjs')
const { mind } = require('./melee.cjs')
const pathTo = require('./paths.cjs')
const { isWater } = require('./waters.cjs')
const { hunters } = require('../vanilla/dangers.json')

const KIND = { // and blocks a second
  ...{ health: 20, experience: 5, leaves: [['rotten_flesh', 0, 2]], rarely: [['gold_ingot'], 0.05] },
  ...{ burns: true, young: 0.05, isSoleComer: true, keepsToWater: true },
  ...{ ...hunters.zombie, eyes: 1.74, youngReach: 0.98, swims: 0.7 }
}
const [RISES, SINKS] = [4.6, 0.5] // blocks a second
const [DRAG, TICK_S] = [0.8, 0.05] // what a tick in water leaves of a push
const STILL = 0.5 // blocks a second of a push that are none
const YOUNG_SPEED = 1.5
const [LOOKS, ASIDE, UP, DOWN] = [100, 10, 2, 5] // for water: tries each thought, vanilla's of ten ticks; blocks

module.exports = function drowned (serv, { strike }) {
  const { act, isNear } = mind(serv, strike, KIND, rest)

  async function rest (self, stroll) {
    if (isNight(serv.time)) return stroll(self)
    return self.isWet ? [] : wayToWater(self)
  }

  async function wayToWater ({ world, position, way }) {
    const aside = () => (2 * Math.random() - 1) * ASIDE
    for (let i = 0; i < LOOKS && !way.length; i++) {
      const at = position.offset(aside(), UP - Math.random() * (UP + DOWN), aside())
      if (isWater(await world.getBlock(at.floored()))) return pathTo(world, position, at, { swims: true })
    }
    return way
  }

  /** Where it is after some seconds in water; null where it is in none. */
  async function move (self, seconds) {
    const { world, position, velocity, way } = self
    self.isWet = isWater(await world.getBlock(position.floored()))
    if (!self.isWet) return null
    velocity.scale(velocity.norm() > STILL ? DRAG ** (seconds / TICK_S) : 0)
    const own = isNear(self) ? position : way.length ? along(self, seconds) : position.offset(0, -SINKS * seconds, 0)
    const next = own.plus(velocity.scaled(seconds))
    for (const at of [next, position.offset(0, next.y - position.y, 0)]) {
      if ((await world.getBlock(at.floored())).boundingBox === 'empty') return { position: at, onGround: true }
    }
    return { position, onGround: true }
  }

  return { ...KIND, act, isNear, move }
}

/** On towards the next point of its way. */
function along ({ position, way, isYoung }, seconds) {
  const left = way[0].minus(position)
  const [flat, step] = [Math.hypot(left.x, left.z), KIND.swims * (isYoung ? YOUNG_SPEED : 1) * seconds]
  const [share, rise] = [Math.min(1, step / (flat || 1)), RISES * seconds]
  if (flat <= step && Math.abs(left.y) <= rise) return way.shift()
  return position.offset(left.x * share, Math.max(-rise, Math.min(rise, left.y)), left.z * share)
}
