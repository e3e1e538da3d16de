// @ts-check
// The ground under the map: squares around the bots, asked for one at a time as they move.
import { get, of } from './api.js'

/** @typedef {import('./store.js').Place} Place */
/** @typedef {{bot: string, dimension: string, west: number, north: number, width: number, height: number, png: string, at: number}} Square */

const REACH = 48
const NEAR = 20 // blocks from the middle of a square that still are well within it
const OLD_MS = 30_000 // people build
const LATER_MS = 5_000 // after one that could not be had
const MOST = 40

export class Terrain {
  /** Oldest first. @type {Square[]} */ squares = []
  #isAsking = false
  #notBefore = 0

  /**
   * Ask for a square that is missing or old, if there is one.
   * @param {Place[]} bots
   * @param {() => void} changed
   */
  async look (bots, changed) {
    const now = Date.now()
    const bot = bots.find(one => !this.#has(one, now))
    if (this.#isAsking || !bot || now < this.#notBefore) return
    this.#isAsking = true
    const found = await get(of(bot.name, `terrain?reach=${REACH}`))
    this.#isAsking = false
    if (!found.success) {
      this.#notBefore = Date.now() + LATER_MS
      return
    }
    const square = /** @type {Square} */ ({ ...found, dimension: bot.dimension, at: Date.now() })
    const others = this.squares.filter(one => !isSame(one, square))
    this.squares = [...others, square].slice(-MOST)
    changed()
  }

  /** @param {Place} bot @param {number} now */
  #has (bot, now) {
    return this.squares.some(one => now - one.at < OLD_MS && one.dimension === bot.dimension &&
      Math.abs(one.west + one.width / 2 - bot.x) < NEAR && Math.abs(one.north + one.height / 2 - bot.z) < NEAR)
  }
}

/** @param {Square} one @param {Square} other */
function isSame (one, other) {
  return one.dimension === other.dimension && Math.abs(one.west - other.west) < NEAR && Math.abs(one.north - other.north) < NEAR
}
