'use strict'
// Buckets: an empty one takes the still water or lava that the player looks at, a full one is
// emptied against the block looked at. Water between two others comes back at once, as in vanilla.

const { listen, alive } = require('./clients.cjs')
const { along, eyesOf } = require('./gaze.cjs')

const REACH = 5 // from the eyes
const STEP = 0.05
const TAKEN = ['water', 'lava']
const ROOM = /^(air|cave_air|void_air|water|lava|grass|fern|dead_bush|tall_grass|large_fern|seagrass|fire|snow)$/

module.exports = function buckets (serv, { items, inventory, dropped, waters, lava }) {
  async function use (player) {
    const held = inventory.held(player)
    if (!alive(player) || !held) return
    if (held.name === 'bucket') await fill(player, held)
    else if (TAKEN.some(liquid => held.name === `${liquid}_bucket`)) await empty(player, held)
  }

  async function fill (player, held) {
    const { block, at } = await lookedAt(player, block => isStill(block) || block.boundingBox === 'block')
    if (!block || !isStill(block)) return
    if (!(block.name === 'water' && await waters.isFed(player.world, at))) await serv.setBlock(player.world, at, 0)
    exchange(player, held, items.named(`${block.name}_bucket`))
  }

  async function empty (player, held) {
    const { block, before } = await lookedAt(player, block => block.boundingBox === 'block')
    if (!block || !before || !ROOM.test((await player.world.getBlock(before)).name)) return
    const liquid = serv.registry.blocksByName[held.name.replace('_bucket', '')]
    await serv.setBlock(player.world, before, liquid.minStateId)
    if (liquid.name === 'lava') lava.pour(player.world, before)
    else await lava.cool(player.world, before)
    exchange(player, held, items.named('bucket'))
  }

  /** One of the held items becomes another. */
  function exchange (player, held, other) {
    const rest = items.portion(held, held.count - 1)
    inventory.set(player, inventory.heldSlot(player), rest || other)
    const left = rest && inventory.add(player, other)
    if (left) dropped.toss(player, left)
  }

  /** The first block in view that `isOne`, where it is, and the place before it. */
  async function lookedAt (player, isOne) {
    let [at, before] = [null, null]
    for (const point of sight(player)) {
      const cell = point.floored()
      if (at && cell.equals(at)) continue
      before = at
      at = cell
      const block = await player.world.getBlock(cell)
      if (isOne(block)) return { block, at, before }
    }
    return {}
  }

  serv.on('newPlayer', player => listen(serv, player, 'use_item', () => use(player)))

  return { exchange }
}

function isStill (block) {
  return TAKEN.includes(block.name) && block.metadata === 0
}

/** Points from the eyes along the line of sight. */
function * sight (player) {
  const [eyes, step] = [eyesOf(player), along(player)]
  for (let away = 0; away <= REACH; away += STEP) yield eyes.plus(step.scaled(away))
}
