'use strict'
// What a bot hears. Private and public lines are known by the server's own format alone, the
// translate key up to 1.18 and the chat type from 1.19 on; a text that merely reads like one
// (`/me whispers to you: x`) is neither. Other shapes pass only through whisper patterns.
const { load } = require('./packages.cjs')

const BY_TRANSLATE_KEY = new Map([
  ['commands.message.display.incoming', 'whisper'],
  ['chat.type.text', 'chat']
])
const BY_CHAT_TYPE = new Map([
  ['msg_command_incoming', 'whisper'],
  ['msg_command', 'whisper'], // 1.19.0
  ['chat', 'chat']
])
const TYPED_BY_PLAYERS = /^chat\.type\./ // /me, /say and the like

/** Call `tell({t, from, text})` for each line heard. `patterns` are regular expressions of
 *  (sender, text) that the whole of a system message must match. */
function listen (bot, patterns, tell) {
  const plain = plainText(bot)
  const isOwn = line => line.t === 'chat' && line.from === bot.username
  const pass = line => { if (line && !isOwn(line)) tell(line) }
  bot._client.on('playerChat', data => {
    pass(heardTyped(bot, plain, data) ?? heardKeyed(bot, plain, data))
  })
  bot._client.on('systemChat', data => {
    if (data.positionId === 2) return // the line above the hotbar
    pass(heardKeyed(bot, plain, data) ?? heardPattern(plain, patterns, data))
  })
}

// 1.19 and later: the packet names its chat type and carries sender and text apart.
function heardTyped (bot, plain, data) {
  const t = BY_CHAT_TYPE.get(chatType(bot.registry, data.type))
  if (!t) return null
  const content = data.unsignedContent ?? data.formattedMessage // what the server made of it
  const text = content ? plain(content) : data.plainMessage
  return { t, from: bot.uuidToUsername[data.sender] ?? plain(data.senderName), text }
}

function chatType ({ chatFormattingById }, type) {
  const id = type?.chatType ?? type?.registryIndex ?? type
  return chatFormattingById?.[id]?.name.replace('minecraft:', '')
}

// Up to 1.18, and servers that send every line as a system message.
function heardKeyed (bot, plain, { formattedMessage, sender }) {
  const component = parsed(formattedMessage)
  const t = BY_TRANSLATE_KEY.get(component?.translate)
  if (!t || component.with?.length !== 2) return null
  const [name, text] = component.with
  return { t, from: bot.uuidToUsername[sender] ?? name.insertion ?? plain(name), text: plain(text) }
}

function heardPattern (plain, patterns, { formattedMessage }) {
  if (!patterns.length || TYPED_BY_PLAYERS.test(parsed(formattedMessage)?.translate)) return null
  const whole = plain(formattedMessage)
  for (const pattern of patterns) {
    const [, from, text] = pattern.exec(whole) ?? []
    if (from && text) return { t: 'whisper', from, text }
  }
  return null
}

/** Whisper patterns as regular expressions over a whole line. Throws for a malformed one. */
function compile (patterns) {
  return patterns.map(pattern => new RegExp(`^(?:${pattern})$`, 'su'))
}

function plainText (bot) {
  let ChatMessage
  return component => {
    ChatMessage ??= load('prismarine-chat')(bot.registry)
    return ChatMessage.fromNotch(component ?? '').toString()
  }
}

function parsed (json) {
  try {
    return JSON.parse(json)
  } catch {
    return null // not a component: plain text of an old server
  }
}

module.exports = { compile, listen }
