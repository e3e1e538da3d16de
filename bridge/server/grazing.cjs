'use strict'
// Animals walk a little: now and then to the next block, where there is ground, and never far from
// their pasture. Where nobody is near they stand still.

const { load } = require('./packages.cjs')

const { Vec3 } = load('vec3')

const SEEN = 48 // blocks
const FARTHEST = 5 // from the pasture
const SPEED = 1.2 // blocks per second
const PAUSE_MS = [3000, 12000]
const STEPS = [[1, 0], [-1, 0], [0, 1], [0, -1]]
const LIQUID = ['water', 'lava']
const LONGEST_S = 0.5 // more is not made up for after a standstill

module.exports = function grazing (serv, { fall }) {
  /** Where an animal is after some seconds. */
  return async function graze (animal, seconds) {
    if (animal.goal) return walkOn(animal, Math.min(seconds, LONGEST_S))
    animal.goal = await nextGoal(animal)
    return animal.goal ? turn(animal) : fall(animal, seconds)
  }

  async function nextGoal (animal) {
    const now = Date.now()
    animal.walksAt ??= now + pause()
    if (now < animal.walksAt) return null
    animal.walksAt = now + pause()
    return isSeen(serv, animal) ? placeBeside(animal) : null
  }

  function turn (animal) {
    const { x, z } = animal.goal.minus(animal.position)
    animal.yaw = Math.floor(Math.atan2(-x, z) * 128 / Math.PI)
    const look = { entityId: animal.id, yaw: animal.yaw, pitch: 0, onGround: true }
    animal._writeOthersNearby('entity_look', look)
    animal._writeOthersNearby('entity_head_rotation', { entityId: animal.id, headYaw: animal.yaw })
    return { position: animal.position, onGround: true }
  }
}

/** Whether somebody is near. */
function isSeen (serv, { world, position }) {
  return serv.players.some(player => player.world === world && player.position.distanceTo(position) < SEEN)
}

function walkOn (animal, seconds) {
  const { goal, position } = animal
  const way = new Vec3(goal.x - position.x, 0, goal.z - position.z)
  const left = Math.hypot(way.x, way.z)
  const step = SPEED * seconds
  if (left <= step) {
    animal.goal = null
    return { position: goal, onGround: true }
  }
  const next = position.plus(way.scaled(step / left))
  next.y = Math.max(position.y, goal.y)
  return { position: next, onGround: true }
}

/** The middle of a block beside it where it can stand, or null. */
async function placeBeside ({ world, position, pasture }) {
  const [dx, dz] = STEPS[Math.floor(Math.random() * STEPS.length)]
  const beside = new Vec3(Math.floor(position.x) + dx + 0.5, position.y, Math.floor(position.z) + dz + 0.5)
  if (Math.hypot(beside.x - pasture.x, beside.z - pasture.z) > FARTHEST) return null
  for (const dy of [0, 1, -1]) {
    const feet = beside.offset(0, dy, 0)
    if (await isOpen(world, feet, position) && await isGround(world, feet.offset(0, -1, 0))) return feet
  }
  return null
}

/** Whether the feet have room there, and overhead on the way up or down; who `swims` has it in water. */
async function isOpen (world, feet, from, swims = false) {
  const top = Math.max(feet.y, from.y) + 1
  for (let y = feet.y; y <= top; y++) {
    const { boundingBox, name } = await world.getBlock(new Vec3(feet.x, y, feet.z).floored())
    if (boundingBox !== 'empty' || (LIQUID.includes(name) && !(swims && name === 'water'))) return false
  }
  return true
}

async function isGround (world, point) {
  const { boundingBox, shapes } = await world.getBlock(point.floored())
  return boundingBox === 'block' && shapes.length === 1 && shapes[0][4] === 1
}

function pause () {
  const [least, most] = PAUSE_MS
  return least + Math.random() * (most - least)
}

Object.assign(module.exports, { isSeen, isOpen, isGround })
