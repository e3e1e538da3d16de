'use strict'
// Says one line, whisper or public, exactly as given or not at all.
const { Refusal } = require('./refusal.cjs')

const LIMIT = 256 // UTF-16 units, header included
const OLD_LIMIT = 100 // up to Minecraft 1.10
const ONE_TARGET = /^[^@\s]\S{0,31}$/ // no selector: `@a` would reach everyone

/** Say something to one player by this command of the server. */
function whisper (bot, { to, text, command }) {
  if (!ONE_TARGET.test(to)) throw new Error(`${JSON.stringify(to)} is no player's name`)
  const sent = folded(text)
  say(bot, `/${command} ${to} ${sent}`)
  bot.answers.expect(to, text, sent)
}

/** Say something to all. A slash in front, where the server looks for commands, is widened. */
function chat (bot, { text }) {
  const sent = folded(text).replace(/^\//, '\uff0f')
  say(bot, sent)
  bot.answers.expect(null, text, sent)
}

/** Say what a server asks for on joining, which may be a command and hold a password. */
function onJoin (bot, line) {
  bot._client.chat(line)
  bot.answers.expect(null, '')
}

// From 1.19 on the server kicks for a line break or a tab, and keeps spaces, which it folded before.
function folded (text) {
  return text.trim().replace(/(?<! ) *[^\S ]\s*/g, ' ')
}

function say (bot, line) {
  const limit = bot.supportFeature('lessCharsInChat') ? OLD_LIMIT : LIMIT
  if (line.length > limit) {
    throw new Refusal('line_too_long', 'line too long', { length: line.length, limit })
  }
  bot._client.chat(line) // bot.chat would cut the line at line breaks
}

module.exports = { chat, onJoin, whisper }
