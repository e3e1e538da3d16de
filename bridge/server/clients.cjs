'use strict'
// How our rules take a packet over from flying-squid's own handlers.

/** Handle `event` of this player alone; a fault is reported and ends nothing. */
function takeOver (serv, player, event, handle) {
  player._client.removeAllListeners(event)
  listen(serv, player, event, handle)
}

/** Handle `event` beside whoever else does. */
function listen (serv, player, event, handle) {
  player._client.on(event, async packet => {
    try {
      await handle(packet)
    } catch (error) {
      serv.emit('error', error)
    }
  })
}

function alive (player) {
  return !player.disconnected && player.health > 0
}

module.exports = { takeOver, listen, alive }
