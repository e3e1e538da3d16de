'use strict'
// Which world of a server a bot is in: with Multiverse and its like several share a dimension.

/** Keeps `bot.worldName`, '' where the server tells none (up to 1.15), and `bot.dimensionName`.
 *
 *  expected: who changes worlds forgets what was around. actual: mineflayer keeps entities, and
 *  blocks where the dimension is the same: bots seem to stand beside who is a world away.
 *  remove when: it forgets both. */
module.exports = function worlds (bot) {
  bot.worldName = ''
  bot.dimensionName = ''
  const enter = packet => {
    const name = (packet.worldState?.name ?? packet.worldName ?? '').replace('minecraft:', '')
    if (bot.worldName && bot.worldName !== name) forget(bot)
    bot.worldName = name
    bot.dimensionName = dimensionOf(packet)
  }
  bot._client.on('login', enter)
  bot._client.on('respawn', enter)
}

// expected: another world of the overworld is the overworld. actual: from 1.16.2 to 1.18 servers
// tell what a dimension is like, not its name, and mineflayer takes the world's name for it.
// remove when: it reads `effects`. '' elsewhere: there mineflayer knows.
function dimensionOf ({ dimension }) {
  return dimension?.value?.effects?.value.replace('minecraft:', '') ?? ''
}

function forget (bot) {
  const others = Object.values(bot.entities).filter(entity => entity !== bot.entity)
  bot._client.emit('entity_destroy', { entityIds: others.map(({ id }) => id) })
  for (const key of Object.keys(bot.world.async.columns)) bot.world.unloadColumn(...key.split(',').map(Number))
}
