'use strict'
// What other players throw to a bot, and it picks up. No server tells who threw an item: it is
// whoever it appears in front of, at the height from which players throw.
const { stackOf } = require('./acting/drops.cjs')

const AWAY = 0.5 // blocks; what falls out of a block beside a player is further off
const HEIGHT = [0.8, 1.5] // above the feet: 0.3 below the eyes, sneaking or not
const MOST = 200 // lying items of which it is known who threw them

/** Has `bot` emit `given` with {from, item, count}. */
function gifts (bot) {
  const throwers = new Map() // number of what lies there -> the name of who threw it

  bot.on('entitySpawn', entity => {
    const thrower = entity.name?.toLowerCase() === 'item' && throwerOf(bot, entity.position)
    if (!thrower) return
    throwers.set(entity.id, thrower)
    if (throwers.size > MOST) throwers.delete(throwers.keys().next().value)
  })

  bot._client.on('collect', ({ collectedEntityId, collectorEntityId, pickupItemCount }) => {
    const from = throwers.get(collectedEntityId)
    const stack = stackOf(bot, bot.entities[collectedEntityId])
    if (!from || !stack || collectorEntityId !== bot.entity?.id) return
    bot.emit('given', { from, item: stack.name, count: pickupItemCount ?? stack.count })
  })

  bot.on('entityGone', ({ id }) => throwers.delete(id))
}

function throwerOf (bot, { x, y, z }) {
  const away = ({ position: feet }) => Math.hypot(feet.x - x, feet.z - z)
  const isThrower = ({ type, position: feet }) => {
    return type === 'player' && y - feet.y >= HEIGHT[0] && y - feet.y <= HEIGHT[1]
  }
  const [nearest] = Object.values(bot.entities).filter(isThrower).sort((a, b) => away(a) - away(b))
  const isIt = nearest && nearest !== bot.entity && away(nearest) <= AWAY
  return isIt ? nearest.username : undefined
}

module.exports = gifts
