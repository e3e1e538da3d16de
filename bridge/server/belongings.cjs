'use strict'
// Without a world folder a player who leaves and comes back still has what they had.

const { load } = require('./packages.cjs')

const GRID = 5 // slots below are never kept

module.exports = function belongings (serv, inventory, { worldFolder }) {
  if (worldFolder) return
  const kept = new Map() // uuid -> state

  // flying-squid keeps players only in a folder; this module is where it reads and writes them
  const store = load('flying-squid/src/lib/playerDat')
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
