'use strict'
// What a block holds back that the search for a way does not know of: lava below it, water that
// plants stand in, and what falls. Sand and gravel may fall where they come to lie in the place of
// the block, to be dug in turn: else no way leads out of a pit in sand.
const { groundAt } = require('../ground.cjs')
const { load } = require('../packages.cjs')
const { Vec3 } = load('vec3')

const LAVA = /^(flowing_)?lava$/
const WATERY = /^(bubble_column|kelp|kelp_plant|seagrass|tall_seagrass)$/
const LOOSE = /^(red_)?sand$|^gravel$/
const MOST_LOOSE = 6 // one upon the other
const FALLS = /^(suspicious_sand|suspicious_gravel|(\w+_)?concrete_powder|((chipped|damaged)_)?anvil|dragon_egg|pointed_dripstone)$/
const EMPTY = 'empty'
const [UP, DOWN] = [new Vec3(0, 1, 0), new Vec3(0, -1, 0)]
const SIDES = [new Vec3(1, 0, 0), new Vec3(-1, 0, 0), new Vec3(0, 0, 1), new Vec3(0, 0, -1)]

/** Answers for each block whether something flows or falls in where it is broken; each is looked
 *  at once. */
function heldBackAround (bot) {
  const known = new Map()
  return ({ position }) => {
    const key = `${position.x},${position.y},${position.z}`
    if (!known.has(key)) known.set(key, holdsBack(bot, position))
    return known.get(key)
  }
}

function holdsBack (bot, position) {
  const nameAt = step => groundAt(bot, position.plus(step))?.name ?? ''
  const above = nameAt(UP)
  if (FALLS.test(above) || LAVA.test(nameAt(DOWN))) return true
  if (LOOSE.test(above) && !comesToLie(bot, position)) return true
  return [above, ...SIDES.map(nameAt)].some(name => LAVA.test(name) || WATERY.test(name))
}

/** Whether the loose blocks above a block come to lie in its place, and are few. */
function comesToLie (bot, position) {
  if (groundAt(bot, position.plus(DOWN))?.boundingBox === EMPTY) return false
  for (let up = 1; up <= MOST_LOOSE + 1; up++) {
    const { name = '' } = groundAt(bot, position.offset(0, up, 0)) ?? {}
    if (!LOOSE.test(name)) return !FALLS.test(name) && !LAVA.test(name) && !WATERY.test(name)
  }
  return false
}

module.exports = { heldBackAround }
