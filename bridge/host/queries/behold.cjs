'use strict'
// What lies before the eyes: a fan of rays through the loaded world, told as names, distances and
// shares, and the players, animals and monsters that no block hides.
const { Sections } = require('../sensing/sections.cjs')
const { slices } = require('../sensing/slices.cjs')
const { nearestOf } = require('../snapshot.cjs')
const { mobOf } = require('../../vanilla/mobs.cjs')
const { along, direction, kinds } = require('../sensing/rays.cjs')

const DEGREES = 180 / Math.PI
const FACE = 1.62 // blocks above a player's feet
const CHEST = 0.9

module.exports = async function behold (bot, question) {
  const started = performance.now()
  const { entity } = bot
  const sight = {
    eyes: entity.position.offset(0, entity.eyeHeight ?? FACE, 0),
    yaw: question.yaw ?? (entity.yaw * DEGREES + 360) % 360,
    pitch: question.pitch ?? entity.pitch * DEGREES,
    sections: new Sections(bot),
    kindOf: kinds(bot.registry),
    checks: 0
  }
  const { blocks, sky, rays } = await fan(sight, question)
  return {
    eyes: sight.eyes.toArray(),
    yaw: sight.yaw,
    pitch: sight.pitch,
    blocks,
    sky,
    players: players(bot, sight, question),
    mobs: mobs(bot, sight, question),
    rays,
    checks: sight.checks,
    took_ms: performance.now() - started
  }
}

async function fan (sight, { reach, across, down, field_across: wide, field_down: tall }) {
  const giveWay = slices()
  const seen = new Map() // name -> {rays, last, distance, at}
  const rays = across * down
  let sky = 0
  for (let ray = 0; ray < rays; ray++) {
    const yaw = sight.yaw - ((ray % across + 0.5) / across - 0.5) * wide
    const pitch = sight.pitch - ((Math.floor(ray / across) + 0.5) / down - 0.5) * tall
    const ends = along(sight, direction(yaw, clamp(pitch)), reach, hit => note(seen, ray, hit))
    if (!ends) sky++
    const rest = giveWay()
    if (rest) await rest
  }
  const blocks = [...seen].sort(([, a], [, b]) => b.rays - a.rays)
    .map(([name, { at, distance, rays: met }]) => [name, at, distance, met / rays])
  return { blocks, sky: sky / rays, rays }
}

function note (seen, ray, { name, at, distance }) {
  let entry = seen.get(name)
  if (!entry) seen.set(name, entry = { rays: 0, last: -1, distance: Infinity, at })
  if (entry.last !== ray) entry.rays++
  entry.last = ray
  if (distance < entry.distance) Object.assign(entry, { distance, at })
}

function players (bot, sight, question) {
  return Object.values(bot.players)
    .filter(({ username, entity }) => entity && username !== bot.username)
    .map(({ username, entity }) => ({ username, at: entity.position }))
    .filter(({ at }) => [FACE, CHEST].some(up => isSeen(sight, question, at.offset(0, up, 0))))
    .sort((a, b) => a.at.distanceTo(sight.eyes) - b.at.distanceTo(sight.eyes))
    .map(({ username, at }) => [username, at.toArray()])
}

function mobs (bot, sight, question) {
  const seen = Object.values(bot.entities)
    .map(({ name, position: at, height }) => ({ ...mobOf(name), at, height: height ?? 1 }))
    .filter(({ name, at, height }) => name && isSeen(sight, question, at.offset(0, height * 0.8, 0)))
  return nearestOf(seen, ({ at }) => at.distanceTo(sight.eyes))
    .map(({ name, at, isHostile }) => [name, at.toArray(), isHostile])
}

function isSeen (sight, { reach, field_across: wide, field_down: tall }, point) {
  const way = point.minus(sight.eyes)
  const distance = way.norm()
  if (distance > reach) return false
  if (distance < 1e-6) return true
  const yaw = Math.atan2(-way.x, -way.z) * DEGREES
  const pitch = Math.asin(way.y / distance) * DEGREES
  const aside = ((yaw - sight.yaw + 180) % 360 + 360) % 360 - 180
  if (Math.abs(aside) > wide / 2 || Math.abs(pitch - sight.pitch) > tall / 2) return false
  return !along(sight, way.scaled(1 / distance), distance, () => {})
}

function clamp (pitch) {
  return Math.min(Math.max(pitch, -90), 90)
}
