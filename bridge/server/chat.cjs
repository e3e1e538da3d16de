'use strict'
// Public chat and messages in the JSON shapes of the vanilla server, whose clients and bots
// recognise them by translate key. Text passes untouched: flying-squid would read & as colours.

const { takeOver } = require('./clients.cjs')
const spamRule = require('./spam.cjs')

const NOBODY = '00000000-0000-0000-0000-000000000000'
const CHAT = 0
const SYSTEM = 1
const MAX_LENGTH = 256
const ILLEGAL = /[\u00a7\u0000-\u001f\u007f]/ // eslint-disable-line no-control-regex

module.exports = function chat (serv, own) {
  function send (player, component, { position = SYSTEM, sender = NOBODY } = {}) {
    if (player.disconnected) return
    player._client.write('chat', { message: JSON.stringify(component), position, sender })
  }

  function broadcast (component, options) {
    serv.players.forEach(player => send(player, component, options))
  }

  function kick (player, component) {
    player.kicked = true // what it sent meanwhile counts no more
    player._client.end('kicked', JSON.stringify(component))
  }

  function say (player, text) {
    const component = { translate: 'chat.type.text', with: [nameOf(player), text] }
    broadcast(component, { position: CHAT, sender: player.uuid })
    serv.emit('publicChat', player, text)
  }

  function hear (player, overdone, raw) {
    if (player.kicked) return
    if (raw.length > MAX_LENGTH) return kick(player, { text: `Chat line longer than ${MAX_LENGTH}` })
    const text = normalizeSpace(raw)
    if (ILLEGAL.test(text)) {
      return kick(player, { translate: 'multiplayer.disconnect.illegal_characters' })
    }
    if (text[0] === '/') player.handleCommand(text.slice(1))
    else if (text) say(player, text)
    if (overdone()) kick(player, { translate: 'disconnect.spam' })
  }

  serv.on('newPlayer', player => {
    const overdone = own.has(player._client.username) ? spamRule(Date.now) : () => false
    takeOver(serv, player, 'chat', ({ message }) => hear(player, overdone, message))
  })

  return { send, broadcast, kick, nameOf }
}

/** The name of a player, or the kind of a monster, as the vanilla server writes it into messages. */
function nameOf (player) {
  if (player.isMonster) return { translate: `entity.minecraft.${player.name}` }
  const name = player.username
  return {
    insertion: name,
    clickEvent: { action: 'suggest_command', value: `/tell ${name} ` },
    hoverEvent: {
      action: 'show_entity',
      contents: { type: 'minecraft:player', id: player.uuid, name: { text: name } }
    },
    text: name
  }
}

/** Vanilla trims a line and turns every run of white space into one space. */
function normalizeSpace (text) {
  return text.replace(/[\s\u001c-\u001f]+/g, ' ').trim() // eslint-disable-line no-control-regex
}
