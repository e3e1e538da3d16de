'use strict'
// A world without a folder lives in memory, as long as the process.

const UNSEEN_EVERY_MS = 20_000
const WRITES = ['setBlock', 'setBlockStateId', 'setBlockType', 'setBlockData']

module.exports = function memory (serv) {
  serv.once('pluginsReady', () => {
    if (!serv.overworld.storageProvider) keepEdits(serv.overworld)
    countReadersOnce(serv)
    setInterval(() => dropUnseen(serv), UNSEEN_EVERY_MS).unref()
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

// expected: land that nobody sees is not kept
// actual:   where a monster or a look reads a block beyond what players see, the land is loaded, and
//           stays: nobody is left to go away from it
// remove when: prismarine-world unloads what has not been read for a while
function dropUnseen ({ overworld, entities, _worldChunksUsed: seen }) {
  const held = new Set(Object.values(entities).map(({ position: { x, z } }) => `${x >> 4},${z >> 4}`))
  for (const { chunkX, chunkZ } of overworld.getColumns()) {
    const key = `${chunkX},${chunkZ}`
    if (!seen[key] && !held.has(key)) overworld.unloadColumn(Number(chunkX), Number(chunkZ))
  }
}
module.exports.dropUnseen = dropUnseen

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
