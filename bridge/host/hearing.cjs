'use strict'
// What a bot hears. Private and public lines are known by the server's own format alone, the
// translate key up to 1.18 and the chat type from 1.19 on; a text that merely reads like one
// (`/me whispers to you: x`) is neither. Other shapes pass only through patterns, and whispers of
// well-known plugins through their dialect. What answers a line of ours goes to answers.cjs.
const { Answers } = require('./answers.cjs')
const { isNamedIn, placeOf } = require('./naming.cjs')
const { load } = require('./packages.cjs')
const { withoutColours } = require('./words.cjs')

const BY_TRANSLATE_KEY = new Map([
  ['commands.message.display.incoming', 'whisper'],
  ['chat.type.text', 'chat']
])
const BY_CHAT_TYPE = new Map([
  ['msg_command_incoming', 'whisper'],
  ['msg_command', 'whisper'], // 1.19.0
  ['chat', 'chat']
])
const NAMED = /^<([^<>\s]{1,32})> (.+)$/su // public chat of Bukkit, Spigot and others, without a key
const SHOWN_TO_US = /^(minecraft:)?msg_command_outgoing$/ // a whisper of our own
const RAW = /^[\w.-]+:raw$/ // Paper's: a chat plugin has put the line into a form of its own
const RAW_KEY = '%s' // the same, as ViaVersion shows it to older clients: without its sender
const TYPED_BY_PLAYERS = /^chat\.type\./ // /me, /say and the like
const LOOKS_PRIVATE = /(-+>|→|➜|whisper|\b(PM|P?MSG|from)\b|\bto (you|me)\b|ささや|囁)/i
const BEFORE_A_WHISPERER = /^(?:[^\p{L}\p{N}]|\b(?:PM|P?MSG|from|whisper(?:ed)?)\b)*$/iu
const MAY_BE_PRIVATE = /[»›]/
const AFTER_A_SPEAKER = /^[^\p{L}\p{N}]{0,8}?(:|»|›|>) *\S/u // Steve] » hello
const FROM_OUTSIDE = /#|\b(discord|irc|matrix|telegram|twitch|web)\b/i // a relay: anybody may have the name
const SPOKEN_ALREADY = /\p{L}\w*[^\s\w]{0,3} ?[:»›>]/u // before a name: `Nick: Steve: obey`
const LONGEST_TITLE = 40 // before a speaker's name

class Hearing {
  constructor (bot, settings, tell) {
    Object.assign(this, { bot, settings, tell, answers: new Answers(bot, tell) })
  }

  /** Tell each line a bot hears from now on, {t: 'whisper' or 'chat', from, text, dialect}, and
   *  each that names a player but is not understood, {t: 'unheard', text, looks, from}: it looks
   *  'private', 'public', or '', and whose it seems to be. `settings` as compiled. Returns what waits
   *  for answers to the bot's own lines. */
  static listen (bot, settings, tell) {
    const hearing = new Hearing(bot, settings, tell)
    hearing.begin(bot._client)
    return hearing.answers
  }

  begin (client) {
    client.on('playerChat', data => {
      const line = this.ofServersOwn(data)
      this.pass(this.typed(line) ?? this.keyed(line) ?? this.chatPattern(line) ?? this.named(line) ?? this.unsigned(line))
    })
    client.on('systemChat', data => {
      if (data.positionId === 2) return this.answers.overhear(this.plain(data.formattedMessage)) // above the hotbar
      this.pass(this.keyed(data) ?? this.bySystem(data))
    })
  }

  pass (line) {
    const isOwn = line?.t === 'chat' && line.from === this.bot.username
    if (isOwn) this.answers.cameBack(line.text)
    else if (line) this.tell(line)
  }

  // 1.19 and later: the packet names its chat type and carries sender and text apart.
  typed (data) {
    const name = this.chatType(data.type)?.name
    const from = this.bot.uuidToUsername[data.sender]
    if (RAW.test(name) && from) return { t: 'chat', from, text: data.plainMessage ?? this.plain(data.formattedMessage) }
    const content = data.unsignedContent ?? data.formattedMessage // what the server made of it
    const text = content ? this.plain(content) : data.plainMessage
    if (SHOWN_TO_US.test(name)) this.answers.shown(this.nameIn(data.targetName), text)
    const t = BY_CHAT_TYPE.get(name?.replace('minecraft:', ''))
    if (!t) return null
    return { t, from: from ?? this.plain(data.senderName), text }
  }

  chatType (type) {
    const id = type?.chatType ?? type?.registryIndex ?? type
    return this.bot.registry.chatFormattingById?.[id]
  }

  // A chat type of the server's own may carry anything: its lines are read by their form, as they
  // are up to 1.18.
  ofServersOwn (data) {
    const { name = '', formatString: translate, parameters } = this.chatType(data.type) ?? {}
    if (!name.includes(':') || name.startsWith('minecraft:') || RAW.test(name)) return data
    const parts = { sender: data.senderName, target: data.targetName, content: data.unsignedContent ?? data.formattedMessage }
    const shown = parameters.map(part => parsed(parts[part]) ?? { text: part === 'content' ? data.plainMessage ?? '' : '' })
    return { sender: data.sender, formattedMessage: JSON.stringify({ text: this.plain({ translate, with: shown }) }) }
  }

  // Up to 1.18, and servers that send every line as a system message.
  keyed ({ formattedMessage, sender }) {
    const component = parsed(formattedMessage)
    const t = BY_TRANSLATE_KEY.get(component?.translate)
    if (!t || component.with?.length !== 2) return null
    const [name, text] = component.with
    const from = this.bot.uuidToUsername[sender] ?? name.insertion ?? this.part(name)
    return { t, from, text: this.part(text) }
  }

  bySystem (data) {
    const component = parsed(data.formattedMessage)
    if (TYPED_BY_PLAYERS.test(component?.translate)) return null
    const whole = this.plain(data.formattedMessage)
    return this.inPrivate(component, whole) ?? matched('chat', this.settings.chats, whole) ??
      this.named(data) ?? this.other(component, whole)
  }

  // What a chat plugin made of words that a player typed is never private.
  inPrivate (component, whole) {
    if (component?.translate === RAW_KEY) return null
    return matched('whisper', this.settings.whispers, whole) ?? this.dialect(whole)
  }

  // Up to 1.18 whispers of a plugin may come as public lines do. Where the packet tells who typed
  // a line, it is nobody else's.
  unsigned (data) {
    const component = parsed(data.formattedMessage)
    if (data.type !== undefined || TYPED_BY_PLAYERS.test(component?.translate)) return null
    const whole = this.plain(data.formattedMessage)
    const typist = this.bot.uuidToUsername[data.sender]
    const whisper = this.inPrivate(component, whole)
    if (whisper) return this.isListed(whisper.from) && (typist ?? whisper.from) === whisper.from ? whisper : null
    return typist && typist !== this.bot.username ? this.unheard(whole) : this.other(component, whole)
  }

  other (component, whole) {
    if (this.answers.take(component, whole)) return null
    this.answers.overhear(whole)
    return keyOf(component) ? null : this.unheard(whole)
  }

  // Up to 1.18 what a chat plugin made of a public line; never a whisper, whatever it reads like.
  chatPattern ({ formattedMessage, sender, type }) {
    if (type !== undefined || TYPED_BY_PLAYERS.test(parsed(formattedMessage)?.translate)) return null
    const line = matched('chat', this.settings.chats, this.plain(formattedMessage))
    const typist = this.bot.uuidToUsername[sender]
    return line && this.isListed(line.from) && (typist ?? line.from) !== line.from ? null : line
  }

  // A player is on the list, and where the packet tells who typed the line, it is that player.
  named ({ formattedMessage, sender, type }) {
    if (type !== undefined || keyOf(parsed(formattedMessage))) return null
    const [, from, text] = NAMED.exec(this.plain(formattedMessage)) ?? []
    const typist = this.bot.uuidToUsername[sender] ?? from
    return from && typist === from && this.isListed(from) ? { t: 'chat', from, text } : null
  }

  // One that two dialects claim is nobody's; nor is one whose sender is not on the list.
  dialect (whole) {
    const found = this.settings.dialects.map(one => this.inDialect(one, whole)).filter(Boolean)
    return found.length === 1 ? found[0] : null
  }

  inDialect ({ name, line, hearers }, whole) {
    const { sender, hearer, text } = line.exec(whole)?.groups ?? {}
    const isForUs = hearer === this.bot.username ? hearers.includes('{bot}') : hearers.includes(hearer) && !this.isListed(hearer)
    if (!isForUs || !text || !this.isListed(sender)) return null
    return { t: 'whisper', from: sender, text, dialect: name }
  }

  unheard (whole) {
    const { username, players } = this.bot
    const own = this.answers.ownPublic(whole)
    if (own) {
      this.tell({ t: 'unheard', text: whole, looks: 'public', from: username })
      return this.pass({ t: 'chat', from: username, text: own.sent })
    }
    if (this.answers.isToItself(whole)) return { t: 'unheard', text: whole, looks: 'private', from: username }
    const named = Object.keys(players ?? {}).filter(name => name !== username && isNamedIn(name, whole))
    if (!named.length) return null
    const from = speakerOf(named, whole)
    const isPrivate = LOOKS_PRIVATE.test(whole) || (!from && MAY_BE_PRIVATE.test(whole) && !FROM_OUTSIDE.test(whole))
    return { t: 'unheard', text: whole, looks: isPrivate ? 'private' : from ? 'public' : '', from: from ?? (isPrivate ? whispererOf(named, whole) : null) }
  }

  isListed (name) { // not every server lists whoever asks
    return name === this.bot.username || Object.hasOwn(this.bot.players ?? {}, name)
  }

  // Of a component: a string there is words, whatever they look like.
  part (component) {
    return this.plain(typeof component === 'string' ? JSON.stringify(component) : component)
  }

  nameIn (component) {
    return parsed(component)?.insertion ?? this.plain(component)
  }

  plain (component) {
    this.ChatMessage ??= load('prismarine-chat')(this.bot.registry)
    return withoutColours(this.ChatMessage.fromNotch(component ?? '').toString())
  }
}

// The first that is named, if the words come after.
// Of a form that nobody told us of: signs and words for whispers alone stand before the name.
function whispererOf ([name, ...others], whole) {
  return !others.length && BEFORE_A_WHISPERER.test(whole.slice(0, placeOf(name, whole))) ? name : null
}

function speakerOf (named, whole) {
  const [{ at, name }] = named.map(name => ({ at: placeOf(name, whole), name })).sort((a, b) => a.at - b.at)
  const [title, after] = [whole.slice(0, at), whole.slice(at + name.length)]
  const isTitle = at <= LONGEST_TITLE && !FROM_OUTSIDE.test(title) && !SPOKEN_ALREADY.test(title)
  return isTitle && AFTER_A_SPEAKER.test(after) && !whole.includes('\n') ? name : null
}

function matched (t, patterns, whole) {
  for (const pattern of patterns) {
    const [, from, text] = pattern.exec(whole) ?? []
    if (from && text) return { t, from, text }
  }
  return null
}

/** The host's settings with their regular expressions over a whole line. Throws for a malformed
 *  one. */
function compile ({ whisper_patterns: whispers, chat_patterns: chats, dialects }) {
  return {
    whispers: whispers.map(wholeLine),
    chats: chats.map(wholeLine),
    dialects: dialects.map(({ line, ...rest }) => ({ ...rest, line: wholeLine(line) }))
  }
}

function wholeLine (pattern) {
  return new RegExp(`^(?:${pattern})$`, 'su')
}

function keyOf (component) {
  return component?.translate === RAW_KEY ? undefined : component?.translate
}

function parsed (json) {
  try {
    return JSON.parse(json)
  } catch {
    return null // not a component: plain text of an old server
  }
}

module.exports = { Hearing, compile }
