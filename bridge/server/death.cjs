'use strict'
// Being hurt, dying with everything dropped, coming back at the spawn point.

const { takeOver, alive } = require('./clients.cjs')
const counted = require('./immunity.cjs')
const { saturation: SATURATION } = require('../vanilla/dangers.json').hunger

const FULL = 20
const CREATIVE = 1
const DEATH_STATUS = 3
const RESPAWN = [0, 'perform_respawn']
const VOID_Y = -64
const OUT_OF_WORLD = { key: 'death.attack.outOfWorld' } // so is /kill up to 1.19.4
const ENTITY_DEAD = 2 // of a combat event
const NOBODY = -1
const PUSH = 0.4 // blocks a tick, of a blow
const NOTCHES = 8000 // of a velocity on the wire
const FIRST_KEPT = 5 // slots below are the crafting grid, which closing empties

module.exports = function death (serv, chat, { inventory, dropped, orbs, windows, beds, blocks, through }) {
  // A shield `blocks` what comes `from` there, armour lets some `through`.
  // In vanilla's order: how one died, the health, and then the things fall. Whether it did harm.
  function hurt (player, amount, { key = 'death.attack.generic', by, from } = {}) {
    if (!alive(player) || amount <= 0 || blocks(player, amount, { key, by, from })) return false
    player.emit('hurt', key)
    const health = Math.max(0, player.health - through(player, amount, key))
    if (health <= 0) announce(player, key, by)
    player.updateHealth(health)
    if (by) push(player, from ?? by.position)
    if (health <= 0) die(player)
    else player._writeOthersNearby('animation', { entityId: player.id, animation: 1 })
    return true
  }

  function announce (player, translate, by) {
    const message = { translate, with: [player, by].filter(Boolean).map(chat.nameOf) }
    const told = { event: ENTITY_DEAD, playerId: player.id, entityId: by?.id ?? NOBODY, message: JSON.stringify(message) }
    player._client.write('combat_event', told)
    chat.broadcast(message)
  }

  /** Away from where it came. */
  function push (player, { x, z }) {
    const [dx, dz] = [player.position.x - x, player.position.z - z]
    const [along, up] = [PUSH / (Math.hypot(dx, dz) || 1), PUSH]
    player._client.write('entity_velocity', { entityId: player.id, velocity: notches(dx * along, up, dz * along) })
  }

  function die (player) {
    windows.close(player)
    player.dig = null
    for (let slot = FIRST_KEPT; slot < player.inventory.slots.length; slot++) {
      const item = player.inventory.slots[slot]
      if (item) inventory.set(player, slot, null)
      if (item) dropped.drop(player.world, player.position.offset(0, 0.5, 0), item, { delayMs: 2000 })
    }
    orbs.leave(player)
    player._writeOthersNearby('entity_status', { entityId: player.id, entityStatus: DEATH_STATUS })
  }

  async function respawn (player) {
    player.nearbyPlayers().forEach(other => other.despawnEntities([player]))
    player.nearbyEntities = []
    player.position = await beds.home(player) ?? player.spawnPoint.clone()
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
    player.on('attack', attack => Object.assign(attack, { by: player, landed: () => player.emit('landed') }))
    player.takeDamage = ({ damage = 1, by, landed } = {}) => {
      if (player.gameMode === CREATIVE) return
      if (hurt(player, counted(serv, player, damage), by && { key: 'death.attack.player', by })) landed?.()
    }
    player.on('move', ({ position }) => {
      if (position.y < VOID_Y) hurt(player, FULL, OUT_OF_WORLD)
    })
    // expected: a dead player who asks comes back
    // actual:   flying-squid compares the request with 0, which minecraft-data now names
    // remove when: respawn.js of flying-squid knows 'perform_respawn'
    takeOver(serv, player, 'client_command', ({ actionId }) => {
      if (RESPAWN.includes(actionId) && player.health <= 0) return respawn(player)
    })
  })

  return { hurt, kill: player => hurt(player, Infinity, OUT_OF_WORLD) }
}

function notches (...velocity) {
  const [x, y, z] = velocity.map(part => Math.round(part * NOTCHES))
  return { x, y, z }
}
