'use strict'
// How far around it a player has the world sent to it: as far as it asks, at most as the settings say.

const LEAST = 2 // chunks, of the game
const SIDE = 16

module.exports = function view (serv, { viewDistance: most }) {
  serv.on('newPlayer', player => {
    heedWishes(player)
    if (serv.supportFeature('updateViewPosition')) tellEachChunk(player)
    takeAwayWhatIsNotSent(player, most)
  })
}

// expected: whoever asks for another view distance gets what it sees more, and is told what it
//           sees no more
// actual:   flying-squid notes the wish, and heeds it after the player has walked 16 blocks
// remove when: settings.js of flying-squid emits playerChangeRenderDistance
function heedWishes (player) {
  player.once('connected', () => player._client.on('settings', ({ viewDistance }) => {
    player.emit('playerChangeRenderDistance', Math.max(LEAST, viewDistance))
  }))
}

// expected: whoever comes into another chunk is told so
// actual:   flying-squid forgets it where the same step is the one after which it looks who is near
// remove when: sendChunkWhenMove of flying-squid notes by itself which chunk it told
function tellEachChunk (player) {
  let told = null
  player.on('move', ({ position: { x, z } }) => { // the player has it only afterwards
    const [chunkX, chunkZ] = [x, z].map(at => Math.floor(at / SIDE))
    if (told && told.chunkX === chunkX && told.chunkZ === chunkZ) return
    if (told) player._client.write('update_view_position', { chunkX, chunkZ })
    told = { chunkX, chunkZ }
  })
}

// expected: whoever has walked has as many chunks as whoever stands still
// actual:   flying-squid sends those from -view to view - 1, but leaves those at view: up to a
//           quarter more, in the server and in each client
// remove when: sendNearbyChunks of flying-squid takes away all that it would not send
function takeAwayWhatIsNotSent (player, most) {
  const send = player.worldSendRestOfChunks
  player.worldSendRestOfChunks = () => {
    const { x, z } = player.position
    const far = Math.min(player.view, most)
    const isSent = (chunk, at) => chunk - Math.floor(at / SIDE) < far
    for (const [chunkX, chunkZ] of Object.keys(player.loadedChunks).map(key => key.split(',').map(Number))) {
      if (!isSent(chunkX, x) || !isSent(chunkZ, z)) player._unloadChunk(chunkX, chunkZ)
    }
    return send()
  }
}
