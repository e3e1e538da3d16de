'use strict'
// Places that an action leaves alone: boxes and what is level with them and near. The first zone
// that has a block decides; see bridge/world.py.

/** Answers for each point whether it is left alone. A search for a way asks for many of few columns. */
function sparing (zones = []) {
  const columns = new Map() // "x,z" -> the zones there
  return point => {
    const { x, y, z } = point.floored()
    const key = `${x},${z}`
    if (!columns.has(key)) columns.set(key, zones.filter(zone => isLevelWith(zone, x, z)))
    const first = columns.get(key).find(({ low, high }) => y >= low[1] && y <= high[1])
    return Boolean(first) && !first.may_touch
  }
}

function isLevelWith ({ low, high, within }, x, z) {
  return Math.hypot(beyond(low[0], x, high[0]), beyond(low[2], z, high[2])) <= within
}

function beyond (low, at, high) {
  return Math.max(low - at, 0, at - high)
}

module.exports = { sparing }
