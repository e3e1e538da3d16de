'use strict'
// What hurts a bot. Servers since 1.19.4 name the creature; before, it is what is near or what
// the bot is in.

const { mobOf } = require('../vanilla/mobs.cjs')
const { breathOf } = require('./sensing/traits.cjs')

const BLAMED_MS = 1000 // from what hurts to the health that is left
const NEAR = 4 // blocks from which creatures hit …
const FAR = 24 // … and shoot
const SHOOTERS = new Set([
  'skeleton', 'stray', 'bogged', 'pillager', 'blaze', 'ghast', 'witch', 'drowned', 'shulker',
  'wither', 'ender_dragon', 'breeze', 'guardian', 'elder_guardian', 'evoker'
])
const DEEP_FALL = 3.5 // blocks; less hurts nobody

/** Has `bot` emit `hurt` with {lost, health, by, player, where}. */
function harm (bot) {
  let health // as of the last time it was told
  let blamed = { at: 0 }
  let top // the height from which it falls

  const blame = (by, player) => { blamed = { at: Date.now(), by, player } }

  bot._client.on('damage_event', ({ entityId, sourceCauseId }) => {
    const cause = bot.entities[sourceCauseId - 1]
    if (entityId === bot.entity?.id && cause) blame(nameOf(cause), cause.username)
  })
  bot._client.on('explosion', ({ x, y, z, center }) => {
    const at = center ?? { x, y, z }
    if (Date.now() - blamed.at < BLAMED_MS || !bot.entity) return
    if (Math.hypot(at.x - bot.entity.position.x, at.z - bot.entity.position.z) < 12) blame('explosion')
  })
  bot.on('physicsTick', () => {
    const { position, onGround, isInWater } = bot.entity
    if (onGround && top - position.y >= DEEP_FALL) blame('fall')
    top = onGround || isInWater ? position.y : Math.max(top ?? position.y, position.y)
  })
  bot.on('health', () => {
    const lost = health - bot.health
    health = bot.health
    if (!(lost > 0)) return
    const known = Date.now() - blamed.at < BLAMED_MS ? blamed : { by: likely(bot) }
    const where = [bot.entity.position.x, bot.entity.position.y, bot.entity.position.z]
    const dimension = bot.dimensionName || bot.game.dimension
    const { by, player = null } = known
    bot.emit('hurt', { lost, health: Math.max(0, health), by, player, where, dimension })
  })
}

/** What is most likely to have hurt it; '' where nothing is. */
function likely (bot) {
  const { position } = bot.entity
  const inside = [0, 1].map(up => bot.blockAt(position.offset(0, up, 0), false)?.name)
  if (inside.includes('lava')) return 'lava'
  if (inside.includes('fire') || inside.includes('soul_fire')) return 'fire'
  if (breathOf(bot) <= 0) return 'drowning'
  return attacker(bot) ?? (bot.food === 0 ? 'hunger' : '')
}

function attacker ({ entities, entity: self }) {
  const away = ({ position }) => position.distanceTo(self.position)
  return Object.values(entities)
    .filter(({ name }) => mobOf(name)?.isHostile)
    .sort((a, b) => away(a) - away(b))
    .filter(one => away(one) <= (SHOOTERS.has(mobOf(one.name).name) ? FAR : NEAR))
    .map(({ name }) => mobOf(name).name)[0]
}

function nameOf ({ name, type }) {
  return type === 'player' ? 'player' : mobOf(name)?.name ?? name ?? ''
}

module.exports = harm
