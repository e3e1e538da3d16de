'use strict'
// Blocks around the feet in shells from near to far. A position whose section cannot hold
// anything wanted is answered by the section's palette; only the others are read, and counted.
const { namesOf } = require('../names.cjs')
const { AIR, Sections, paletteOf, stateAt } = require('../sensing/sections.cjs')
const { WATER, shoreOf } = require('../sensing/shore.cjs')
const { slices } = require('../sensing/slices.cjs')

const HALF_TURN = 180

module.exports = async function scanBlocks (bot, question) {
  const started = performance.now()
  const scan = new Scan(bot, question)
  await scan.run()
  return { ...scan.answer(), took_ms: performance.now() - started }
}

class Scan {
  constructor (bot, question) {
    this.question = question
    this.centre = bot.entity.position.floored()
    this.yaw = question.yaw ?? (bot.entity.yaw * HALF_TURN / Math.PI + 360) % 360
    this.sections = new Sections(bot)
    this.names = namesOf(bot.registry)
    this.nameOf = naming(this.names, question)
    this.isWanted = new Map() // section -> whether its palette holds something wanted
    this.each = question.each ?? Infinity
    this.found = []
    this.tallies = new Map() // name -> how many there are, and how many of them are in `found`
    Object.assign(this, { checks: 0, visited: 0, reached: question.radius, isCut: false })
  }

  async run () {
    const giveWay = slices()
    for (let shell = 0; shell <= this.question.radius && !this.isCut; shell++) {
      const hits = []
      for (const [dx, dz, square] of this.pillars(shell)) {
        this.searchPillar(shell, dx, dz, square, hits)
        if (this.isCut) break
        const rest = giveWay()
        if (rest) await rest
      }
      if (this.isCut) this.reached = shell
      this.keep(hits)
    }
  }

  /** What stands in a shell, as [dx, dz, level distance squared]. */
  * pillars (shell) {
    const outer = (shell + 1) ** 2
    for (let dx = -shell; dx <= shell; dx++) {
      for (let dz = -shell; dz <= shell; dz++) {
        const square = dx * dx + dz * dz
        if (square < outer && this.isInCone(dx, dz)) yield [dx, dz, square]
      }
    }
  }

  isInCone (dx, dz) {
    const { cone } = this.question
    if (cone >= 2 * HALF_TURN || (dx === 0 && dz === 0)) return true
    const aside = Math.atan2(-dx, -dz) * HALF_TURN / Math.PI - this.yaw
    const turn = ((aside + HALF_TURN) % 360 + 360) % 360 - HALF_TURN
    return Math.abs(turn) <= cone / 2
  }

  searchPillar (shell, dx, dz, square, hits) {
    const x = this.centre.x + dx
    const z = this.centre.z + dz
    const column = this.sections.column(x >> 4, z >> 4)
    if (!column) return
    const [low, high] = heights(shell, square, this.question.radius)
    for (let dy = low; dy <= high && !this.isCut; dy++) {
      this.look(column, x, dy, z, square, hits)
      if (dy) this.look(column, x, -dy, z, square, hits)
    }
  }

  look (column, x, dy, z, square, hits) {
    const { lowest, highest, max_checks: most } = this.question
    const y = this.centre.y + dy
    if (dy < lowest || dy > highest || !this.sections.isHeight(y) || this.isCut) return
    const section = this.sections.at(column, y)
    const key = section ?? column
    if (!this.mayHold(key, section)) return this.visited++
    if (this.checks >= most) return (this.isCut = true)
    this.checks++
    this.visited++
    const state = section ? stateAt(section, { x: x & 15, y: y & 15, z: z & 15 }) : 0
    const name = this.nameOf(state)
    if (!name) return
    const tally = this.tally(name)
    tally.count++
    if (tally.listed < this.each && this.room) {
      hits.push({ name, tally, at: [x, y, z], square: square + dy * dy })
    }
  }

  tally (name) {
    let tally = this.tallies.get(name)
    if (!tally) this.tallies.set(name, tally = { count: 0, listed: 0 })
    return tally
  }

  mayHold (key, section) {
    let may = this.isWanted.get(key)
    if (may === undefined) {
      may = paletteOf(section)?.some(this.nameOf) ?? true
      this.isWanted.set(key, may)
    }
    return may
  }

  /** Shells come in order, so only what is in the same one has to be sorted. */
  keep (hits) {
    for (const hit of hits.sort((a, b) => a.square - b.square)) {
      if (this.room <= 0 || hit.tally.listed >= this.each) continue
      hit.tally.listed++
      this.found.push(hit)
    }
  }

  get room () {
    return this.question.limit - this.found.length
  }

  answer () {
    const counts = [...this.tallies].map(([name, { count }]) => [name, count])
    counts.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    const numbers = new Map(counts.map(([name], number) => [name, number]))
    const underWater = this.underWater()
    return {
      centre: this.centre.toArray(),
      yaw: this.yaw,
      blocks: this.found.map(({ name, at }) => [numbers.get(name), ...at]),
      counts,
      under_water: underWater,
      shores: this.shores(underWater),
      checks: this.checks,
      visited: this.visited,
      positions: this.positions(),
      reached: this.reached,
      is_cut: this.isCut,
      sections: this.isWanted.size,
      sections_read: [...this.isWanted.values()].filter(Boolean).length
    }
  }

  /** The places in `found` of blocks with water on top, when only a few of each name are listed. */
  underWater () {
    if (this.each === Infinity) return []
    return [...this.found.keys()].filter(index => {
      const [x, y, z] = this.found[index].at
      return WATER.has(this.blockAt(x, y + 1, z)?.name)
    })
  }

  /** Of those that can be dug from dry ground: [place in `found`, x, y, z of where to stand]. */
  shores (underWater) {
    const blockAt = (x, y, z) => this.blockAt(x, y, z)
    const places = underWater.map(index => [index, shoreOf(blockAt, this.found[index].at, this.centre)])
    return places.filter(([, at]) => at).map(([index, at]) => [index, ...at])
  }

  /** The block at a place; null where nothing but air is, or nothing is known. */
  blockAt (x, y, z) {
    const column = this.sections.column(x >> 4, z >> 4)
    const section = column && this.sections.isHeight(y) ? this.sections.at(column, y) : null
    return section ? this.names.blockOf(stateAt(section, { x: x & 15, y: y & 15, z: z & 15 })) : null
  }

  /** How many positions the whole shape has. */
  positions () {
    const { radius, lowest, highest } = this.question
    let sum = 0
    for (const [,, square] of this.pillars(radius)) {
      if (square > radius * radius) continue
      const tall = Math.floor(Math.sqrt(radius * radius - square))
      sum += Math.max(0, Math.min(highest, tall) - Math.max(lowest, -tall) + 1)
    }
    return sum
  }
}

/** The distances above and below at which a pillar crosses a shell: [least, most]. */
function heights (shell, square, radius) {
  const least = shell * shell - square
  const most = Math.min((shell + 1) ** 2 - 1, radius * radius) - square
  return [least > 0 ? Math.ceil(Math.sqrt(least)) : 0, most < 0 ? -1 : Math.floor(Math.sqrt(most))]
}

/** state number -> name, undefined for what is not wanted. */
function naming (known, { names, include_air: withAir }) {
  const wanted = new Set(names)
  const told = new Map()
  const wantedName = name => wanted.size ? wanted.has(name) : withAir || !AIR.has(name)
  return state => {
    if (!told.has(state)) {
      const name = known.blockOf(state)?.name
      told.set(state, name && wantedName(name) ? name : undefined)
    }
    return told.get(state)
  }
}
