'use strict'
// Repeatable chance: a stream of numbers that depends on the seed, the chunk and a topic only.

const PRIMES = [0x9e3779b1, 0x85ebca6b, 0xc2b2ae35, 0x27d4eb2f]

/** Numbers for one topic of one chunk: `below(n)` in 0..n-1, `between(low, high)` inclusive. */
module.exports = function dice (seed, cx, cz, topic) {
  let state = mix(seed, cx, cz, [...topic].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7))
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    return scramble(state)
  }
  const below = n => next() % n
  return { below, between: (low, high) => low + below(high - low + 1) }
}

/** One number of 0..1 for a point. */
module.exports.at = (seed, x, z) => scramble(mix(seed, x, z, 1)) / 2 ** 32

function mix (...values) {
  return values.reduce((sum, value, i) => scramble(sum ^ Math.imul(value | 0, PRIMES[i])), 0)
}

function scramble (value) {
  let v = value >>> 0
  v = Math.imul(v ^ (v >>> 16), 0x21f0aaad)
  v = Math.imul(v ^ (v >>> 15), 0x735a2d97)
  return (v ^ (v >>> 15)) >>> 0
}
