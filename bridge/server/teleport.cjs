'use strict'
// Putting a player elsewhere, with the land there.

module.exports = function teleport (serv, windows) {
  serv.on('newPlayer', player => {
    // expected: whoever is put far away gets the chunks there
    // actual:   flying-squid sends chunks at the next step, which a client without chunks never takes
    // remove when: player.teleport of flying-squid sends chunks
    const stock = player.teleport
    player.teleport = async position => {
      stayWhereSent(player)
      windows.close(player)
      await stock(position)
      const [chunkX, chunkZ] = [position.x, position.z].map(value => Math.floor(value / 16))
      player._client.write('update_view_position', { chunkX, chunkZ })
      player.updateAndSpawn()
      await player.worldSendRestOfChunks()
    }
  })
}

// expected: where a player was put last is where they are
// actual:   flying-squid ends a login, seconds later perhaps, by setting the position it began with
// remove when: login.js of flying-squid resends the present position
function stayWhereSent (player) {
  if (player.sent) return
  player.sent = true
  const stock = player.sendSelfPosition
  player.sendSelfPosition = () => stock()
}
