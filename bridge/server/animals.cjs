'use strict'
// A few farm animals on the grass around spawn, at first in the same places for the same seed. They
// walk a little while somebody is near, hens lay eggs; all fall when their ground is dug away, and leave meat.
// flying-squid has mobs, but its own fall through blocks, take one of harm from any tool and leave
// nothing. For each one killed another comes to its pasture after a while.

const { load } = require('./packages.cjs')
const { randomUUID } = require('node:crypto')
const { damageOf } = require('./blows.cjs')
const counted = require('./immunity.cjs')
const dice = require('./country/dice.cjs')
const grazing = require('./grazing.cjs')
const laying = require('./laying.cjs')

const { Vec3 } = load('vec3')

const HERD = 3 // of each kind
const SPAWN = 8.5 // x and z
const NEAREST = 36 // blocks from spawn
const FARTHEST = 60
const TRIES = 40
const SKY = 80 // above every tree
const REACH = 6 // from feet to feet
const HURT_STATUS = 2
const DEATH_STATUS = 3
const LIQUID = ['water', 'lava']
const METADATA_FLAGS = 16 // of a sheep, or of what can be tamed
const BYTE = 0
const [SHORN, TAME] = [16, 4]
// Health, and [item, least, most] of what is left.
const KINDS = {
  cow: { health: 10, leaves: [['beef', 1, 3], ['leather', 0, 2]] },
  pig: { health: 10, leaves: [['porkchop', 1, 3]] },
  sheep: { health: 8, leaves: [['mutton', 1, 2], ['white_wool', 1, 1]] },
  chicken: { health: 4, leaves: [['chicken', 1, 1], ['feather', 0, 2]] },
  wolf: { health: 20, leaves: [], isTame: true } // somebody's, who puts it there
}

module.exports = function animals (serv, { items, inventory, dropped }, { seed, herdMs, layMs }) {
  const herd = new Set()
  const graze = grazing(serv, dropped)
  const keepHen = laying(serv, { items, dropped }, { layMs })
  const settled = new Promise(resolve => serv.once('ready', () => resolve(settle())))
  settled.catch(error => serv.emit('error', error))

  async function settle () {
    for (const kind of Object.keys(KINDS).filter(kind => !KINDS[kind].isTame)) {
      for (let i = 0; i < HERD; i++) {
        const place = await pasture(serv.overworld, dice(seed, i, 0, kind))
        if (place) put(kind, place)
      }
    }
  }

  function put (kind, place) {
    const animal = serv.initEntity('mob', serv.registry.entitiesByName[kind].id, serv.overworld, place)
    Object.assign(animal, { uuid: randomUUID(), name: kind, yaw: 0, pitch: 0, headPitch: 0, metadata: [] })
    Object.assign(animal, { velocity: new Vec3(0, 0, 0), size: new Vec3(0.9, 0.9, 0.9), checkAt: 0 })
    Object.assign(animal, { health: KINDS[kind].health, pasture: place.clone() })
    animal.calculatePhysics = seconds => graze(animal, seconds)
    animal.takeDamage = blow => hurt(animal, blow)
    if (KINDS[kind].isTame) animal.metadata = [{ key: METADATA_FLAGS, type: BYTE, value: TAME }]
    herd.add(animal)
    animal.updateAndSpawn()
    if (kind === 'chicken') keepHen(animal)
  }

  function hurt (animal, { damage = 1, landed }) {
    const counts = herd.has(animal) && counted(serv, animal, damage)
    if (!counts) return
    landed?.()
    animal.health -= counts
    const entityStatus = animal.health > 0 ? HURT_STATUS : DEATH_STATUS
    animal._writeOthersNearby('entity_status', { entityId: animal.id, entityStatus })
    if (animal.health <= 0) die(animal)
  }

  function die (animal) {
    herd.delete(animal)
    animal.destroy()
    if (!KINDS[animal.name].isTame) setTimeout(put, herdMs, animal.name, animal.pasture).unref()
    for (const [name, least, most] of KINDS[animal.name].leaves) {
      if (animal.isShorn && name.endsWith('_wool')) continue
      const count = least + Math.floor(Math.random() * (most - least + 1))
      if (count) dropped.drop(animal.world, animal.position.offset(0, 0.3, 0), items.named(name, count))
    }
  }

  serv.on('newPlayer', player => {
    player.on('attack_cancel', ({ attackedEntity }, cancel) => {
      if (herd.has(attackedEntity) && !within(player, attackedEntity)) cancel()
    })
    player.on('attack', attack => {
      if (herd.has(attack.attackedEntity)) attack.damage = damageOf(inventory.held(player))
    })
  })

  /** Whether a sheep has its wool; `isShorn` is kept and shown. */
  function setShorn (animal, isShorn) {
    animal.isShorn = isShorn
    animal.setAndUpdateMetadata([{ key: METADATA_FLAGS, type: BYTE, value: isShorn ? SHORN : 0 }])
  }

  /** The living animal of a number within reach of a player, or null. */
  function inReach (player, id) {
    const animal = serv.entities[id]
    return herd.has(animal) && within(player, animal) ? animal : null
  }

  /** [name, [x, y, z], health] of those alive, once all have found their place. */
  async function list () {
    await settled
    return [...herd].map(({ name, position: { x, y, z }, health }) => [name, [x, y, z], health])
  }

  return { list, put, inReach, setShorn }
}

function within (player, animal) {
  return player.health > 0 && player.position.distanceTo(animal.position) <= REACH
}

/** A point on open grass in the ring around spawn, or null. */
async function pasture (world, roll) {
  for (let i = 0; i < TRIES; i++) {
    const [angle, away] = [roll.below(360) * Math.PI / 180, roll.between(NEAREST, FARTHEST)]
    const [x, z] = [Math.cos(angle), Math.sin(angle)].map(part => Math.floor(SPAWN + part * away))
    const floor = new Vec3(x, SKY, z)
    let block = await world.getBlock(floor)
    while (floor.y > 0 && block.boundingBox === 'empty' && !LIQUID.includes(block.name)) {
      floor.y--
      block = await world.getBlock(floor)
    }
    if (block.name === 'grass_block') return floor.offset(0.5, 1, 0.5)
  }
  return null
}
