'use strict'
// The way of a monster: A* over cells it can stand in, one up or three down at a step, or swim in, or
// cling to a wall in.

const { isGround, isOpen } = require('./grazing.cjs')
const { isWater } = require('./waters.cjs')

const MOST = 200 // cells looked at; then the way towards the nearest of them
const DOWN = [0, 1, -1, -2, -3]
const SIDES = [[1, 0], [-1, 0], [0, 1], [0, -1]]

/** The middles of the cells from one point on the ground to near another; who `climbs` goes up and down walls. */
async function pathTo (world, from, to, { swims = false, climbs = false } = {}) {
  const start = { at: middle(from), cost: 0, left: away(from, to), before: null }
  const [open, seen] = [[start], new Map([[String(start.at), 0]])]
  let nearest = start
  for (let i = 0; i < MOST && open.length; i++) {
    const cell = open.splice(open.reduce((best, one, at) => rank(one) < rank(open[best]) ? at : best, 0), 1)[0]
    if (cell.left < nearest.left) nearest = cell
    if (cell.left < 1) break
    for (const at of await besides(world, cell.at, { swims, climbs })) {
      const cost = cell.cost + 1 + Math.abs(at.y - cell.at.y) / 2
      if (cost >= (seen.get(String(at)) ?? Infinity)) continue
      seen.set(String(at), cost)
      open.push({ at, cost, left: away(at, to), before: cell })
    }
  }
  return waysBack(nearest)
}

async function besides (world, at, how) {
  const found = await Promise.all(SIDES.map(async ([dx, dz]) => {
    for (const dy of DOWN) {
      const feet = at.offset(dx, dy, dz)
      if (await fits(world, feet, at, how)) return feet
    }
    return null
  }))
  for (const dy of how.swims || how.climbs ? [1, -1] : []) {
    const feet = at.offset(0, dy, 0)
    const isHeld = how.swims ? await isWet(world, feet) : await isAtWall(world, feet) || (dy > 0 && await isAtWall(world, at))
    if (isHeld && await isOpen(world, feet, at, how.swims)) found.push(feet)
  }
  return found.filter(Boolean)
}

async function fits (world, feet, from, { swims, climbs }) {
  if (!await isOpen(world, feet, from, swims)) return false
  if (await isGround(world, feet.offset(0, -1, 0))) return true
  return (swims && isWet(world, feet)) || (climbs && isAtWall(world, feet))
}

/** Whether something to cling to stands beside a cell. */
async function isAtWall (world, at) {
  const walls = await Promise.all(SIDES.map(([dx, dz]) => world.getBlock(at.offset(dx, 0, dz).floored())))
  return walls.some(({ boundingBox }) => boundingBox === 'block')
}

async function isWet (world, at) {
  return isWater(await world.getBlock(at.floored()))
}

function waysBack (cell) {
  const way = []
  for (let one = cell; one.before; one = one.before) way.unshift(one.at)
  return way
}

const rank = ({ cost, left }) => cost + left
const away = (one, other) => Math.abs(one.x - other.x) + Math.abs(one.y - other.y) + Math.abs(one.z - other.z)

function middle (point) {
  return point.offset(0, 0.5, 0).floored().offset(0.5, 0, 0.5)
}

module.exports = Object.assign(pathTo, { isAtWall })
