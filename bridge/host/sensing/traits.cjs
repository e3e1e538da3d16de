'use strict'
// What the metadata of a creature says of it. What a server leaves out is as usual: grown up,
// wild, and white wool on its back.

const { mobOf } = require('../../vanilla/mobs.cjs')
const { CODES, told } = require('./numbers.cjs')

const COLOURS = [
  'white', 'orange', 'magenta', 'light_blue', 'yellow', 'lime', 'pink', 'gray',
  'light_gray', 'cyan', 'purple', 'blue', 'brown', 'green', 'red', 'black'
]
const TICKS_A_BUBBLE = 15 // of breath; there are 20 half bubbles

// Others have something else where the young say so: a creeper whether it swells, a cod whether it
// was in a bucket.
const HOSTILE_YOUNG = new Set([
  'camel_husk', 'drowned', 'hoglin', 'husk', 'piglin', 'zoglin', 'zombie', 'zombie_nautilus', 'zombie_villager',
  'zombified_piglin'
])
const NEVER_YOUNG = new Set([
  'allay', 'bat', 'cod', 'copper_golem', 'iron_golem', 'pufferfish', 'salmon', 'snow_golem', 'tadpole', 'tropical_fish'
])

const PETS = new Set(['cat', 'nautilus', 'ocelot', 'parrot', 'wolf', 'zombie_nautilus'])
const STEEDS = new Set(['donkey', 'horse', 'llama', 'mule', 'skeleton_horse', 'trader_llama', 'zombie_horse'])

function isYoung (registry, entity) {
  const { name, isHostile } = mobOf(entity.name) ?? {}
  if (!name || !(isHostile ? HOSTILE_YOUNG.has(name) : !NEVER_YOUNG.has(name))) return false
  const age = told(registry, entity, name === 'piglin' ? 'piglin_baby' : 'baby')
  return age === true || (isHostile ? age > 0 : age < 0) // up to 1.8 a number
}

/** The colour of a sheep that has its wool; else null. */
function coatOf (registry, name, entity) {
  if (name !== 'sheep') return null
  const flags = told(registry, entity, 'flags') ?? 0
  return flags & CODES.wool_shorn_bit ? null : COLOURS[flags & CODES.wool_colour_bits]
}

/** Whether somebody gave it a name, has it on a lead, or tamed it. */
function isSomebodys (registry, entity) {
  return Boolean(told(registry, entity, 'custom_name')) || Boolean(entity.isLeashed) || isTame(registry, entity)
}

function isTame (registry, entity) {
  const { name } = mobOf(entity.name) ?? {}
  const bit = PETS.has(name) ? CODES.tame_pet_bit : STEEDS.has(name) ? CODES.tame_steed_bit : 0
  return Boolean(told(registry, entity, 'flags') & bit)
}

/** Has entities remember what the server says of the leads they are on. */
function leads (bot) {
  bot._client.on('attach_entity', ({ entityId, vehicleId, leash = true }) => { // up to 1.8 it tells of riders, too
    const entity = bot.entities[entityId]
    if (entity && leash) entity.isLeashed = vehicleId > 0 // loose: -1, since 1.14 0
  })
}

function healthOf (registry, entity) {
  return told(registry, entity, 'health') ?? null
}

/** Whether it draws a bow, or uses something else; up to 1.8 that is not told. */
function usesHands (registry, entity) {
  return Boolean(told(registry, entity, 'hands') & CODES.hands_in_use_bit)
}

/** Half bubbles of breath that a bot has left, as mineflayer's `oxygenLevel`; undefined while it is
 *  not told.
 *
 *  expected: a bot has its own breath. actual: from 1.19.4 on mineflayer takes that of whichever
 *  creature was told of last. remove when: it looks whose it is */
function breathOf ({ registry, entity }) {
  const ticks = told(registry, entity, 'air')
  return ticks === undefined ? undefined : Math.round(ticks / TICKS_A_BUBBLE)
}

module.exports = { breathOf, coatOf, healthOf, isSomebodys, isYoung, leads, usesHands }
