'use strict'
// The bobber of a rod: where it is, whether something bites.
const { CODES } = require('../sensing/numbers.cjs')
const { nextEvent, until } = require('../waiting.cjs')

const THROWN_MS = 1500 // until the server shows the bobber
const DOWN_MS = 4000 // until it floats
const SPLASHES = ['bubble', 'fishing', 'wake']
const BESIDE = 1.5 // blocks, level
const JUST_BELOW = 0.3

/** Throw the line out with the rod in hand; the bobber, or null if none comes. */
async function castLine (bot, signal) {
  signal.throwIfAborted()
  const kind = bot.registry.version['>=']('1.14') ? bot.registry.entitiesByName.fishing_bobber.id : CODES.bobber_kind
  const isOwn = ({ type, objectData }) => type === kind && (objectData ?? bot.entity.id) === bot.entity.id
  const seen = nextEvent(bot._client, 'spawn_entity', { signal, deadlineMs: THROWN_MS, accept: isOwn })
  useRod(bot)
  const [packet] = await seen.catch(error => {
    useRod(bot) // called off: what was thrown is reeled in
    throw error
  }) ?? []
  return packet ? bot.entities[packet.entityId] ?? null : null
}

/** Whether it has come down on water. */
async function isAfloat (bot, bobber, signal) {
  const on = [[bot, 'entityMoved']]
  return Boolean(await until(() => isOnWater(bot, bobber), { on, signal, deadlineMs: DOWN_MS }))
}

function isOnWater (bot, { position }) {
  return [0, -JUST_BELOW].some(dy => /water$/.test(bot.blockAt(position.offset(0, dy, 0))?.name))
}

/** Wait until something bites; null if nothing does within that time. */
async function bite (bot, bobber, { signal, deadlineMs }) {
  const accept = packet => isSplash(bot.registry, packet) && isBeside(bobber, packet)
  return await nextEvent(bot._client, 'world_particles', { signal, deadlineMs, accept })
}

function isSplash ({ particlesByName }, { particle, particleId, particles, amount }) {
  const isKind = name => particle?.type === name || (particleId !== undefined && particlesByName[name]?.id === particleId)
  return (amount ?? particles) === CODES.splash_particles && SPLASHES.some(isKind)
}

function isBeside ({ position }, { x, z }) {
  return Math.hypot(position.x - x, position.z - z) <= BESIDE
}

/** Cast, or reel in what is cast. */
function useRod (bot) {
  bot.activateItem()
  bot.deactivateItem()
}

module.exports = { bite, castLine, isAfloat, useRod }
