'use strict'
// How far around it a player has the world sent to it: as far as it asks, at most as the settings say.
//
// expected: whoever asks for another view distance gets what it sees more, and is told what it
//           sees no more
// actual:   flying-squid notes the wish, and heeds it after the player has walked 16 blocks
// remove when: settings.js of flying-squid emits playerChangeRenderDistance

const LEAST = 2 // chunks, of the game

module.exports = function view (serv) {
  serv.on('newPlayer', player => {
    player.once('connected', () => player._client.on('settings', ({ viewDistance }) => {
      player.emit('playerChangeRenderDistance', Math.max(LEAST, viewDistance))
    }))
  })
}
