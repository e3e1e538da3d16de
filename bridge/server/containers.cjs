'use strict'
// Blocks that open: crafting tables, chests, barrels, shulker boxes, ender chests and furnaces. One
// set of slots a place, shared by all who look; broken, it lets its contents fall, shulker boxes
// too. A double chest shows the slots of both its places.

const { load } = require('./packages.cjs')
const kinds = require('./kinds.cjs')
const containerFile = require('./container_file.cjs')
const { together } = require('./double_chests.cjs')

const { Vec3 } = load('vec3')

const REACH = 8
const DOUBLE = ['chest', 'trapped_chest']
const LIDDED = new Set(['chest', 'trapped_chest', 'ender_chest']) // need air above
const FURNACES = ['furnace', 'blast_furnace', 'smoker']

module.exports = function containers (serv, { items, windows, dropped, chests }, { worldFolder }) {
  const known = new Map() // place -> container
  const doubles = new Map() // place of the first half -> container of both
  const save = containerFile(serv, items, known, byTitle, worldFolder)

  function at (place, kind) {
    if (!known.has(place)) known.set(place, container(kind))
    return known.get(place)
  }

  function openable (name, find) {
    serv.onBlockInteraction(name, async ({ block, player }) => {
      if (player.crouching && player.inventory.slots[36 + player.heldItemSlot]) return false
      if (player.position.distanceTo(block.position) > REACH) return true
      const { kind, slots, places } = await find(block.position, player)
      if (LIDDED.has(name) && await anyShut(player.world, places || [block.position])) return true
      windows.open(player, kind, slots)
      return true
    })
  }

  openable('crafting_table', where => ({ kind: kinds.crafting, slots: grid(where) }))
  openable('ender_chest', (_, player) => entry(`ender ${player.uuid}`, kinds.ender_chest))
  for (const name of Object.keys(serv.registry.blocksByName).filter(storageKind)) {
    openable(name, DOUBLE.includes(name) ? chest : where => entry(key(where), storageKind(name)))
  }
  for (const name of FURNACES) openable(name, where => entry(key(where), kinds[name]))

  async function chest (position, { world }) {
    const places = await chests.halves(world, position)
    if (places.length === 1) return entry(key(position), kinds.chest)
    return { kind: kinds.large_chest, slots: double(places), places }
  }

  function double (places) {
    const [first, second] = places.map(place => at(key(place), kinds.chest))
    const known = doubles.get(key(places[0]))
    if (known?.first === first && known.second === second) return known
    const slots = together(first.slots, second.slots)
    const both = { kind: kinds.large_chest, first, second, slots, viewers: new Set() }
    doubles.set(key(places[0]), both)
    return both
  }

  function entry (place, kind) {
    return { kind, slots: at(place, kind) }
  }

  // whatever replaces the block, its contents fall out and its windows close
  const setBlock = serv.setBlock
  serv.setBlock = async (world, position, stateId) => {
    const gone = known.get(key(position))
    const block = serv.registry.blocksByStateId[stateId]
    if (gone && !(kinds[block.name] === gone.kind || storageKind(block.name) === gone.kind)) {
      known.delete(key(position))
      forgetDouble(gone)
      spill(world, position, gone)
    }
    if (block.name !== 'crafting_table') closeGrids(position)
    if (!DOUBLE.includes(block.name)) await chests.part(world, position)
    return setBlock(world, position, stateId)
  }

  function closeGrids (position) {
    const isThere = ({ screen }) => screen?.window?.container.place === key(position)
    serv.players.filter(isThere).forEach(windows.closeFor)
  }

  function forgetDouble (half) {
    for (const [place, { first, second, viewers }] of doubles) {
      if (half !== first && half !== second) continue
      ;[...viewers].forEach(windows.closeFor)
      doubles.delete(place)
    }
  }

  function spill (world, position, { slots, viewers }) {
    ;[...viewers].forEach(windows.closeFor)
    const centre = new Vec3(position.x + 0.5, position.y + 0.25, position.z + 0.5)
    slots.filter(Boolean).forEach(item => dropped.drop(world, centre, item))
  }

  return {
    save,
    at: position => known.get(key(position)) || null,
    furnaces: () => [...known.values()].filter(({ kind }) => kind.fuel !== undefined)
  }
}

function container (kind) {
  return {
    kind,
    slots: new Array(kind.size).fill(null),
    viewers: new Set(),
    fire: { leftMs: 0, wholeMs: 0, cookedMs: 0 }
  }
}

/** The grid of a crafting table: everybody before it has one. */
function grid (position) {
  return { ...container(kinds.crafting), place: key(position) }
}

/** What a block keeps things in, or null. */
function storageKind (name) {
  if (DOUBLE.includes(name)) return kinds.chest
  if (/^(\w+_)?shulker_box$/.test(name)) return kinds.shulker_box
  return name === 'barrel' ? kinds.barrel : null
}

function byTitle (title) {
  return container(Object.values(kinds).find(kind => kind.title === title))
}

async function anyShut (world, places) {
  return (await Promise.all(places.map(place => shut(world, place)))).some(Boolean)
}

async function shut (world, position) {
  const above = await world.getBlock(new Vec3(position.x, position.y + 1, position.z))
  return above.boundingBox === 'block' && !above.transparent
}

function key ({ x, y, z }) {
  return `${x},${y},${z}`
}
