'use strict'
// Places that an action leaves alone: boxes and what is level with them and near. The first zone
// that has a block decides; see bridge/zones.py.

/** Answers for each point whether it is left alone. */
function sparing (zones = []) {
  return point => {
    const block = point.floored()
    const first = zones.find(zone => has(zone, block))
    return Boolean(first) && !first.may_touch
  }
}

function has ({ low, high, within }, { x, y, z }) {
  if (y < low[1] || y > high[1]) return false
  return Math.hypot(beyond(low[0], x, high[0]), beyond(low[2], z, high[2])) <= within
}

function beyond (low, at, high) {
  return Math.max(low - at, 0, at - high)
}

module.exports = { sparing }
