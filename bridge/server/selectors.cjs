'use strict'
// Target selectors of commands: a name, @a @p @s @r, with distance=, name= and limit=.

const SHAPE = /^@([apsr])(?:\[([^\]]*)\])?$/

/** Players a command's target names, as seen by `player` (null: the console). */
module.exports = function select (serv, target, player) {
  const match = SHAPE.exec(target)
  if (!match) return serv.players.filter(other => other.username === target)
  const kind = match[1]
  const options = parseOptions(match[2] || '')
  const found = candidates(serv, kind, player).filter(other => fits(other, options, player))
  return found.slice(0, options.limit ?? (kind === 'a' ? found.length : 1))
}

function candidates (serv, kind, player) {
  if (kind === 's') return player ? [player] : []
  const all = serv.players.filter(other => kind === 'a' || other.health > 0)
  if (kind === 'p' && player) return all.sort((a, b) => distance(a, player) - distance(b, player))
  if (kind === 'r') return all.sort(() => Math.random() - 0.5)
  return all
}

function parseOptions (text) {
  const options = {}
  for (const [key, value] of text.split(',').filter(Boolean).map(part => part.split('='))) {
    if (key === 'distance') options.distance = parseRange(value)
    else if (key === 'limit') options.limit = Number(value)
    else if (key === 'name') options.name = value.replace(/"/g, '')
  }
  return options
}

function parseRange (text) {
  if (!text.includes('..')) return [Number(text), Number(text)]
  const [low, high] = text.split('..')
  return [low === '' ? 0 : Number(low), high === '' ? Infinity : Number(high)]
}

function fits (other, { distance: range, name }, player) {
  if (range && player) {
    const away = distance(other, player)
    if (away < range[0] || away > range[1]) return false
  }
  if (name === undefined) return true
  return name[0] === '!' ? other.username !== name.slice(1) : other.username === name
}

function distance (one, other) {
  return one.position.distanceTo(other.position)
}
