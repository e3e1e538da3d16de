'use strict'
// Using the held block on another block: open what opens, else place it, if there is room.

const { load } = require('./packages.cjs')
const { takeOver, alive } = require('./clients.cjs')
const { canStay } = require('./standing.cjs')

const { Vec3 } = load('vec3')

const FACES = [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0]].map(v => new Vec3(...v))
const AXES = ['y', 'y', 'z', 'z', 'x', 'x']
const COMPASS = ['north', 'east', 'south', 'west']
const SIDES = { 2: 'north', 3: 'south', 4: 'west', 5: 'east' } // where a wall torch points
const REACH = 7
const ADVENTURE = 2
const CREATIVE = 1
const REPLACEABLE = new RegExp(
  '^(air|cave_air|void_air|water|lava|grass|fern|dead_bush|tall_grass|large_fern|seagrass|vine|' +
  'fire|snow)$'
)
const ON_WALLS = /^(.*_)?(torch|sign)$/ // blocks of their own: wall_torch, oak_wall_sign

module.exports = function placing (serv, items, inventory, { chests, doors, beds, till }) {
  const { registry } = serv

  async function handle (player, { direction, location, cursorY }) {
    if (!alive(player)) return
    const clicked = new Vec3(location.x, location.y, location.z)
    const block = await player.world.getBlock(clicked)
    Object.assign(block, { position: clicked, direction })
    const face = FACES[direction]
    const done = await serv.interactWithBlock({ block, player })
    const target = face && (REPLACEABLE.test(block.name) ? clicked : clicked.plus(face))
    const isTilled = !done && await till(player, clicked, direction)
    if (!done && !isTilled && target) await place(player, { clicked, target, direction, cursorY })
    await show(player, clicked) // as vanilla does, whatever came of it
    if (target) await show(player, target)
  }

  async function show (player, location) {
    const type = await player.world.getBlockStateId(location)
    player._client.write('block_change', { location, type })
  }

  async function place (player, where) {
    const held = inventory.held(player)
    if (!held || player.gameMode >= ADVENTURE) return
    const there = await player.world.getBlock(where.target)
    if (!REPLACEABLE.test(there.name) || outOfReach(player, where.target)) return
    const stateId = await stateFor(player, held, where, there)
    if (stateId === null || inTheWay(serv, player.world, where.target, stateId)) return
    for (const { hasRoom } of [doors, beds]) if (!await hasRoom(player.world, where.target, stateId)) return
    if (!await canStay(serv, player.world, where.target, stateId)) return
    if (player.gameMode !== CREATIVE) {
      inventory.set(player, inventory.heldSlot(player), items.portion(held, held.count - 1))
    }
    const finalId = await chests.join(player, where.target, stateId)
    await serv.setBlock(player.world, where.target, finalId)
    const placed = await player.world.getBlock(where.target)
    for (const { complete } of [doors, beds]) await complete(player.world, where.target, placed)
  }

  async function stateFor (player, item, { clicked, target, direction, cursorY }, there) {
    const wall = SIDES[direction] && item.name.replace(ON_WALLS, '$1wall_$2')
    if (registry.blocksByName[wall] && wall !== item.name) return withFacing(registry.blocksByName[wall], SIDES[direction])
    const { id, data } = await serv.placeItem({
      item,
      player,
      direction,
      angle: angleOf(player, target),
      referencePosition: clicked,
      placedPosition: target,
      directionVector: FACES[direction],
      properties: { ...properties(player, target, direction, cursorY, there), ...ownWay(item.name, direction) }
    })
    const block = registry.blocks[id]
    return block && block.name !== 'air' ? block.minStateId + data : null
  }

  function withFacing (block, facing) {
    const data = serv.setBlockDataProperties(0, block.states, { facing })
    return block.minStateId + data
  }

  function inTheWay (serv, world, { x, y, z }, stateId) {
    const { boundingBox } = registry.blocksByStateId[stateId]
    return boundingBox === 'block' && serv.players.some(({ world: theirs, position: at, health }) =>
      theirs === world && health > 0 && Math.abs(at.x - x - 0.5) < 0.8 &&
      Math.abs(at.z - z - 0.5) < 0.8 && at.y < y + 1 && at.y + 1.8 > y)
  }

  serv.on('newPlayer', player => takeOver(serv, player, 'block_place', packet => handle(player, packet)))
}

function properties (player, target, direction, cursorY, there) {
  const angle = angleOf(player, target)
  const upper = direction === 0 || (direction !== 1 && cursorY > 0.5)
  return {
    rotation: Math.floor(angle / 22.5 + 0.5) & 15,
    axis: AXES[direction],
    facing: COMPASS[Math.floor(angle / 90 + 0.5) & 3],
    half: upper ? 'top' : 'bottom',
    waterlogged: there.name === 'water'
  }
}

/** What other than by where the player stands and looks a block is placed. */
function ownWay (name, direction) {
  const side = SIDES[direction]
  if (/^(ladder|tripwire_hook)$/.test(name)) return side ? { facing: side } : {}
  if (/_button$|^lever$/.test(name)) return side ? { face: 'wall', facing: side } : { face: direction === 0 ? 'ceiling' : 'floor' }
  if (name.endsWith('lantern')) return { hanging: direction === 0 }
  return name.endsWith('_door') ? { half: 'lower' } : {}
}

/** Degrees from the player to the block, 0 = north, clockwise. */
function angleOf (player, { x, z }) {
  const [dx, dz] = [player.position.x - x - 0.5, player.position.z - z - 0.5]
  return Math.atan2(dx, -dz) * 180 / Math.PI + 180
}

function outOfReach (player, position) {
  return player.position.offset(0, 1.62, 0).distanceTo(position.offset(0.5, 0.5, 0.5)) > REACH
}
