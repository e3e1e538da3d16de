'use strict'
// Items lying in the world: they fall, float up in water, rest, and vanish after five minutes.

const { load } = require('./packages.cjs')
const { isWater } = require('./waters.cjs')

const { Vec3 } = load('vec3')
const { randomUUID } = require('node:crypto')

const LIFE_MS = 300000
const REST_MS = 500 // how often a resting item looks whether its floor is still there
const GRAVITY = 16 // blocks per second, per second: vanilla's 0.04 per tick and tick
const SLOWEST = -40
const LIFT = 0.01 // blocks per second that water adds in a tick
const [SLOWED, SLOWED_SIDEWAYS] = [0.98, 0.97] // what a tick in water leaves of the speed
const HEIGHT = 0.25 // of an item
const ITEM_FIELD = 7 // metadata index of the stack in 1.16
const SLOT_TYPE = 6
const TICK_S = 0.05
const LONGEST_S = 5 // more is not made up for after a standstill
const FIRES = new Set(['lava', 'fire', 'soul_fire'])
const FIREPROOF = /^netherite_|^ancient_debris$/
const FROM_BLOCK_MS = 500
const FROM_HAND_MS = 2000
const THROW_SPEED = 6
const THROW_RISE = 2

module.exports = function dropped (serv, items) {
  const lying = new Set()
  const kind = serv.registry.entitiesByName.item.id

  /** Let a stack fall at a point; it can be picked up after `delayMs`. */
  function drop (world, position, item, { velocity = new Vec3(0, 0, 0), delayMs = FROM_BLOCK_MS } = {}) {
    const entity = serv.initEntity('object', kind, world, position.clone())
    Object.assign(entity, { uuid: randomUUID(), name: 'item', data: 1, yaw: 0, pitch: 0 })
    Object.assign(entity, { velocity, size: new Vec3(0.25, 0.25, 0.25), deathTime: LIFE_MS })
    Object.assign(entity, { stack: item, readyAt: Date.now() + delayMs, metadata: [], checkAt: 0 })
    entity.calculatePhysics = seconds => serv.difficulty ? burnOrFall(entity, seconds) : fall(entity, seconds)
    lying.add(entity)
    const destroy = entity.destroy
    entity.destroy = () => {
      lying.delete(entity)
      destroy()
    }
    entity.updateAndSpawn()
    return entity
  }

  /** Throw a stack from a player's eyes to where they look. */
  function toss (player, item) {
    const [turn, nod] = [player.yaw, player.pitch].map(angle => (angle || 0) * Math.PI / 128)
    const along = Math.cos(nod) * THROW_SPEED
    const rise = THROW_RISE - Math.sin(nod) * THROW_SPEED
    const velocity = new Vec3(-Math.sin(turn) * along, rise, Math.cos(turn) * along)
    drop(player.world, player.position.offset(0, 1.3, 0), item, { velocity, delayMs: FROM_HAND_MS })
  }

  /** Fire and lava burn what lies in them, where the world is not peaceful. */
  async function burnOrFall (entity, seconds) {
    const mayBurn = entity.checkAt <= Date.now() && !FIREPROOF.test(entity.stack.name)
    const block = mayBurn ? await entity.world.getBlock(entity.position.floored()) : null
    if (!FIRES.has(block?.name)) return fall(entity, seconds)
    entity.velocity.set(0, 0, 0)
    entity.destroy()
    return entity
  }

  function content (entity) {
    const value = items.onWire(entity.stack)
    return { entityId: entity.id, metadata: [{ key: ITEM_FIELD, type: SLOT_TYPE, value }] }
  }

  // expected: an item's stack is metadata field 7 in 1.16
  // actual:   flying-squid also writes it to field 6, which is the pose; a client disconnects
  // remove when: spawnEntity of flying-squid asks the version for the field
  serv.on('newPlayer', player => {
    const show = player.spawnEntity
    player.spawnEntity = entity => {
      if (entity.name !== 'item') return show(entity)
      player._client.write('spawn_entity', entity.getSpawnPacket())
      player._client.write('entity_metadata', content(entity))
    }
  })

  function setCount (entity, count) {
    entity.stack = items.portion(entity.stack, count)
    if (entity.stack) entity._writeOthersNearby('entity_metadata', content(entity))
    else entity.destroy()
  }

  return { drop, toss, setCount, fall, lying }
}

/** Fall on in steps of a tick: a late tick of the server throws nothing further. */
async function fall (entity, seconds) {
  if (entity.checkAt > Date.now()) return { position: entity.position, onGround: true }
  let at = { position: entity.position, onGround: false }
  for (let left = Math.min(seconds, LONGEST_S); left > 0 && !at.onGround; left -= TICK_S) {
    at = await fallOn(entity, at.position, Math.min(left, TICK_S))
  }
  return at
}

/** Straight through air, or up through water, stopped by whatever stands in the way. */
async function fallOn (entity, position, seconds) {
  const { velocity, world } = entity
  if (isWater(await world.getBlock(position.floored()))) return float(entity, position, seconds)
  velocity.y = Math.max(SLOWEST, velocity.y - GRAVITY * seconds)
  const next = await slide(entity, position, seconds)
  next.y += velocity.y * seconds
  const floor = await topBelow(world, position, next)
  if (floor === null) return { position: next, onGround: false }
  next.y = floor
  return rest(entity, next)
}

/** Slowly up, to rest at the surface or under what covers it. */
async function float (entity, position, seconds) {
  const { velocity, world } = entity
  velocity.set(velocity.x * SLOWED_SIDEWAYS, (velocity.y + LIFT) * SLOWED, velocity.z * SLOWED_SIDEWAYS)
  const next = await slide(entity, position, seconds)
  next.y += velocity.y * seconds
  const bottom = await topBelow(world, position, next)
  if (bottom !== null) {
    velocity.y = 0
    next.y = bottom
  }
  const isCovered = await solidAt(world, next.offset(0, HEIGHT, 0))
  if (!isCovered && isWater(await world.getBlock(next.floored()))) return { position: next, onGround: false }
  next.y = position.y
  return rest(entity, next)
}

async function rest (entity, position) {
  entity.velocity.set(0, 0, 0)
  entity.checkAt = Date.now() + REST_MS
  await entity.sendPosition(position, true) // flying-squid sends only what still moves
  return { position, onGround: true }
}

/** Sideways, up to the next wall. */
async function slide ({ velocity, world }, position, seconds) {
  const next = position.clone()
  for (const axis of ['x', 'z']) {
    next[axis] += velocity[axis] * seconds
    if (await solidAt(world, next)) {
      next[axis] = position[axis]
      velocity[axis] = 0
    }
  }
  return next
}

async function solidAt (world, point) {
  const block = await world.getBlock(point.floored())
  return block.boundingBox === 'block' && point.y - Math.floor(point.y) < topOf(block)
}

/** The height of the first floor between two heights of one column, or null. */
async function topBelow (world, from, to) {
  for (let y = Math.floor(from.y); y >= Math.floor(to.y); y--) {
    const block = await world.getBlock(new Vec3(to.x, y, to.z).floored())
    if (block.boundingBox === 'block' && to.y < y + topOf(block)) return y + topOf(block)
  }
  return null
}

function topOf (block) {
  return Math.max(0, ...block.shapes.map(shape => shape[4]))
}

module.exports.topBelow = topBelow
