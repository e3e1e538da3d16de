'use strict'
// Putting a player elsewhere, with the land there.

const LOOK_ON = 0x18 // yaw and pitch of the packet are added to those the client has
const DEGREES = 360 / 256 // flying-squid keeps looks as a byte of a turn

module.exports = function teleport (serv, windows) {
  serv.on('newPlayer', player => {
    lookOn(player)
    heedConfirmed(player)
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
      await player.worldSendInitialChunks()
      player.worldSendRestOfChunks().catch(error => serv.emit('error', error))
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

// expected: where a client says it stands counts again once it confirmed where it was put
// actual:   flying-squid takes a step sent before the client heard of that, and undoes it
// remove when: updatePositions.js of flying-squid waits for teleport_confirm
function heedConfirmed (player) {
  let unconfirmed = 0
  const put = player.sendSelfPosition
  player.sendSelfPosition = position => {
    unconfirmed++
    put(position)
  }
  player._client.on('teleport_confirm', () => { unconfirmed = Math.max(0, unconfirmed - 1) })
  const move = player.sendPosition
  player.sendPosition = async (position, onGround, isPut) =>
    unconfirmed && !isPut ? false : await move(position, onGround, isPut)
}

// expected: whoever is put elsewhere looks on as they do by then
// actual:   flying-squid turns them to where they looked when it was sent, and not even there
// remove when: sendSelfPosition of flying-squid sends degrees, and only when someone joins
function lookOn (player) {
  let joined = false
  player.sendSelfPosition = position => {
    if (position) player.position = position
    const { x, y, z } = player.position
    const look = joined
      ? { yaw: 0, pitch: 0, flags: LOOK_ON }
      : { yaw: (player.yaw || 0) * DEGREES, pitch: (player.pitch || 0) * DEGREES, flags: 0 }
    joined = true
    player._client.write('position', { x, y, z, ...look, teleportId: 1 })
  }
}
