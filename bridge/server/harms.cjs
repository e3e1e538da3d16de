'use strict'
// What a world that is not peaceful does to players: falls, fire, lava, cactus, walls and water over
// the head. After vanilla 1.16.5; source: minecraft.wiki/w/Damage, Fire, Lava, Cactus, Drowning.

const { listen } = require('./clients.cjs')
const counted = require('./immunity.cjs')
const { show } = require('./shown_health.cjs')
const table = require('../vanilla/dangers.json')

const { touches: TOUCHES, unhurt_ticks: EVERY } = table // health a blow, and seconds on fire after it; ticks between two
const HURTS = [0, 2] // of game modes: survival and adventure
const BURNING = { amount: table.burning, key: 'death.attack.onFire' } // once a second
const WALL = { amount: 1, key: 'death.attack.inWall' }
const DROWNING = { amount: table.drowning, key: 'death.attack.drown' }
const { full: AIR, gasp: GASP, back: AIR_BACK } = table.breath_ticks // ticks of breath; what comes back a tick
const HARMLESS_FALL = 3 // blocks
const ROUNDING = 1e-6 // what adding up steps is off by
const HIGH = 5 // from here it is told as a fall from a high place
const SOFT = { hay_block: 0.2, honey_block: 0.2, slime_block: 0 } // what is left of a fall
const SOFT_BED = 0.5
const [HALF_WIDTH, HEIGHT, EYES] = [0.3, 1.8, 1.62]
const SURFACE = 8 / 9 // of a block of still water
const WET = /^(water|bubble_column|(tall_)?seagrass|kelp(_plant)?)$/
const BREAKS_FALL = /^(water|bubble_column|(tall_)?seagrass|kelp(_plant)?|ladder|.*vine.*|cobweb|scaffolding)$/
const [FLAGS, BREATH] = [{ key: 0, type: 0 }, { key: 1, type: 1 }] // entity metadata
const ON_FIRE = 0x01
const TICKS_A_S = 20

module.exports = function harms (serv, death) {
  /** Hurt a player; a second blow within half a second takes only what it is worse by. */
  function strike (player, amount, cause) {
    if (!serv.difficulty || !HURTS.includes(player.gameMode)) return 0
    const counts = counted(serv, player, amount)
    if (counts) death.hurt(player, counts, cause)
    return counts
  }

  async function harm (player) {
    const { world, position } = player
    const cells = await Promise.all(cellsOf(position).map(cell => world.getBlock(cell)))
    const isWet = player.isWet = cells.some(({ name }) => WET.test(name))
    if (cells.some(({ name }) => BREAKS_FALL.test(name))) player.fallen = 0
    const touched = cells.map(({ name }) => TOUCHES[name]).filter(Boolean)
    const worst = touched.reduce((one, other) => other.amount > (one?.amount ?? 0) ? other : one, null)
    if (worst) strike(player, worst.amount, worst)
    burn(player, isWet ? 0 : Math.max(player.burning ?? 0, ...touched.map(({ burns }) => burns * TICKS_A_S)))
    const eyes = position.offset(0, EYES, 0)
    const [atEyes, above] = await Promise.all([eyes, eyes.offset(0, 1, 0)].map(at => world.getBlock(at.floored())))
    if (isFull(atEyes)) strike(player, WALL.amount, WALL)
    player.isUnder = WET.test(atEyes.name) && (WET.test(above.name) || eyes.y % 1 < SURFACE)
    breathe(player)
  }

  function burn (player, ticks) {
    if (ticks > 0 && ticks % TICKS_A_S === 0) strike(player, BURNING.amount, BURNING)
    const left = Math.max(0, ticks - EVERY)
    if (Boolean(left) !== Boolean(player.burning)) flame(player, left > 0)
    player.burning = left
  }

  function flame (player, isOn) {
    const flags = player.metadata?.find(({ key }) => key === FLAGS.key)?.value ?? 0
    shown(player, { ...FLAGS, value: isOn ? flags | ON_FIRE : flags & ~ON_FIRE })
  }

  function breathe (player) {
    const had = player.breath ?? AIR
    let has = player.isUnder ? had - EVERY : Math.min(AIR, Math.max(0, had) + AIR_BACK * EVERY)
    if (has <= GASP) {
      strike(player, DROWNING.amount, DROWNING)
      has = 0
    }
    player.breath = has
    if (has !== had) shown(player, { ...BREATH, value: has })
  }

  /** To the others and to the player. */
  function shown (player, field) {
    show(player, field)
    player._client.write('entity_metadata', { entityId: player.id, metadata: [field] })
  }

  function recover (player) {
    if (player.burning) flame(player, false)
    Object.assign(player, { burning: 0, breath: AIR, fallen: 0, wasAt: undefined })
  }

  async function land (player, position) {
    const blocks = player.fallen
    player.fallen = 0
    if (blocks <= HARMLESS_FALL) return
    const [feet, below] = await Promise.all([0, -0.2].map(dy => player.world.getBlock(position.offset(0, dy, 0).floored())))
    if (BREAKS_FALL.test(feet.name)) return
    const softened = SOFT[below.name] ?? (feet.name.endsWith('_bed') ? SOFT_BED : 1)
    const key = blocks > HIGH ? 'death.fell.accident.generic' : 'death.attack.fall'
    strike(player, Math.ceil((blocks - HARMLESS_FALL) * softened - ROUNDING), { key })
  }

  function reported (done) {
    done.catch(error => serv.emit('error', error))
  }

  serv.on('tick', (delta, count) => {
    if (!serv.difficulty || count % EVERY) return
    for (const player of serv.players) {
      if (player.listed && player.health > 0) reported(harm(player))
    }
  })

  serv.on('newPlayer', player => {
    recover(player)
    player.on('move', ({ position, onGround, teleport }) => {
      // Its position is set only after this event: of several steps at once, each would count from the first.
      const down = (player.wasAt ?? position.y) - position.y
      player.wasAt = position.y
      player.fallen = !serv.difficulty || teleport || down < 0 ? 0 : player.fallen + down
      if (onGround) reported(land(player, position))
    })
    listen(serv, player, 'client_command', () => { if (player.health <= 0) recover(player) })
  })

  return { strike }
}

/** Every cell a body at this place touches. */
function cellsOf (feet) {
  const cells = new Map()
  for (const dx of [-HALF_WIDTH, HALF_WIDTH]) {
    for (const dz of [-HALF_WIDTH, HALF_WIDTH]) {
      for (const dy of [0, 1, HEIGHT]) {
        const cell = feet.offset(dx, dy, dz).floored()
        cells.set(String(cell), cell)
      }
    }
  }
  return [...cells.values()]
}

function isFull ({ boundingBox, transparent, shapes }) {
  return boundingBox === 'block' && !transparent && shapes.length === 1 && String(shapes[0]) === '0,0,0,1,1,1'
}
