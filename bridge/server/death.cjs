'use strict'
// Being hurt, dying with everything dropped, coming back at the spawn point.

const { takeOver, alive } = require('./clients.cjs')

const FULL = 20
const SATURATION = 5
const CREATIVE = 1
const DEATH_STATUS = 3
const RESPAWN = [0, 'perform_respawn']
const VOID_Y = -64
const FIRST_KEPT = 5 // slots below are the crafting grid, which closing empties

module.exports = function death (serv, chat, inventory, dropped, windows) {
  function hurt (player, amount, message = 'death.attack.generic') {
    if (!alive(player) || amount <= 0) return
    player.updateHealth(Math.max(0, player.health - amount))
    if (player.health <= 0) die(player, message)
    else player._writeOthersNearby('animation', { entityId: player.id, animation: 1 })
  }

  function die (player, message) {
    windows.close(player)
    player.dig = null
    for (let slot = FIRST_KEPT; slot < player.inventory.slots.length; slot++) {
      const item = player.inventory.slots[slot]
      if (item) inventory.set(player, slot, null)
      if (item) dropped.drop(player.world, player.position.offset(0, 0.5, 0), item, { delayMs: 2000 })
    }
    player._writeOthersNearby('entity_status', { entityId: player.id, entityStatus: DEATH_STATUS })
    chat.broadcast({ translate: message, with: [chat.nameOf(player)] })
  }

  async function respawn (player) {
    player.nearbyPlayers().forEach(other => other.despawnEntities([player]))
    player.nearbyEntities = []
    player.position = player.spawnPoint.clone()
    player.knownPosition = undefined
    Object.assign(player, { food: FULL, foodSaturation: SATURATION })
    player._sendRespawn()
    player._unloadAllChunks()
    await player.worldSendInitialChunks()
    player.sendSelfPosition()
    player.updateHealth(FULL)
    serv.players.forEach(other => { other.nearbyEntities = other.nearbyEntities.filter(e => e !== player) })
    player.updateAndSpawn()
    windows.resync(player)
    await player.worldSendRestOfChunks()
  }

  serv.on('newPlayer', player => {
    player.foodSaturation = SATURATION
    player.takeDamage = ({ damage = 1 } = {}) => {
      if (player.gameMode !== CREATIVE) hurt(player, damage)
    }
    player.on('move', ({ position }) => {
      if (position.y < VOID_Y) hurt(player, FULL, 'death.attack.outOfWorld')
    })
    // expected: a dead player who asks comes back
    // actual:   flying-squid compares the request with 0, which minecraft-data now names
    // remove when: respawn.js of flying-squid knows 'perform_respawn'
    takeOver(serv, player, 'client_command', ({ actionId }) => {
      if (RESPAWN.includes(actionId) && player.health <= 0) return respawn(player)
    })
  })

  return { hurt, kill: player => hurt(player, Infinity) }
}
