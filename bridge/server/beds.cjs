'use strict'
// Beds: two halves, and sleep in them. After vanilla 1.16.5; source: minecraft.wiki/w/Bed.

const { load } = require('./packages.cjs')
const { listen } = require('./clients.cjs')
const { stateOf } = require('./doors.cjs')
const { show } = require('./shown_health.cjs')

const { Vec3 } = load('vec3')

const BED = /_bed$/
const AHEAD = {
  north: new Vec3(0, 0, -1), south: new Vec3(0, 0, 1), west: new Vec3(-1, 0, 0), east: new Vec3(1, 0, 0)
}
const [DUSK, DAWN, DAY] = [12542, 23460, 24000] // ticks: from dusk to dawn one may sleep
const [REACH, REACH_UP] = [3, 2] // blocks from the bed
const SKIPS_AFTER = 100 // ticks: when all who are there have slept so long, it is morning
const LYING = 0.6875 // blocks above the ground of the bed
const [STANDS, SLEEPS] = [0, 2]
const [POSE, BED_AT] = [{ key: 6, type: 18 }, { key: 13, type: 10 }] // entity metadata
const WAKES = 2 // of an animation
const [LEAVE_BED, SPECTATOR, ACTION_BAR] = ['stop_sleeping', 3, 2]
const ROUND = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [1, -1], [-1, 1], [-1, -1]]

module.exports = function beds (serv, chat, inventory) {
  const { registry } = serv
  const homes = new Map() // uuid -> the head of the bed where the player comes back

  for (const name of Object.keys(registry.blocksByName).filter(name => BED.test(name))) {
    serv.onBlockInteraction(name, async ({ block, player }) => {
      if (player.crouching && inventory.held(player)) return false
      await lieDown(player, await headOf(player.world, block))
      return true
    })
  }

  async function lieDown (player, bed) {
    const why = !bed ? 'obstructed' : await hindrance(player, bed)
    if (why) return tell(player, `block.minecraft.bed.${why}`)
    if (!homes.get(player.uuid)?.equals(bed.position)) chat.send(player, { translate: 'block.minecraft.set_spawn' })
    homes.set(player.uuid, bed.position)
    if (!isNight(serv.time)) return tell(player, 'block.minecraft.bed.no_sleep')
    if (isAwaited(bed.position)) return tell(player, 'block.minecraft.bed.not_safe')
    player.bed = { at: bed.position, since: serv.tickCount }
    await occupy(player.world, bed, true)
    await player.teleport(bed.position.offset(0.5, LYING, 0.5))
    pose(player, SLEEPS, bed.position)
  }

  async function hindrance (player, { position: at, properties }) {
    const halves = [at, at.minus(AHEAD[properties.facing])]
    if (!halves.some(half => isNear(player, half))) return 'too_far_away'
    if (properties.occupied) return 'occupied'
    const above = await player.world.getBlock(at.offset(0, 1, 0))
    return above.boundingBox === 'block' ? 'obstructed' : ''
  }

  /** Whether a monster waits nearby. */
  function isAwaited (at) {
    return Object.values(serv.entities).some(({ isMonster, position }) => isMonster &&
      Math.max(Math.abs(position.x - at.x), Math.abs(position.z - at.z)) <= 8 && Math.abs(position.y - at.y) <= 5)
  }

  function tell (player, translate) {
    chat.send(player, { translate }, { position: ACTION_BAR })
  }

  function pose (player, value, at) {
    show(player, { ...POSE, value })
    show(player, { ...BED_AT, value: at })
    const metadata = player.metadata.filter(({ key }) => [POSE.key, BED_AT.key].includes(key))
    player._client.write('entity_metadata', { entityId: player.id, metadata })
  }

  /** Also once the last who was awake has left, or only looks on. */
  function skip () {
    const lying = serv.players.filter(({ gameMode, listed }) => listed && gameMode !== SPECTATOR)
    if (!lying.length || !lying.every(({ bed }) => bed && serv.tickCount - bed.since >= SKIPS_AFTER)) return
    serv.setTime(0)
    for (const player of lying) reported(getUp(player))
  }

  /** Let others have the bed of a player; whether there was one. */
  async function free (player) {
    const { bed } = player
    player.bed = null
    const block = bed && await headAt(player.world, bed.at)
    if (block) await occupy(player.world, block, false)
    return bed
  }

  async function getUp (player) {
    const bed = await free(player)
    if (!bed) return
    pose(player, STANDS, undefined)
    const woken = { entityId: player.id, animation: WAKES }
    player._client.write('animation', woken)
    player._writeOthersNearby('animation', woken)
    await player.teleport(await besides(player.world, bed.at) ?? bed.at.offset(0.5, 1, 0.5))
  }

  /** Where a player comes back who slept in a bed that still stands; null: at the common place. */
  async function home (player) {
    const at = homes.get(player.uuid)
    const place = at && await headAt(player.world, at) && await besides(player.world, at)
    if (at && !place) {
      homes.delete(player.uuid)
      chat.send(player, { translate: 'block.minecraft.spawn.not_valid' })
    }
    return place ?? null
  }

  async function besides (world, at) {
    for (const [dx, dz] of ROUND) {
      const feet = at.offset(dx, 0, dz)
      const [below, low, high] = await Promise.all([-1, 0, 1].map(dy => world.getBlock(feet.offset(0, dy, 0))))
      const hasRoom = [low, high].every(({ boundingBox }) => boundingBox === 'empty')
      if (hasRoom && below.boundingBox === 'block') return feet.offset(0.5, 0, 0.5)
    }
    return null
  }

  async function headAt (world, position) {
    const block = await world.getBlock(position)
    if (!BED.test(block.name)) return null
    return { position, name: block.name, properties: block.getProperties() }
  }

  async function headOf (world, { position }) {
    const { properties } = await headAt(world, position)
    const at = properties.part === 'head' ? position : position.plus(AHEAD[properties.facing])
    const head = await headAt(world, at)
    return head?.properties.part === 'head' ? head : null
  }

  async function occupy (world, { position, name, properties }, occupied) {
    for (const [part, at] of [['head', position], ['foot', position.minus(AHEAD[properties.facing])]]) {
      await serv.setBlock(world, at, stateOf(serv, name, { ...properties, part, occupied }))
    }
  }

  function reported (done) {
    done.catch(error => serv.emit('error', error))
  }

  /** Where the head of a bed comes to lie; null for another block. */
  function headFrom (position, stateId) {
    const block = load('prismarine-block')(registry).fromStateId(stateId, 0)
    return BED.test(block.name) ? position.plus(AHEAD[block.getProperties().facing]) : null
  }

  /** Whether there is room for both halves. */
  async function hasRoom (world, position, stateId) {
    const head = headFrom(position, stateId)
    return !head || (await world.getBlock(head)).boundingBox === 'empty'
  }

  /** Put the head where its foot was placed. */
  async function complete (world, position, block) {
    if (!BED.test(block.name)) return
    const { facing } = block.getProperties()
    await serv.setBlock(world, position.plus(AHEAD[facing]), stateOf(serv, block.name, { facing, part: 'head' }))
  }

  /** The other half of a bed; null for another block. */
  function otherHalf (position, block) {
    if (!BED.test(block.name)) return null
    const { facing, part } = block.getProperties()
    return part === 'foot' ? position.plus(AHEAD[facing]) : position.minus(AHEAD[facing])
  }

  serv.on('tick', (delta, count) => {
    skip()
    if (count % 20) return
    for (const player of serv.players) {
      if (player.bed && !isNight(serv.time)) reported(getUp(player))
    }
  })
  serv.on('newPlayer', player => {
    player.on('hurt', () => reported(getUp(player)))
    player.once('disconnected', () => reported(free(player)))
    listen(serv, player, 'entity_action', ({ actionId }) => actionId === LEAVE_BED && getUp(player))
  })

  return { complete, hasRoom, home, otherHalf }
}

function isNear ({ position }, half) {
  const { x, y, z } = position.minus(half.offset(0.5, 0, 0.5)).abs()
  return Math.max(x, z) <= REACH && y <= REACH_UP
}

/** Whether one may sleep. */
function isNight (time) {
  return time % DAY >= DUSK && time % DAY < DAWN
}
module.exports.isNight = isNight
