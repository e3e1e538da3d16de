'use strict'
// What came with a loss of health; bridge/causes.py decides what it means. Servers tell of damage
// since 1.19.4, how a hurt shows from 1.12 to 1.19.3, and most of them of a death what it was of.
const { load } = require('./packages.cjs')
const { breathOf } = require('./sensing/traits.cjs')
const { mobOf } = require('../vanilla/mobs.cjs')

const { processNbtMessage } = load('prismarine-chat')

const BEFORE_MS = 300 // what the server sends in one tick comes at about one time; and our steps …
const LANDED_MS = 1000 // … take a way to the server and back
const AFTER_MS = 150 // vanilla tells of a push a tick after the health
const REACH = 4.5 // blocks, of arms
const SHOT = 24 // blocks, of bows
const SHOOTERS = new Set([
  'skeleton', 'stray', 'bogged', 'pillager', 'blaze', 'ghast', 'witch', 'drowned', 'shulker',
  'wither', 'ender_dragon', 'breeze', 'guardian', 'elder_guardian', 'evoker'
])
const MOST_NEAR = 8
const MOST_SIGNS = 100
const SWINGS = [0, 3] // of the main hand and the other
const ENTITY_DEAD = 2 // of a combat event up to 1.16
const PUSHED = 0.1 // blocks a tick; a hurt without a blow is told with next to none
const NOTCHES = 8000 // of a velocity, to one block a tick; up to 1.21.8
const DEEP_FALL = 3.5 // blocks; less hurts nobody
const BLAST = 12 // blocks
const BURNS = 1 // of the flags of an entity
const VOID_DEPTH = 60 // blocks below the world, where it begins to hurt
const DEATH_KEY = /^death\.(attack|fell)\./

module.exports = signs
Object.assign(module.exports, { shoots, whereIn })

/** Gives `bot.signsOf(tell)`: calls `tell` soon with the signs of what happened just now, once.
 *  Who asks at the same moment is told the same; `bot.settleSigns()` tells at once. */
function signs (bot) {
  let found = [] // {at, sign}
  let asked = null // {at, tell: […], around, timer}
  const note = sign => {
    const now = performance.now()
    found = [...found.filter(({ at }) => now - at < LANDED_MS).slice(-MOST_SIGNS), { at: now, sign }]
  }

  bot.signsOf = tell => {
    asked ??= { at: performance.now(), tell: [], around: surroundings(bot), timer: setTimeout(settle, AFTER_MS) }
    asked.tell.push(tell)
  }
  bot.settleSigns = settle
  bot._client.once('end', settle)
  watchWords(bot, note)
  watchBlows(bot, note)
  watchFalls(bot, note)

  function settle () {
    if (!asked) return
    const { at: now, tell, around, timer } = asked
    clearTimeout(timer)
    const fresh = found.filter(({ at, sign }) => now - at < (sign.kind === 'fall' ? LANDED_MS : BEFORE_MS))
    const all = [...fresh.map(({ sign }) => sign), ...around]
    found = [] // each speaks for one loss
    asked = null
    for (const one of tell) one(all)
  }
}

// --- what the server says ------------------------------------------------------------------------

function watchWords (bot, note) {
  const types = damageTypes(bot)
  const isOwn = id => id === bot.entity?.id
  const died = message => {
    const line = deathLine(bot, message)
    if (!line) return
    note(line)
    bot.emit('dying')
  }
  bot._client.on('damage_event', ({ entityId, sourceTypeId, sourceCauseId }) => {
    if (!isOwn(entityId)) return
    note({ kind: 'damage', what: types[sourceTypeId] ?? '', by: being(bot.entities[sourceCauseId - 1]) })
  })
  bot._client.on('entity_status', ({ entityId, entityStatus }) => {
    if (isOwn(entityId)) note({ kind: 'status', size: entityStatus })
  })
  // Both tell who has dealt the most blows, too, which need not be what killed: it is not read.
  bot._client.on('death_combat_event', ({ playerId, message }) => isOwn(playerId) && died(message))
  bot._client.on('combat_event', ({ event, playerId, message }) => {
    if (event === ENTITY_DEAD && isOwn(playerId)) died(message)
  })
  // No player can type a line of the system; what they type comes as `playerChat`, or within one
  // with another key.
  bot._client.on('systemChat', ({ positionId, formattedMessage }) => {
    if (positionId !== 2) died(formattedMessage)
  })
}

/** The names of the types of damage by number, as the server lists them. */
function damageTypes (bot) {
  const names = []
  const list = rows => rows?.forEach(({ id, name }) => { names[id] = name })
  const codec = tag => list(tag?.value?.['minecraft:damage_type']?.value.value.value.value.map(
    ({ id, name }) => ({ id: id.value, name: name.value })))
  bot._client.on('login', ({ dimensionCodec }) => codec(dimensionCodec))
  bot._client.on('registry_data', ({ codec: whole, id, entries }) => {
    if (whole) codec(whole)
    else if (id === 'minecraft:damage_type') list(entries.map(({ key }, id) => ({ id, name: key })))
  })
  return names
}

/** A sign of a message that tells how this bot died; null for any other. */
function deathLine (bot, message) {
  const { translate, with: [whom, by] = [] } = parsed(message) ?? {}
  if (!DEATH_KEY.test(translate) || !isBot(bot, whom)) return null
  return { kind: 'line', what: translate, by: named(bot, by) }
}

function parsed (message) {
  try {
    return typeof message === 'string' ? JSON.parse(message) : JSON.parse(processNbtMessage(message))
  } catch {
    return null // words without a key, as of 1.8
  }
}

// A pet may be called as its owner is; what a click inserts is a player's name alone.
function isBot ({ username }, name) {
  return (name?.insertion ?? textOf(name)) === username
}

/** Who a name in a message stands for, [kind, name]; null where that is not told. */
function named (bot, name) {
  if (!name) return null
  const key = /^entity\.(?:minecraft\.)?(\w+?)(?:\.name)?$/.exec(name.translate)?.[1]
  const kind = key ?? shownKind(name)
  if (kind && kind !== 'player') return creature(kind)
  const player = name.insertion ?? textOf(name)
  return kind === 'player' || Object.hasOwn(bot.players, player) ? ['player', player] : null
}

/** The kind of entity whose card a name shows: `zombie`, `player`, or undefined. */
function shownKind (name) {
  const { id, contents, value } = name?.hoverEvent ?? name?.hover_event ?? {}
  const card = id ?? contents?.type ?? /\btype"?:"?([\w:]+)/.exec(value?.text ?? value)?.[1]
  return card ? card.replace('minecraft:', '') : textOf(value).includes('{') ? 'player' : undefined
}

function textOf (component) {
  if (typeof component === 'string') return component
  return component?.text ?? component?.[''] ?? ''
}

// --- what is seen --------------------------------------------------------------------------------

function watchBlows (bot, note) {
  const scale = bot.registry.version['>=']('1.21.9') ? 1 : NOTCHES
  bot._client.on('animation', ({ entityId, animation }) => {
    const one = bot.entities[entityId]
    if (!SWINGS.includes(animation) || !one || one === bot.entity || away(bot, one) > REACH) return
    const by = being(one)
    if (by) note({ kind: 'swing', by, way: wayFrom(bot, one) })
  })
  bot._client.on('entity_velocity', ({ entityId, velocity }) => {
    if (entityId !== bot.entity?.id) return
    const way = [velocity.x / scale, velocity.z / scale]
    if (Math.hypot(...way) >= PUSHED) note({ kind: 'push', way })
  })
  bot._client.on('explosion', packet => {
    const { x, z } = packet.center ?? packet
    if (!bot.entity || Math.hypot(x - bot.entity.position.x, z - bot.entity.position.z) > BLAST) return
    const { x: dx = packet.playerMotionX ?? 0, z: dz = packet.playerMotionZ ?? 0 } = packet.playerKnockback ?? {}
    note({ kind: 'explosion', size: Math.hypot(dx, dz) })
  })
}

function watchFalls (bot, note) {
  let top // the height from which it falls
  bot.on('forcedMove', () => { top = bot.entity.position.y })
  bot.on('physicsTick', () => {
    const { position, onGround, isInWater } = bot.entity
    if (onGround && top - position.y >= DEEP_FALL) note({ kind: 'fall', size: top - position.y })
    top = onGround || isInWater ? position.y : Math.max(top ?? position.y, position.y)
  })
}

/** Where the bot is in, and who is near, as signs. */
function surroundings (bot) {
  const inside = [...whereIn(bot)].map(what => ({ kind: 'inside', what }))
  const monsters = Object.values(bot.entities)
    .map(one => ({ one, mob: mobOf(one.name), far: away(bot, one) }))
    .filter(({ one, mob, far }) => mob?.isHostile && far <= (shoots(one) ? SHOT : REACH))
    .sort((a, b) => a.far - b.far)
    .slice(0, MOST_NEAR)
  return [...inside, ...monsters.map(({ one }) => ({ kind: 'near', by: being(one), way: wayFrom(bot, one) }))]
}

function * whereIn (bot) {
  const { position, metadata } = bot.entity
  const blocks = [0, 1].map(up => bot.blockAt(position.offset(0, up, 0), false)?.name)
  if (blocks.includes('lava') || blocks.includes('flowing_lava')) yield 'lava'
  if (blocks.includes('fire') || blocks.includes('soul_fire')) yield 'fire'
  if (metadata?.[0] & BURNS) yield 'burning'
  if (breathOf(bot) <= 0) yield 'drowning'
  if (bot.food === 0 && (bot.health > 0 || bot.game.difficulty === 'hard')) yield 'hunger' // source: minecraft.wiki/w/Hunger
  if (position.y < (bot.game.minY ?? 0) - VOID_DEPTH) yield 'void'
}

/** Whether it does harm from afar; a drowned only with a trident. */
function shoots (entity) {
  const name = mobOf(entity.name)?.name
  return SHOOTERS.has(name) && (name !== 'drowned' || entity.equipment.some(item => item?.name === 'trident'))
}

/** [kind, name] of an entity that may strike; null for a thing, or nobody. */
function being (entity) {
  if (!entity) return null
  return entity.type === 'player' ? entity.username ? ['player', entity.username] : null : creature(entity.name)
}

function creature (name) {
  const mob = mobOf(name)
  return mob && ['creature', mob.name]
}

function away (bot, { position }) {
  return position.distanceTo(bot.entity.position)
}

function wayFrom (bot, { position }) {
  return [bot.entity.position.x - position.x, bot.entity.position.z - position.z]
}
