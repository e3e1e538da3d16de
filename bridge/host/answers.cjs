'use strict'
// What a server says of a line just sent: that it went out, or why it did not. By translate keys;
// by words where a line has none. The words of a player answer nothing.
const WITHIN_MS = 2_000
const MOST = 64 // lines that wait for an answer

const BY_KEY = [
  ['unknown_command', /^(command\.unknown\.(command|argument)|commands\.generic\.notFound)$/],
  ['forbidden', /^commands\.generic\.permission$/],
  ['not_found', /^(argument\.(entity\.notfound\.(player|entity)|player\.unknown)|commands\.generic\.(player|entity)\.notFound)$/],
  ['muted', /^chat\.(cannotSend|disabled\..+)$/],
  ['refused', /^(command\.(failed|exception|expected\..+)|commands\.(generic\.(exception|usage|syntax)|message\.sameTarget)|argument\..+)$/]
]
const WORDS = [
  ['forbidden', /(forbidden command|(i'm sorry, but )?you (do not|don't) have (the )?(permission|access)|you lack (the )?permission|(you have )?no permission|insufficient (permission|privilege)|you (are not|aren't) (allowed|permitted)).*/],
  ['unknown_command', /(unknown (or incomplete )?command|(that )?command (was )?not found|no such command|unrecogni[sz]ed command).*/],
  ['not_found', /((that )?player (was )?not found|(that )?player ('\S+' )?(cannot|can't|could not|couldn't) be found|no player (was found|matching)|(cannot|can't|could not|couldn't) find (a |the |that )?player|\S+ (is|was) not (currently )?online).*/],
  ['muted', /(you (are|have been) (currently |temporarily |permanently )?muted|your voice has been silenced|you (cannot|can't) (chat|talk|speak)).*/]
].map(([kind, { source }]) => [kind, new RegExp(`^${before()}${source}$`, 'isu')])
const OUTGOING = 'commands.message.display.outgoing'

class Answers {
  /** `tell` gets {t: 'answered', to, text, refusal}: of a public line `to` is null, of a line told
   *  on joining both are; `refusal` is {kind, words, key}, or null where the line went out. */
  constructor (bot, tell) {
    Object.assign(this, { bot, tell, waiting: [] })
  }

  /** Expect an answer to a line, in the words as they were given. */
  expect (to, text, sent = text) {
    this.waiting.push({ to, text, sent, until: Date.now() + WITHIN_MS })
    if (this.waiting.length > MOST) this.waiting.shift()
  }

  /** Our own public line came back. */
  cameBack (sent) {
    return this.settle(line => line.to === null && line.sent === sent)
  }

  /** A line in the server's own format of what we whispered. */
  shown (name, sent) {
    return this.settle(line => line.to === name && line.sent === sent) || this.settle(line => line.to === name)
  }

  /** Whether this line, which no player typed, answers one of ours. */
  take (component, whole) {
    const key = keyOf(component)
    if (key === OUTGOING) return this.shown(plainName(component.with?.[0]), null)
    const kind = kindOf(key, whole)
    if (!kind) return !key && this.isEcho(whole)
    return !this.namesAnother(whole) && this.settle(() => true, { kind, words: whole, key: key ?? '' })
  }

  // How a plugin shows us our own line: [me -> Steve] hello
  isEcho (whole) {
    return this.settle(({ to, sent }) => to && sent && whole.endsWith(sent) && whole.slice(0, -sent.length).includes(to))
  }

  /** The public line of our own that this shows, in a form that nobody told us of. */
  ownPublic (whole) {
    const { username } = this.bot
    return this.open().find(({ to, sent }) => to === null && sent && whole.endsWith(sent) && whole.slice(0, -sent.length).includes(username))
  }

  settle (isIt, refusal = null) {
    const line = this.open().find(isIt)
    if (!line) return false
    this.waiting.splice(this.waiting.indexOf(line), 1)
    this.tell({ t: 'answered', to: line.to ?? null, text: line.text, refusal })
    return true
  }

  open () {
    const now = Date.now()
    this.waiting = this.waiting.filter(line => line.until > now)
    return this.waiting
  }

  // `[Steve] unknown command` may be Steve's.
  namesAnother (whole) {
    const known = new Set([this.bot.username, this.open()[0]?.to])
    return Object.keys(this.bot.players ?? {}).some(name => !known.has(name) && whole.includes(name))
  }
}

// A tag such as [INFO], Error: or signs.
function before () {
  return '(?:\\[[^\\]]{1,20}\\]|error:|[^\\p{L}\\p{N}\\s\\[<]+|\\s)*'
}

function kindOf (key, whole) {
  const [found] = key
    ? BY_KEY.filter(([, keys]) => keys.test(key))
    : WORDS.filter(([, words]) => words.test(whole))
  return found?.[0]
}

// ViaVersion writes a sentence where the client has no such key.
function keyOf (component) {
  const key = component?.translate ?? component?.extra?.map(keyOf).find(Boolean)
  return /\s/.test(key) ? undefined : key
}

function plainName (name) {
  return name?.insertion ?? name?.text ?? name
}

module.exports = { Answers }
