'use strict'
// Digging at the speed of tool and block, with loot and wear; and the other things a player does
// with the digging packet: throwing the held item, letting go of it, changing hands.

const { load } = require('./packages.cjs')
const { takeOver, alive } = require('./clients.cjs')
const loot = require('./loot.cjs')
const { isHeld } = require('./standing.cjs')

const { Vec3 } = load('vec3')

const [START, CANCEL, FINISH, THROW_STACK, THROW_ONE, LET_GO, CHANGE_HANDS] = [0, 1, 2, 3, 4, 5, 6]
const REACH = 7 // vanilla: 6 from the eyes to the block's centre, and some for lag
const EYES = 1.62
const CREATIVE = 1
const OFF_HAND = 45
const ENOUGH = 0.7 // vanilla accepts a dig of which this part is done
const LAG_MS = 50
const ABOVE = [0, 1, 0]
const AROUND = [ABOVE, [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]]

module.exports = function digging (serv, { items, inventory, dropped, wear, eating, waters, lava, beds }) {
  function acknowledge (player, location, status, block, successful) {
    player._client.write('acknowledge_player_digging', { location, status, block, successful })
  }

  function timeNeeded (player, block, held) {
    const creative = player.gameMode === CREATIVE
    return block.digTime(held ? held.type : null, creative, false, false, held?.enchants ?? [], {})
  }

  async function start (player, position, block) {
    const ok = block.type !== 0 && inReach(player, position)
    acknowledge(player, position, START, block.stateId, ok)
    if (!ok) return
    player.dig = { position, since: Date.now() }
    if (timeNeeded(player, block, inventory.held(player)) === 0) await finish(player, position, block)
  }

  async function finish (player, position, block) {
    const { dig } = player
    player.dig = null
    if (block.type === 0) return acknowledge(player, position, FINISH, 0, true)
    const held = inventory.held(player)
    const enough = timeNeeded(player, block, held) * ENOUGH - LAG_MS
    const ok = dig && dig.position.equals(position) && Date.now() - dig.since >= enough
    if (ok && inReach(player, position)) await breakBlock(player, position, block, held)
    else player._client.write('block_change', { location: position, type: block.stateId })
    const { stateId } = ok ? await player.world.getBlock(position) : block
    acknowledge(player, position, FINISH, stateId, Boolean(ok))
  }

  async function breakBlock (player, position, block, held) {
    const drops = player.gameMode === CREATIVE ? [] : loot(serv.registry, block, held, Math.random)
    await crumble(player.world, position, block, drops)
    player.emit('broke')
    if (player.gameMode !== CREATIVE && block.hardness > 0) wear(player)
  }

  /** A block is gone, whoever broke it: what it leaves falls, and so does what it held. */
  async function crumble (world, position, block, drops) {
    await serv.setBlock(world, position, await waters.emptied(world, position))
    lava.letOut(world, [position])
    fall(world, position, drops)
    await breakOtherHalf(world, position, block)
    await breakUnsupported(world, position)
  }

  function fall (world, position, drops) {
    const at = position.offset(0.5, 0.25, 0.5)
    for (const [name, count] of drops) dropped.drop(world, at, items.named(name, count))
  }

  async function breakOtherHalf (world, position, block) {
    const { half } = block.getProperties()
    const other = beds.otherHalf(position, block) ??
      (['lower', 'upper'].includes(half) && position.offset(0, half === 'lower' ? 1 : -1, 0))
    if (other && (await world.getBlock(other)).type === block.type) await serv.setBlock(world, other, 0)
  }

  /** What stands on a block that is gone or hangs from it falls, and what that held in turn. */
  async function breakUnsupported (world, position) {
    for (const step of AROUND) {
      const place = position.offset(...step)
      const block = await world.getBlock(place)
      const isPlant = step === ABOVE && block.boundingBox === 'empty' && block.material === 'plant'
      if (!isPlant && await isHeld(world, place)) continue
      await serv.setBlock(world, place, 0)
      fall(world, place, loot.fallen(serv.registry, block, Math.random))
      await breakOtherHalf(world, place, block)
      await breakUnsupported(world, place)
    }
  }

  function throwHeld (player, all) {
    const held = inventory.held(player)
    if (!held) return
    const count = all ? held.count : 1
    inventory.set(player, inventory.heldSlot(player), items.portion(held, held.count - count))
    dropped.toss(player, items.portion(held, count))
  }

  function changeHands (player) {
    const [held, other] = [inventory.held(player), player.inventory.slots[OFF_HAND]]
    inventory.set(player, inventory.heldSlot(player), other)
    inventory.set(player, OFF_HAND, held)
  }

  async function handle (player, { location, status }) {
    if (!alive(player)) return
    if (status === THROW_STACK || status === THROW_ONE) return throwHeld(player, status === THROW_STACK)
    if (status === LET_GO) return eating.stop(player)
    if (status === CHANGE_HANDS) return changeHands(player)
    const position = new Vec3(location.x, location.y, location.z)
    const block = await player.world.getBlock(position)
    if (status === START) return start(player, position, block)
    if (status === FINISH) return finish(player, position, block)
    player.dig = null
    acknowledge(player, position, CANCEL, block.stateId, true)
  }

  serv.on('newPlayer', player => takeOver(serv, player, 'block_dig', packet => handle(player, packet)))

  return { breakUnsupported, crumble }
}

function inReach (player, position) {
  return player.position.offset(0, EYES, 0).distanceTo(position.offset(0.5, 0.5, 0.5)) <= REACH
}
