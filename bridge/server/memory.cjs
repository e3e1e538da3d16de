'use strict'
// A world without a folder lives in memory, as long as the process.

const WRITES = ['setBlock', 'setBlockStateId', 'setBlockType', 'setBlockData']

module.exports = function memory (serv) {
  serv.once('pluginsReady', () => {
    if (!serv.overworld.storageProvider) keepEdits(serv.overworld)
    countReadersOnce(serv)
  })
  serv.on('newPlayer', player => loadForReaders(serv, player))
}

// expected: what was built stays
// actual:   a chunk nobody sees is dropped and generated anew, and with it every edit
// remove when: prismarine-world keeps edited columns that it cannot store
function keepEdits (world) {
  const edited = new Set()
  for (const name of WRITES) {
    const write = world[name].bind(world)
    world[name] = (position, value) => {
      edited.add(`${position.x >> 4},${position.z >> 4}`)
      return write(position, value)
    }
  }
  const unload = world.unloadColumn.bind(world)
  world.unloadColumn = (x, z) => {
    if (!edited.has(`${x},${z}`)) unload(x, z)
  }
}

// expected: a chunk is unloaded once the last player who sees it is gone
// actual:   flying-squid counts a player anew at every look, so that the count never ends
// remove when: _worldLoadPlayerChunk of flying-squid counts only newly loaded chunks
function countReadersOnce (serv) {
  const count = serv._worldLoadPlayerChunk
  serv._worldLoadPlayerChunk = (x, z, player) =>
    player.loadedChunks[`${x},${z}`] ? false : count(x, z, player)
}

// expected: a chunk is not loaded for a player who is gone, or far away, before its turn to be sent
// actual:   flying-squid loads and sends it, and keeps it: nobody is left to go away from it
// remove when: sendNearbyChunks of flying-squid looks again before it loads a chunk
function loadForReaders (serv, player) {
  const send = player.sendChunk
  player.sendChunk = (x, z, column) => {
    if (player.loadedChunks[`${x},${z}`]) return send(x, z, column)
    if (!serv._worldChunksUsed[`${x},${z}`]) player.world.unloadColumn(x, z)
  }
}
