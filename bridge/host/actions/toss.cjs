'use strict'
// Throw items forward. Fails: missing_item.
const { OUTSIDE, pourStack } = require('../acting/clicking.cjs')
const { amount, count, stacks } = require('../acting/inventory.cjs')

module.exports = async function toss (bot, deed, { signal }) {
  const wanted = amount(deed.count, count(bot, deed.item), deed.item)
  let tossed = 0
  while (tossed < wanted) {
    const [stack] = stacks(bot, deed.item)
    if (!stack) break
    tossed += await pourStack(bot, stack, () => OUTSIDE, wanted - tossed, signal)
  }
  return { tossed }
}
