'use strict'
// /tell, /msg and /w with the two lines of the vanilla server.

const select = require('./selectors.cjs')

const GREY = { color: 'gray', italic: true }
const CONSOLE = { text: 'Server' }
const NOT_FOUND = {
  text: '',
  color: 'red',
  extra: [{ translate: 'argument.entity.notfound.player' }]
}

module.exports = function whisper (serv, chat) {
  function deliver (from, to, text) {
    const sender = from ? from.uuid : undefined
    const said = { text }
    if (from) chat.send(from, line('outgoing', chat.nameOf(to), said), { sender })
    chat.send(to, line('incoming', from ? chat.nameOf(from) : CONSOLE, said), { sender })
    serv.emit('whisper', from, to, text)
  }

  function action ([, target, text], { player }) {
    const heard = select(serv, target, player)
    if (!heard.length && player) chat.send(player, NOT_FOUND)
    heard.forEach(to => deliver(player, to, text))
  }

  const parse = text => /^(\S+) ([^]+)$/.exec(text) || false
  for (const base of ['tell', 'msg', 'w']) {
    serv.commands.add({
      base,
      info: 'say something to one player',
      usage: `/${base} <player> <message>`,
      parse,
      action
    })
  }
}

function line (direction, whom, said) {
  return { ...GREY, translate: `commands.message.display.${direction}`, with: [whom, said] }
}
