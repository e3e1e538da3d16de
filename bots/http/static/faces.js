// @ts-check
// A face of eight by eight pixels for each name, always the same.
import { h, s } from './dom.js'

const SKINS = ['#f2cfa6', '#e0ac7d', '#c68642', '#8d5524', '#f6dcc4', '#a0673b']
const HAIRS = ['#2b1d0e', '#5a3a1a', '#a8702a', '#d8b04c', '#7a2f1d', '#3c3c46', '#8a4fa0', '#2f6f8f']
const EYES = ['#2f5fb0', '#3f7f3a', '#5b3a1a', '#6a4fa8']

/** Drawn once for each name. @type {Map<string, string>} */
const drawn = new Map()
const MOST_DRAWN = 500

/**
 * @param {string} name
 * @param {boolean} [isPerson]
 */
export function face (name, isPerson = false) {
  return h('img', { class: 'face', src: picture(name, isPerson), alt: '' })
}

/**
 * The address of the picture, which a browser reads once however often it is shown.
 * @param {string} name
 * @param {boolean} [isPerson]
 */
export function picture (name, isPerson = false) {
  const key = `${isPerson} ${name}`
  const known = drawn.get(key)
  if (known) return known
  if (drawn.size >= MOST_DRAWN) drawn.clear()
  const made = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(draw(name, isPerson)))}`
  drawn.set(key, made)
  return made
}

/** @param {string} name @param {boolean} isPerson */
function draw (name, isPerson) {
  const dice = numbers(name)
  const [skin, hair, eye] = [SKINS, HAIRS, EYES].map(colours => colours[dice() % colours.length])
  const fringe = 1 + dice() % 2
  const beard = !isPerson && dice() % 4 === 0
  const pixel = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ w, /** @type {number} */ tall, /** @type {string} */ fill) =>
    s('rect', { x, y, width: w, height: tall, fill })
  return s('svg', { viewBox: '0 0 8 8', width: 64, height: 64, 'shape-rendering': 'crispEdges' },
    pixel(0, 0, 8, 8, skin),
    pixel(0, 0, 8, fringe, hair), pixel(0, 0, 1, 4, hair), pixel(7, 0, 1, 4, hair),
    pixel(1, 4, 1, 1, '#ffffff'), pixel(2, 4, 1, 1, eye), pixel(5, 4, 1, 1, eye), pixel(6, 4, 1, 1, '#ffffff'),
    pixel(3, 5, 2, 1, shade(skin)),
    beard ? pixel(1, 6, 6, 2, hair) : pixel(2, 6, 4, 1, shade(skin)))
}

/**
 * Numbers that look random and depend on the name alone.
 * @param {string} name
 */
export function numbers (name) {
  let state = 2166136261
  for (const letter of name) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619)
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519)
    state ^= state >>> 13
    return state >>> 0
  }
}

/** @param {string} colour */
function shade (colour) {
  const parts = [1, 3, 5].map(at => Math.round(parseInt(colour.slice(at, at + 2), 16) * 0.8))
  return `#${parts.map(part => part.toString(16).padStart(2, '0')).join('')}`
}
