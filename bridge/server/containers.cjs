'use strict'
// Blocks that open: crafting tables, chests, barrels, ender chests and furnaces. One set of slots a
// place, shared by all who look; broken, it lets its contents fall. Chests side by side stay two.

const { load } = require('./packages.cjs')
const kinds = require('./kinds.cjs')
const containerFile = require('./container_file.cjs')

const { Vec3 } = load('vec3')

const REACH = 8
const STORAGE = { chest: kinds.chest, trapped_chest: kinds.chest, barrel: kinds.barrel }
const LIDDED = new Set(['chest', 'trapped_chest', 'ender_chest']) // need air above
const FURNACES = ['furnace', 'blast_furnace', 'smoker']

module.exports = function containers (serv, items, windows, dropped, { worldFolder }) {
  const known = new Map() // place -> container
  const save = containerFile(serv, items, known, byTitle, worldFolder)

  function at (place, kind) {
    if (!known.has(place)) known.set(place, container(kind))
    return known.get(place)
  }

  function openable (name, find) {
    serv.onBlockInteraction(name, async ({ block, player }) => {
      if (player.crouching && player.inventory.slots[36 + player.heldItemSlot]) return false
      if (player.position.distanceTo(block.position) > REACH) return true
      if (LIDDED.has(name) && await shut(player.world, block.position)) return true
      const { kind, slots } = find(block.position, player)
      windows.open(player, kind, slots)
      return true
    })
  }

  openable('crafting_table', () => ({ kind: kinds.crafting, slots: container(kinds.crafting) }))
  openable('ender_chest', (_, player) => entry(`ender ${player.uuid}`, kinds.ender_chest))
  for (const [name, kind] of Object.entries(STORAGE)) openable(name, where => entry(key(where), kind))
  for (const name of FURNACES) openable(name, where => entry(key(where), kinds[name]))

  function entry (place, kind) {
    return { kind, slots: at(place, kind) }
  }

  // whatever replaces the block, its contents fall out and its windows close
  const setBlock = serv.setBlock
  serv.setBlock = async (world, position, stateId) => {
    const gone = known.get(key(position))
    const block = gone && serv.registry.blocksByStateId[stateId]
    if (gone && !(kinds[block.name] === gone.kind || STORAGE[block.name] === gone.kind)) {
      known.delete(key(position))
      spill(world, position, gone)
    }
    return setBlock(world, position, stateId)
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

function byTitle (title) {
  return container(Object.values(kinds).find(kind => kind.title === title))
}

async function shut (world, position) {
  const above = await world.getBlock(new Vec3(position.x, position.y + 1, position.z))
  return above.boundingBox === 'block' && !above.transparent
}

function key ({ x, y, z }) {
  return `${x},${y},${z}`
}
