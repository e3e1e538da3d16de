'use strict'
// Monsters come in the dark, away from players, and go: by far, by chance, or burnt by the day. After
// vanilla 1.16.5; source: minecraft.wiki/w/Spawn, Light, Zombie, Daylight_cycle.

const { isNight } = require('./beds.cjs')
const { isGround, isOpen } = require('./grazing.cjs')
const { load } = require('./packages.cjs')
const { isWater } = require('./waters.cjs')

const { Vec3 } = load('vec3')

const EVERY = 20 // ticks
const TRIES = 8 // of a player each time
const [NEAREST, FARTHEST] = [24, 56] // blocks from a player; the land is loaded up to 64
const CAP = Math.floor(70 * 81 / 289) // near a player: vanilla's for as many chunks as are loaded
const [GROUP, SPREAD] = [4, 5] // of a kind at most; blocks around the first
const COUNTED = 64 // blocks
const [LEAVES, TOO_FAR] = [32, 128] // blocks from every player
const LEAVE_CHANCE = 1 / 40 // a second: vanilla's 1 in 800 ticks
const [LOWEST, HIGHEST] = [1, 90] // where it is tried
const [COME_FROM, COME_UNTIL, DAY] = [13188, 22812, 24000] // ticks: from when on and until when the sky is dark
const EDGE = 9 // blocks around a place that are looked at
const SKY = 100 // above every tree
const DARK = 7 // of light, at most
const BRIGHTEST = 15
const ASIDE = 8 // blocks through which daylight comes in
const LEAVES_OF_TREES = /leaves$/ // they take one of light each
const IN_WATER = 1 / 15 // of the tries: vanilla's for rivers, which all water here is taken for
const BURN = 1 // health a second

module.exports = function nights (serv, { alive, kinds, put, hurt, remove }) {
  const lights = lightsOf(serv.registry)

  async function come (player) {
    const near = [...alive].filter(({ position }) => position.distanceTo(player.position) < COUNTED)
    if (near.length >= CAP) return
    for (let i = 0; i < TRIES; i++) {
      const from = somewhere(player.position)
      const place = isSeen(from) && await spotBelow(player.world, from)
      if (!place || !isAway(place) || !await isDark(player.world, place)) continue
      const isWet = await isWetAt(player.world, place)
      const names = Object.keys(kinds).filter(name => Boolean(kinds[name].swims) === isWet)
      const name = names[Math.floor(Math.random() * names.length)]
      if (!name || (isWet && Math.random() > IN_WATER)) continue
      const most = kinds[name].isSoleComer ? 1 : 1 + Math.floor(Math.random() * GROUP)
      return group(player.world, name, place, Math.min(most, CAP - near.length))
    }
  }

  /** One and some of its kind around it, where they can stand. */
  async function group (world, name, place, count) {
    for (let i = 0; i < count && serv.difficulty; i++) {
      const beside = () => Math.round((Math.random() - Math.random()) * SPREAD)
      const from = place.offset(beside(), 1, beside())
      const at = i === 0 ? place : isSeen(from) && await spotBelow(world, from)
      const fits = i === 0 || (at && !await isWetAt(world, at) && Math.abs(at.y - place.y) <= 1 && isAway(at) && await isDark(world, at))
      if (fits && serv.difficulty) put(name, at)
    }
  }

  /** Whether a player has the land around it: as in vanilla, elsewhere nothing lives. */
  function isSeen ({ x, z }) {
    return [-EDGE, EDGE].every(dx => [-EDGE, EDGE].every(dz => isLoaded(x + dx, z + dz)))
  }

  function isLoaded (x, z) {
    return Boolean(serv._worldChunksUsed[`${x >> 4},${z >> 4}`])
  }

  function isAway (place) {
    return serv.players.every(({ position }) => !position || position.distanceTo(place) >= NEAREST)
  }

  async function isDark (world, at) {
    if (!isSkyDark(serv.time) && await isReachedBySky(world, at)) return false
    for (const [step, distance] of AROUND) {
      const block = await world.getBlock(at.plus(step))
      if ((lights.get(block.name) ?? 0) - distance > DARK) return false
    }
    return true
  }

  async function go (monster) {
    const away = Math.min(...serv.players.map(({ position }) => position?.distanceTo(monster.position) ?? Infinity))
    const isOut = !isLoaded(monster.position.x, monster.position.z)
    if (isOut || away > TOO_FAR || (away > LEAVES && Math.random() < LEAVE_CHANCE)) return remove(monster)
    if (!kinds[monster.name].burns || isNight(serv.time) || await isWetAt(monster.world, monster.position)) return
    if (await isUnderSky(monster.world, monster.position)) hurt(monster, { damage: BURN })
  }

  serv.on('tick', (delta, count) => {
    if (!serv.difficulty || count % EVERY) return
    const living = serv.players.filter(({ listed, health }) => listed && health > 0)
    const done = Promise.all([...living.map(come), ...[...alive].map(go)])
    done.catch(error => serv.emit('error', error))
  })
}

/** Whether monsters come under the open sky. */
function isSkyDark (time) {
  return time % DAY >= COME_FROM && time % DAY < COME_UNTIL
}
Object.assign(module.exports, { isReachedBySky, isSkyDark })

/** How bright each block is that shines, by name. */
function lightsOf ({ blocksArray }) {
  return new Map(blocksArray.filter(({ emitLight }) => emitLight).map(({ name, emitLight }) => [name, emitLight]))
}

/** Every step within which a light could make a place too bright, and how far it goes. */
const AROUND = (() => {
  const far = BRIGHTEST - DARK - 1
  const steps = Array.from({ length: 2 * far + 1 }, (_, i) => i - far)
  return steps.flatMap(x => steps.flatMap(y => steps.map(z => [new Vec3(x, y, z), Math.abs(x) + Math.abs(y) + Math.abs(z)])))
    .filter(([, distance]) => distance <= far)
})()

function somewhere ({ x, z }) {
  const [angle, away] = [Math.random() * 2 * Math.PI, NEAREST + Math.random() * (FARTHEST - NEAREST)]
  const y = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST))
  return new Vec3(x + Math.cos(angle) * away, y, z + Math.sin(angle) * away).floored().offset(0.5, 0, 0.5)
}

/** Where one stands who falls from a point in the open, or swims in water two deep; or null. */
async function spotBelow (world, from) {
  for (let at = from; at.y > 0; at = at.offset(0, -1, 0)) {
    if (await isWetAt(world, at)) return await isWetAt(world, at.offset(0, -1, 0)) ? at : null
    if (!await isOpen(world, at, at)) return null
    if (await isGround(world, at.offset(0, -1, 0))) return at
  }
  return null
}

async function isWetAt (world, at) {
  return isWater(await world.getBlock(at.floored()))
}

async function isReachedBySky (world, at) {
  for (const [dx, dz] of [[0, 0], [ASIDE, 0], [-ASIDE, 0], [0, ASIDE], [0, -ASIDE]]) {
    if (await isUnderSky(world, at.offset(dx, 0, dz), LEAVES_OF_TREES)) return true
  }
  return false
}

/** Whether nothing is above, but for what `lets` light through, and a little water. */
async function isUnderSky (world, at, lets = /^$/) {
  let depth = 0
  for (let y = Math.floor(at.y) + 1; y < SKY; y++) {
    const block = await world.getBlock(new Vec3(at.x, y, at.z).floored())
    if (isWater(block)) depth++ // each takes a level of light
    if (depth >= BRIGHTEST - DARK || (block.boundingBox === 'block' && !lets.test(block.name))) return false
  }
  return true
}
