'use strict'
// What other players throw, and for whom. No server tells who threw an item: it is whoever it
// appears in front of, at the height from which players throw. It is for the player they look at.
const { stackOf } = require('./acting/drops.cjs')

const AWAY = 0.5 // blocks; what falls out of a block beside a player is further off
const HEIGHT = [0.8, 1.5] // above the feet: 0.3 below the eyes, sneaking or not
const MOST = 200 // lying items of which it is known who threw them
const FARTHEST = 6 // blocks from who throws to who gets it
const ASIDE = 0.6 // blocks beside their line of sight for each block ahead: 30 degrees
const DOUBT = 1 // block that somebody else must be nearer to that line, or what is thrown is the bot's
const ROOM = 4 // blocks around whoever is given something; a thrown item is picked up 1.4 away
const KEPT_MS = 60_000 // for so long it is theirs; then anybody's

/** Keeps `bot.throws`: {from, to, until} of items by number; has `bot` emit `given` with {from,
 *  item, count, meant_for}, the last where it was for somebody else, and `handing` with {from, to}
 *  when others hand something over beside it. */
function gifts (bot) {
  bot.throws = new Map()

  bot.on('entitySpawn', entity => {
    const thrower = entity.name?.toLowerCase() === 'item' && throwerOf(bot, entity.position)
    if (!thrower) return
    const from = thrower.username
    const taker = takerFrom(bot, thrower)
    const to = taker === bot.entity ? undefined : taker?.username
    bot.throws.set(entity.id, { from, to, until: performance.now() + KEPT_MS })
    if (bot.throws.size > MOST) bot.throws.delete(bot.throws.keys().next().value)
    if (to && taker.position.distanceTo(bot.entity.position) < ROOM) bot.emit('handing', { from, to })
  })

  bot._client.on('collect', ({ collectedEntityId, collectorEntityId, pickupItemCount }) => {
    const thrown = bot.throws.get(collectedEntityId)
    const stack = stackOf(bot, bot.entities[collectedEntityId])
    if (!thrown || !stack || collectorEntityId !== bot.entity?.id) return
    const { from, to, until } = thrown
    const meantFor = performance.now() < until ? to : undefined
    bot.emit('given', { from, item: stack.name, count: pickupItemCount ?? stack.count, meant_for: meantFor })
  })

  bot.on('entityGone', ({ id }) => bot.throws.delete(id))
}

function throwerOf (bot, { x, y, z }) {
  const away = ({ position: feet }) => Math.hypot(feet.x - x, feet.z - z)
  const isThrower = ({ type, position: feet }) => {
    return type === 'player' && y - feet.y >= HEIGHT[0] && y - feet.y <= HEIGHT[1]
  }
  const [nearest] = Object.values(bot.entities).filter(isThrower).sort((a, b) => away(a) - away(b))
  return nearest && nearest !== bot.entity && away(nearest) <= AWAY ? nearest : undefined
}

/** The player that a thrower looks at: near, and near the line of sight. */
function takerFrom (bot, thrower) {
  const [ahead, right] = [[-Math.sin(thrower.yaw), -Math.cos(thrower.yaw)], [Math.cos(thrower.yaw), -Math.sin(thrower.yaw)]]
  const seen = Object.values(bot.entities)
    .filter(one => one.type === 'player' && one !== thrower)
    .map(player => {
      const { x, z } = player.position.minus(thrower.position)
      const along = x * ahead[0] + z * ahead[1]
      const aside = Math.abs(x * right[0] + z * right[1])
      const isAhead = along > 0 && along <= FARTHEST && aside <= along * ASIDE
      return { player, isAhead, cost: along + 3 * aside - (player === bot.entity ? DOUBT : 0) }
    })
  return seen.filter(one => one.isAhead).sort((a, b) => a.cost - b.cost)[0]?.player
}

module.exports = gifts
