'use strict'
// Fishing: a rod casts a bobber to where the player looks, something bites after a while, and who
// reels in then gets it. The line is lost with whoever puts the rod away, dies, leaves or goes far.

const { load } = require('./packages.cjs')
const { listen, alive } = require('./clients.cjs')
const { along, eyesOf } = require('./gaze.cjs')
const { isWater } = require('./waters.cjs')
const caught = require('./catches.cjs')

const { Vec3 } = load('vec3')
const { randomUUID } = require('node:crypto')

const ROD = 'fishing_rod'
const LINE = 32 // blocks
const LATEST = 6 // so many times as long as the soonest a bite may take
const BITTEN_MS = 1500 // until it is gone again
const LOOK_MS = 500 // how often the line is looked after
const SPLASH = 6 // particles
// Of a bobber in flight, per tick: source minecraft.wiki/w/Fishing_Rod
const [THROW, ALONG_THROW] = [0.6, 0.5]
const STEEPEST = 5
const GRAVITY = 0.03
const SLOWED = 0.92
const MOST_TICKS = 100
const PARTS = 8 // of a tick, so that it flies through no wall
const FLOATING = 0.8 // of a block of water
// Of what was caught, per tick
const PULL = 0.1
const LIFT = 0.08
const TICKS_PER_S = 20

module.exports = function fishing (serv, { items, inventory, dropped, wear }, { biteMs }) {
  const { entitiesByName, particlesByName } = serv.registry
  const lines = new Map()

  async function use (player) {
    if (!holdsRod(player)) return
    if (lines.has(player)) reelIn(player, lines.get(player))
    else await cast(player)
  }

  function holdsRod (player) {
    return alive(player) && inventory.held(player)?.name === ROD
  }

  async function cast (player) {
    const line = { world: player.world, isBitten: false }
    lines.set(player, line)
    const at = await landing(player)
    if (lines.get(player) !== line) return // reeled in already
    line.bobber = float(player, at)
    line.watch = setInterval(() => isOut(player, line) || discard(player, line), LOOK_MS).unref()
    if (isWater(await player.world.getBlock(at.floored()))) expect(line)
  }

  function float (player, at) {
    const bobber = serv.initEntity('object', entitiesByName.fishing_bobber.id, player.world, at)
    Object.assign(bobber, { uuid: randomUUID(), name: 'fishing_bobber', data: player.id, yaw: 0, pitch: 0 })
    Object.assign(bobber, { velocity: new Vec3(0, 0, 0), size: new Vec3(0.25, 0.25, 0.25), metadata: [] })
    bobber.calculatePhysics = () => ({ position: bobber.position, onGround: false })
    bobber.updateAndSpawn()
    return bobber
  }

  function isOut (player, { bobber, world }) {
    return holdsRod(player) && player.world === world && player.position.distanceTo(bobber.position) <= LINE
  }

  function expect (line) {
    const ms = biteMs * (1 + Math.random() * (LATEST - 1))
    line.next = setTimeout(() => bite(line), ms).unref()
  }

  function bite (line) {
    line.isBitten = true
    for (const { id } of [particlesByName.bubble, particlesByName.fishing]) {
      const size = new Vec3(0.25, 0, 0.25)
      serv.emitParticle(id, line.world, line.bobber.position, { count: SPLASH, size })
    }
    line.next = setTimeout(() => {
      line.isBitten = false
      expect(line)
    }, BITTEN_MS).unref()
  }

  function reelIn (player, line) {
    discard(player, line)
    if (!line.isBitten) return
    const from = new Vec3(line.bobber.position.x, Math.floor(line.bobber.position.y) + 1, line.bobber.position.z)
    const [name, count] = caught(Math.random)
    const velocity = pulled(player.position.minus(from)).scaled(TICKS_PER_S)
    dropped.drop(line.world, from, items.named(name, count), { velocity, delayMs: 0 })
    wear(player)
  }

  function discard (player, line) {
    lines.delete(player)
    clearInterval(line.watch)
    clearTimeout(line.next)
    line.bobber?.destroy()
  }

  serv.on('newPlayer', player => {
    listen(serv, player, 'use_item', () => use(player))
    player.once('disconnected', () => lines.has(player) && discard(player, lines.get(player)))
  })
}

/** Where a bobber comes down: on water, or against what stands in its way. */
async function landing (player) {
  let at = eyesOf(player)
  let velocity = thrown(along(player))
  for (let part = 0; part < MOST_TICKS * PARTS; part++) {
    if (part % PARTS === 0) velocity = velocity.offset(0, -GRAVITY, 0)
    const next = at.plus(velocity.scaled(1 / PARTS))
    const block = await player.world.getBlock(next.floored())
    if (isWater(block)) return new Vec3(next.x, Math.floor(next.y) + FLOATING, next.z)
    if (block.boundingBox === 'block') return at
    at = next
    if (part % PARTS === PARTS - 1) velocity = velocity.scaled(SLOWED)
  }
  return at
}

/** The speed of a throw: steep ones are stronger. */
function thrown ({ x, y, z }) {
  const level = Math.hypot(x, z) || Number.EPSILON
  const steep = Math.min(STEEPEST, Math.max(-STEEPEST, y / level))
  const way = new Vec3(x / level, steep, z / level)
  return way.scaled(THROW / way.norm() + ALONG_THROW)
}

/** The speed of what comes to the player over such a distance. */
function pulled (way) {
  return way.scaled(PULL).offset(0, Math.sqrt(way.norm()) * LIFT, 0)
}
