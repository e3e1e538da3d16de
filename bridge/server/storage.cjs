'use strict'
// A world with a folder: what was edited is written there, once a second and at the end.

module.exports = function storage (serv) {
  serv.once('pluginsReady', () => {
    if (!serv.overworld.storageProvider) return
    writeEditsOnly(serv.overworld)
    writeInTurn(serv.overworld)
  })
}

// The country is the same at every start, so a chunk nobody has touched need not be written.
function writeEditsOnly (world) {
  const load = world.setLoadedColumn.bind(world)
  world.setLoadedColumn = (x, z, chunk) => load(x, z, chunk, false)
}

// expected: an edit made while the world is being written is written next time
// actual:   prismarine-world forgets all that waits once a writing is done
// remove when: saveNow of prismarine-world takes its queue before it waits
function writeInTurn (world) {
  let last = Promise.resolve()
  world.saveNow = () => {
    last = last.then(() => write(world))
    return last
  }
}

async function write (world) {
  const batch = [...world.savingQueue]
  world.savingQueue.clear()
  for (const [key, { chunkX, chunkZ }] of batch) {
    await world.storageProvider.save(chunkX, chunkZ, world.columns[key])
  }
  for (const [key, { chunkX, chunkZ }] of [...world.unloadQueue]) {
    if (!world.savingQueue.has(key)) world.forceUnloadColumn(key, chunkX, chunkZ)
  }
}
