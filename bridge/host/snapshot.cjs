'use strict'
// Everything a bot senses, read at one moment: WorldSnapshot in bridge/world.py.

const { namesOf } = require('./names.cjs')
const { AIR, SIDE, stateAt } = require('./sensing/sections.cjs')
const { isRaining } = require('./sky.cjs')
const { mobOf, snakeCase } = require('../vanilla/mobs.cjs')
const { coatOf, healthOf, isSomebodys, isYoung } = require('./sensing/traits.cjs')

const DEGREES = 180 / Math.PI
const MOST_MOBS = 32 // of monsters, and of others: a herd hides no monster
const WORN_SLOTS = [5, 6, 7, 8, 45] // armour, and the off hand since 1.9

/** The snapshot of a bot, with the counts of blocks at most `reach` away along each axis. */
function snapshot (bot, { blocks_within: reach }) {
  const { entity, game, time } = bot
  const inventory = bot.currentWindow ?? bot.inventory // an open window holds the newest items
  return {
    bot: bot.username,
    at: Date.now(),
    version: bot.version,
    position: triple(entity.position),
    yaw: (entity.yaw * DEGREES + 360) % 360, // mineflayer: 0 = north, counter-clockwise
    pitch: entity.pitch * DEGREES,
    dimension: bot.dimensionName || game.dimension,
    world: bot.worldName,
    game_mode: game.gameMode,
    health: bot.health,
    food: bot.food,
    time_of_day: time.timeOfDay ?? 0,
    spawn_point: triple(bot.spawnPoint),
    held: bot.heldItem && stack(bot.heldItem),
    items: inventory.items().map(stack),
    free_slots: inventory.emptySlotCount(),
    players: players(bot),
    blocks: reach > 0 ? blockCounts(bot, reach) : [],
    weather: weather(bot),
    worn: worn(bot),
    mobs: mobs(bot),
    effects: effects(bot),
    difficulty: bot.difficulty,
    died: bot.died && [bot.died.number, bot.died.where]
  }
}

function triple ({ x, y, z }) {
  return [x, y, z]
}

function weather (bot) {
  if (!isRaining(bot)) return 'clear'
  return bot.thunderState > 0 ? 'thunder' : 'rain'
}

function worn ({ inventory }) {
  return WORN_SLOTS.map(slot => inventory.slots[slot]?.name).filter(Boolean)
}

function mobs ({ entities, entity: self, registry }) {
  const away = ({ position }) => position.distanceTo(self.position)
  const found = Object.values(entities)
    .map(entity => ({ ...mobOf(entity.name), entity, position: entity.position }))
    .filter(({ name }) => name)
  return nearestOf(found, away).map(({ name, position, isHostile, entity }) => {
    const traits = [isYoung(registry, entity), coatOf(registry, name, entity), isSomebodys(registry, entity)]
    return [name, triple(position), isHostile, entity.id, ...traits]
  })
}

/** As many creatures as are told, nearest first. */
function nearestOf (mobs, away) {
  const left = { true: MOST_MOBS, false: MOST_MOBS }
  return mobs.sort((a, b) => away(a) - away(b)).filter(({ isHostile }) => left[isHostile]-- > 0)
}

function effects ({ entity, registry }) {
  return Object.values(entity.effects ?? {})
    .map(({ id }) => snakeCase(registry.effects[id]?.name ?? `effect ${id}`))
}

function stack ({ name, count }) {
  return [name, count]
}

function players (bot) {
  return Object.values(bot.players)
    .filter(({ username }) => username !== bot.username)
    .map(({ username, entity }) => [
      username,
      entity ? triple(entity.position) : null,
      entity ? healthOf(bot.registry, entity) : null
    ])
}

function blockCounts (bot, reach) {
  const states = new Map() // state number -> count
  const { x, y, z } = bot.entity.position.floored()
  const box = { from: [x - reach, y - reach, z - reach], to: [x + reach, y + reach, z + reach] }
  for (const [chunkX, rangeX] of chunks(box.from[0], box.to[0])) {
    for (const [chunkZ, rangeZ] of chunks(box.from[2], box.to[2])) {
      const column = bot.world.getColumn(chunkX, chunkZ)
      if (column) countColumn(column, rangeX, [box.from[1], box.to[1]], rangeZ, states)
    }
  }
  return named(bot.registry, states)
}

/** The chunks that a range of blocks touches, each with the part of it inside: [from, to]. */
function * chunks (from, to) {
  for (let chunk = from >> 4; chunk <= to >> 4; chunk++) {
    const start = chunk * SIDE
    yield [chunk, [Math.max(from - start, 0), Math.min(to - start, SIDE - 1)]]
  }
}

function countColumn (column, rangeX, [bottom, top], rangeZ, states) {
  const minY = column.minY ?? 0
  for (const [index, rangeY] of chunks(bottom - minY, top - minY)) {
    const section = column.sections[index]
    if (section) countSection(section, rangeX, rangeY, rangeZ, states)
  }
}

function countSection (section, rangeX, rangeY, rangeZ, states) {
  if (section.solidBlockCount === 0) return // nothing but air
  const only = section.data?.value // a section of one kind of block from 1.18 on
  if (only !== undefined) return add(states, only, size(rangeX) * size(rangeY) * size(rangeZ))
  let state = 0
  let run = 0 // neighbours are mostly alike: one entry for a run of them
  for (const at of places(rangeX, rangeY, rangeZ)) {
    const next = stateAt(section, at)
    if (next !== state) {
      add(states, state, run)
      state = next
      run = 0
    }
    run++
  }
  add(states, state, run)
}

/** Every place of a box, in one object that changes. */
function * places ([fromX, toX], [fromY, toY], [fromZ, toZ]) {
  const at = { x: 0, y: 0, z: 0 }
  for (at.y = fromY; at.y <= toY; at.y++) {
    for (at.z = fromZ; at.z <= toZ; at.z++) {
      for (at.x = fromX; at.x <= toX; at.x++) yield at
    }
  }
}

function add (states, state, count) {
  states.set(state, (states.get(state) ?? 0) + count)
}

function size ([from, to]) {
  return to - from + 1
}

function named (registry, states) {
  const names = namesOf(registry)
  const counts = new Map()
  for (const [state, count] of states) {
    const name = names.blockOf(state)?.name
    if (name && !AIR.has(name)) add(counts, name, count)
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
}

module.exports = { mobs, nearestOf, snapshot }
