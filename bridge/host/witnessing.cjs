'use strict'
// Outside evidence for what a bot believes to have done, where the server gives no answer: what the
// server shows it besides, and what other bots of this process see on the same server.
const { isAir } = require('./acting/blocks.cjs')
const { until } = require('./waiting.cjs')

const SEEING_MS = 1000 // once the server was heard out, until who looks on has seen the last steps, or the last block go
const BUSY_MS = 5000 // the same, until a busy server has told the chunk
const SEES = 48 // blocks, of a fellow: farther off servers may tell no steps
const NEAR = 1 // blocks: who is seen no farther off stands where it believes to stand
const SIDE = 16
const ALWAYS = 2 // what a server has shown so often, steps into chunks or breaks in a row, it always shows
const APART = 2 // chunks: unpatched flying-squid forgets to tell one now and then, hardly two in a row

const here = new Set()

/** Mineflayer's plugin: has `bot` emit `blockShown` with what the server says of a block, which
 *  `blockUpdate` mixes with guesses; keeps `bot.centre`, the corner of the chunk where the server has it,
 *  and `bot.shows`: of how many {steps} into other chunks it told, unless it forgot one, and of how many
 *  {breaks} in a row. */
function witnessing (bot) {
  here.add(bot)
  bot.once('end', () => here.delete(bot))
  bot.shows = { steps: 0, breaks: 0 }
  watchBlocks(bot)
  watchCentre(bot)
}

// Expected: a block is as the server says. Actual (4.39): mineflayer calls a block broken by its own
// clock. Remove when it waits for the server.
function watchBlocks (bot) {
  const update = bot._updateBlockState
  let isGuess = false
  bot._updateBlockState = (...args) => {
    isGuess = true
    try { update(...args) } finally { isGuess = false }
  }
  bot.on('blockUpdate', (before, now) => { if (now && !isGuess) bot.emit('blockShown', now) })
}

// Vanilla tells it since 1.14, whenever a bot comes into another chunk. Every server tells it when it
// puts a bot somewhere, which shows nothing of steps. Mineflayer tells of that 1.5 s late after a death:
// so the packet is read.
function watchCentre (bot) {
  let wasPut = false
  bot.centre = null
  bot._client.on('position', () => { wasPut = true })
  bot.on('respawn', () => {
    bot.centre = null
    bot.shows.steps = Math.min(0, bot.shows.steps)
  })
  bot._client.on('update_view_position', ({ chunkX, chunkZ }) => {
    const [x, z] = [chunkX, chunkZ].map(chunk => chunk * SIDE)
    const chunks = bot.centre ? chunksBetween(bot.centre, { x, z }) : 0
    bot.centre = { x, z }
    if (!wasPut && chunks >= APART) bot.shows.steps = -Infinity
    if (!wasPut && chunks === 1 && isInside(bot)) bot.shows.steps++
    wasPut = false
  })
}

/** Where the server has a bot that believes to be somewhere else: {by, at}, seen by another bot;
 *  {chunk}, as the server says; {uncounted} blocks that it did not count; null where nothing speaks
 *  against the bot. */
async function whereElse (bot, signal) {
  const on = [[bot, 'physicsTick']]
  await until(() => !speaksAgainst(bot), { on, signal, deadlineMs: SEEING_MS })
  if (speaksAgainst(bot)?.chunk) await until(() => !speaksAgainst(bot), { on, signal, deadlineMs: BUSY_MS })
  return speaksAgainst(bot)
}

function speaksAgainst (bot) {
  const sightings = sightingsOf(bot)
  const agrees = ({ at }) => at.distanceTo(bot.entity.position) <= NEAR
  if (sightings.some(agrees)) return null
  if (sightings.length) return sightings[0]
  if (!isInCentre(bot)) return { chunk: bot.centre }
  return bot.walked.uncounted ? { uncounted: bot.walked.uncounted } : null
}

/** Where others see a bot: {by, at}. */
function sightingsOf (bot) {
  return fellowsOf(bot).flatMap(fellow => {
    const at = fellow.players[bot.username]?.entity?.position
    const sees = at?.distanceTo(fellow.entity.position) <= SEES
    return sees ? [{ by: fellow.username, at: at.clone() }] : []
  })
}

/** The other bots of this process in the same world, as far as they hear of it. */
function fellowsOf (bot) {
  const isThere = fellow => fellow !== bot && fellow.entity && hears(fellow) && addressOf(fellow) === addressOf(bot) &&
    dimensionOf(fellow) === dimensionOf(bot)
  return [...here].filter(isThere)
}

function hears ({ _client: { socket } }) {
  return socket && !socket.destroyed && !socket.isPaused()
}

function addressOf ({ _client: { socket } }) {
  return `${socket?.remoteAddress} ${socket?.remotePort}`
}

function dimensionOf ({ dimensionName, worldName, game }) {
  return `${worldName} ${dimensionName || game.dimension}`
}

function isInCentre (bot) {
  return bot.shows.steps < ALWAYS || !bot.centre || isInside(bot, (APART - 1) * SIDE)
}

/** Whether a bot is in the chunk where the server has it, or no farther from that than so many blocks. */
function isInside ({ centre, entity: { position } }, blocks = 0) {
  return ['x', 'z'].every(axis => Math.abs(position[axis] - centre[axis] - SIDE / 2) <= SIDE / 2 + NEAR + blocks)
}

function chunksBetween (one, other) {
  return Math.max(...['x', 'z'].map(axis => Math.abs(one[axis] - other[axis]))) / SIDE
}

/** Watch a block that a bot is about to break. `isGone(signal)` resolves to whether the server shows
 *  it gone; where it showed no breaks before, to whether no other bot sees it stand. `release` it. */
function watchBreak (bot, { position, type }) {
  let shown = null
  const onShown = block => { if (block.position.equals(position)) shown = block }
  const stands = fellow => fellow.blockAt(position)?.type === type
  const isGone = () => shown || (bot.shows.breaks < ALWAYS && !fellowsOf(bot).some(stands))
  bot.on('blockShown', onShown)
  return {
    isGone: async signal => {
      const gone = Boolean(await until(isGone, { on: [[bot, 'physicsTick']], signal, deadlineMs: SEEING_MS }))
      if (gone) bot.shows.breaks = isAir(shown?.name ?? '') ? bot.shows.breaks + 1 : 0
      return gone
    },
    release: () => bot.removeListener('blockShown', onShown)
  }
}

module.exports = { watchBreak, whereElse, witnessing }
