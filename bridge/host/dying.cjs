'use strict'
// A death of a bot: where, with what, and of what signs. It leaves nothing in its hands, no window,
// full breath.

const HEALTH_MS = 500 // for the health that vanilla sends after a respawn; mineflayer stands still from 1 s on
const TOLD_MS = 500 // from how the bot died to its health
const GRID = [0, 1, 2, 3, 4] // of the inventory, with the result
const WORN = [5, 6, 7, 8, 45] // armour, and the off hand since 1.9

/** Keeps `bot.died`, the latest death as {number, where, dimension, world, carried}, or null, and
 *  has `bot` emit it as `died`, with `signs` of what it was of.
 *
 *  expected: a player who died has nothing in hand and no window open
 *  actual:   mineflayer keeps both until the server says otherwise. No server speaks of the
 *            cursor then, and a window is closed later: what it showed becomes the inventory.
 *  remove when: health.js of mineflayer forgets the window and the cursor at a death */
module.exports = function dying (bot) {
  bot.died = null
  let [before, now] = [0, 0] // its health
  let bag = { at: -Infinity } // as the server told how the bot died: what it tells next may empty it
  bot.on('dying', () => { bag = { at: performance.now(), items: carried(bot) } })
  bot.on('health', () => { [before, now] = [now, bot.health] })
  bot.on('death', () => {
    const { x, y, z } = bot.entity.position
    bot.died = {
      number: (bot.died?.number ?? 0) + 1,
      lost: before,
      where: [x, y, z],
      dimension: bot.dimensionName || bot.game.dimension,
      world: bot.worldName,
      carried: performance.now() - bag.at < TOLD_MS ? bag.items : carried(bot)
    }
    const death = bot.died
    bot.signsOf(signs => bot.emit('died', { ...death, signs })) // while it still burns
    letGo(bot)
  })
  mourn(bot)
  revive(bot)
}

// expected: each death is told
// actual:   mineflayer takes a bot for dead from a respawn, as into another dimension, to its next
//           health; a death between the two is none
// remove when: health.js of mineflayer tells deaths by health alone
function mourn (bot) {
  let isTold = false
  bot.on('death', () => { isTold = true })
  bot._client.on('respawn', () => { isTold = false })
  bot._client.on('update_health', ({ health }) => {
    if (health > 0) isTold = false
    else if (!isTold && !bot.isAlive) bot.emit('death')
  })
}

// expected: who has respawned and been placed lives, at full health as vanilla's client has it
// actual:   mineflayer waits for a health packet, which Cuberite does not send, and stays dead: it
//           tells the server no place any more, while its own goes on
// remove when: health.js of mineflayer takes a respawn for a life
function revive (bot) {
  let timer
  bot._client.on('respawn', () => {
    clearTimeout(timer)
    bot._client.once('position', () => { timer = setTimeout(live, HEALTH_MS) })
  })
  bot._client.once('end', () => clearTimeout(timer))

  function live () {
    if (bot.isAlive) return
    const [health, food] = bot.health > 0 ? [bot.health, bot.food] : [20, 20]
    bot._client.emit('update_health', { health, food, foodSaturation: bot.foodSaturation ?? 5 })
  }
}

/** All that it has with it, [[name, count], …]. */
function carried ({ inventory, currentWindow }) {
  const worn = WORN.map(slot => inventory.slots[slot]).filter(Boolean)
  const counts = new Map()
  for (const { name, count } of [...(currentWindow ?? inventory).items(), ...worn]) {
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return [...counts]
}

function letGo (bot) {
  const { currentWindow: window, entity, inventory } = bot
  entity.metadata = [] // of the one who comes back the server tells what is unusual alone
  inventory.selectedItem = null
  for (const slot of GRID) inventory.updateSlot(slot, null)
  if (!window) return
  bot._client.write('close_window', { windowId: window.id })
  bot.currentWindow = null
  bot.emit('windowClose', window)
}
