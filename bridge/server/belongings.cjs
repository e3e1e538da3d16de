'use strict'
// What a player has outlasts their leaving: in memory, or in the world folder where there is one.

const { load } = require('./packages.cjs')

const GRID = 5 // slots below are never kept

module.exports = function belongings (serv, inventory, { worldFolder }) {
  // flying-squid keeps players only in a folder; this module is where it reads and writes them
  const store = load('flying-squid/src/lib/playerDat')
  if (worldFolder) return saveInTurn(serv, store)
  const kept = new Map() // uuid -> state

  store.save = async player => {
    if (player.listed) kept.set(player.uuid, stateOf(player))
  }
  store.read = async (uuid, spawnPoint) => {
    const { slots, ...state } = kept.get(uuid) || { ...store.playerDefaults, position: spawnPoint }
    return { player: { ...state, position: state.position.clone() }, inventory: [] }
  }

  serv.on('newPlayer', player => {
    player.once('connected', () => {
      const state = kept.get(player.uuid)
      if (state) state.slots.forEach((item, slot) => item && inventory.set(player, slot, item))
    })
  })
  return async () => {}
}

// expected: a player's file is written in order, before it is read again and before the server ends
// actual:   flying-squid starts writing at the end of login and at leaving, and waits for neither:
//           who comes back at once may be read from half a file, and has nothing any more
// remove when: login and quit of flying-squid wait for player.save
function saveInTurn (serv, store) {
  let written = Promise.resolve()
  const { read } = store
  store.read = async (...whose) => {
    await written
    return read(...whose)
  }
  serv.on('newPlayer', player => {
    const save = player.save
    player.save = () => {
      written = written.then(save).catch(error => serv.emit('error', error))
      return written
    }
  })
  return () => written
}

function stateOf (player) {
  const { health, food, foodSaturation, gameMode, heldItemSlot, xp, yaw, pitch } = player
  return {
    health,
    food,
    foodSaturation,
    gameMode,
    heldItemSlot,
    xp,
    yaw,
    pitch,
    position: player.position.clone(),
    slots: player.inventory.slots.map((item, slot) => (slot < GRID ? null : item))
  }
}
