'use strict'
// Tells of a block that the server puts back after a bot broke it.
const { isAir } = require('./blocks.cjs')

const TAKING_BACK_MS = 250 // a server that refuses puts the block back by then; sand falls later

/** A listener of `blockUpdate` that calls `tell` with the block that is back. */
function onPutBack (tell) {
  let gone = null
  return (before, now) => {
    if (!before || !now || before.type === now.type) return // some send all that is around, too
    if (isAir(now.name)) gone = { block: before, at: performance.now() }
    else if (gone && isBack(gone, now)) tell(now)
  }
}

function isBack ({ block, at }, now) {
  return block.type === now.type && block.position.equals(now.position) && performance.now() - at <= TAKING_BACK_MS
}

module.exports = { TAKING_BACK_MS, onPutBack }
