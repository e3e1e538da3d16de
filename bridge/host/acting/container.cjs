'use strict'
// Moves items between what is carried and the container kept open.
const { ActionFailure } = require('../failure.cjs')
const { amount, carriedRange, itemsIn, room, sum } = require('./inventory.cjs')
const { pour } = require('./clicking.cjs')
const windows = require('./windows.cjs')

/** The container kept open. Fails: window_closed. */
function openContainer (bot) {
  const window = windows.kept(bot)
  if (!window) throw new ActionFailure('window_closed', 'no container is open')
  return window
}

function insideOf (window) {
  return [0, window.inventoryStart]
}

/** Move `count` (-1 = all) of an item `inward` or out, over as many stacks as it takes. The
 *  answer counts what arrived. Fails: window_closed, missing_item, inventory_full, unconfirmed. */
async function transfer (bot, { item, count }, inward, signal) {
  const window = openContainer(bot)
  const [inside, outside] = [insideOf(window), carriedRange(window)]
  const [from, to] = inward ? [outside, inside] : [inside, outside]
  const lying = range => sum(itemsIn(window, range).filter(({ name }) => name === item))
  const wanted = amount(count, lying(from), item)
  const before = lying(to)
  await pour(bot, window, { from, to, name: item, wanted, signal })
  const moved = lying(to) - before
  if (moved === wanted) return { moved }
  if (!lying(from)) { // somebody else took the rest
    throw new ActionFailure('missing_item', `${moved} of ${wanted} ${item} were there`, { moved })
  }
  const [stack] = itemsIn(window, from).filter(({ name }) => name === item)
  if (room(window, to, stack) > 0) {
    throw new ActionFailure('unconfirmed', `the server let ${moved} of ${wanted} ${item} be moved`, { moved })
  }
  throw new ActionFailure('inventory_full', `${moved} of ${wanted} ${item} found room`, { moved })
}

module.exports = { insideOf, openContainer, transfer }
