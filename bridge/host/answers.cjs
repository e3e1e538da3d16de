'use strict'
// What a server says of a line just sent: that it went out, or why it did not. By translate keys;
// by words where a line has none. The words of a player answer nothing.
const { isNamedIn } = require('./naming.cjs')

const WITHIN_MS = 2_000
const SAID_WITHIN_MS = 1_000 // of what a bot did, and of the end of that
const MOST = 64 // lines that wait for an answer

const BY_KEY = [
  ['unknown_command', /^(command\.unknown\.(command|argument)|commands\.generic\.notFound)$/],
  ['forbidden', /^commands\.generic\.permission$/],
  ['not_found', /^(argument\.(entity\.notfound\.(player|entity)|player\.unknown)|commands\.generic\.(player|entity)\.notFound)$/],
  ['muted', /^chat\.(cannotSend|disabled\..+)$/],
  ['refused', /^(command\.(failed|exception|expected\..+)|commands\.(generic\.(exception|usage|syntax)|message\.sameTarget)|(argument|parsing)\..+|multiplayer\.message_not_delivered)$/]
]
// Of what a bot does, not of what it says.
const OF_ACTIONS = /\b(build|break|destroy|place|dig|mine|interact|open|enter|here|claim|region|plot|bauen|abbauen|construir|romper|construire|casser)\b|破壊|設置|建築|保護|строить|ломать/iu
const NAME = '["“\'<]?[.*]?\\w{2,32}["”\'>]?'
// Bukkit, EssentialsX in several languages, CMI, AuthMe, Velocity, Cuberite, flying-squid and others.
const WORDS = [
  ['forbidden', [
    'forbidden command',
    '(i\'m sorry, but )?you (do not|don\'t) have (the )?(\\S+ )?(permission|access)', 'you lack (the )?permission',
    '(you have )?no permission', 'insufficient (permission|privilege)', 'you (are not|aren\'t) (allowed|permitted)',
    '((その|この)?コマンドを(実行|使用)する|[\\w.]+にアクセスする)?権限が(ありません|ない|不足)', 'dir ist es nicht erlaubt', 'du hast (keine|nicht die|die) (berechtigung|rechte)',
    'vous n\'avez pas (accès|la permission|les permissions)', 'no tienes (el )?(permiso|acceso)',
    'você não tem (a )?(permissão|acesso)', 'у вас (нет|недостаточно) (прав|доступа)'
  ]],
  ['unknown_command', [
    'unknown (or incomplete )?command', '(that |this )?command (was )?not found', 'no such command', 'unrecogni[sz]ed command',
    '(that|this) command (does not|doesn\'t) exist',
    '(不明な|未知の)コマンド', '(その)?コマンド[はが](見つかりません|存在しません)', 'unbekannter (befehl|command)', 'commande inconnue',
    'comando des?conhecido', 'comando desconocido', 'неизвестная команда'
  ]],
  ['not_found', [
    '((that|this|the) )?(specified )?(player|user) ((was )?not found|(cannot|can\'t|could not|couldn\'t) be found|is (not (currently )?online|(currently )?offline)|does(n\'t| not) exist)',
    'no player (was found|matching)', 'there(\'s| is| was) no (such )?player', '(cannot|can\'t|could not|couldn\'t) find (a |the |that )?player',
    '(その)?プレイヤー[はが](存在しません|見つかりません|オンラインではありません)', 'spieler (wurde )?nicht gefunden', 'joueur introuvable',
    'jugador no encontrado', 'jogador não encontrado', 'игрок не найден'
  ]],
  ['not_found', [
    `((the )?player )?${NAME} (is|was) (not (currently )?(online|found)|(currently )?offline)`, `(the )?player ${NAME} ((was |could )?not (be )?found|(cannot|can't) be found)`,
    `${NAME} (has (private )?messages (disabled|turned off)|has disabled (private )?messages|is ignoring you)`,
    `${NAME} ?はメッセージを無効にしています`, `${NAME} hat benachrichtigungen deaktiviert`, `${NAME} a désactivé les messages`,
    `${NAME} está com mensagens desativadas`, `${NAME} отключил сообщения`
  ], 'of one'],
  ['muted', [
    'you(\'re| are| have been) (currently |temporarily |permanently )?muted', 'your voice has been silenced', 'you (cannot|can\'t) (chat|talk|speak)',
    'in order to (chat|use this command),? you must', 'you must (log ?in|register|be (logged in|authenticated|registered))',
    'please,? (log ?in|register)\\b', 'you(\'re| are) not logged in',
    '(この)?(コマンドを使用|チャット)するには認証が必要', '(the |global )?chat (is|has been) (currently )?(muted|disabled|locked)',
    '(あなたは)?(現在)?ミュートされて', '(あなたは)?(喋る|発言する)ことが?でき(ない|ません)', 'du (bist|wurdest) .*stumm', 'vous avez été réduit au silence',
    'tu voz ha sido silenciada', 'sua voz foi silenciada', 'ваш голос был заглушен'
  ]],
  ['refused', [
    'you (cannot|can\'t) type that command', 'the command \\S+ is disabled', 'you must wait .*(chat|messag|command|talk|speak|typ|send)',
    '(please )?(do not|don\'t) spam', 'you(\'re| are) (chatting|sending|typing|talking) too', 'please slow down'
  ]]
].map(([kind, beginnings, ofOne]) => ({ kind, ofOne, words: new RegExp(`^(${before()})(?:${beginnings.join('|')})`, 'isu') }))
const OF_COMMANDS = ['unknown_command', 'not_found'] // never of a public line
const OUTGOING = 'commands.message.display.outgoing'

class Answers {
  /** `tell` gets {t: 'answered', to, text, refusal}: of a public line `to` is null, of a line told
   *  on joining both are; `refusal` is {kind, words, key}, or null where the line went out. */
  constructor (bot, tell) {
    Object.assign(this, { bot, tell, waiting: [] })
  }

  /** Expect an answer to a line, in the words as they were given. */
  expect (to, text, sent = text) {
    this.waiting.push({ to, text, sent, until: performance.now() + WITHIN_MS })
    if (this.waiting.length > MOST) this.waiting.shift()
  }

  /** Our own public line came back, perhaps in words that the server changed. */
  cameBack (sent) {
    return this.settle(line => line.to === null && line.sent === sent) || this.settle(line => line.to === null && line.sent)
  }

  /** A line in the server's own format of what we whispered. */
  shown (name, sent) {
    return this.settle(line => line.to === name && line.sent === sent) || this.settle(line => line.to === name)
  }

  /** Whether this line, which no player typed, answers one of ours. */
  take (component, whole) {
    const key = keyOf(component)
    if (key === OUTGOING) return this.shown(plainName(component.with?.[0]), null)
    const { kind, ofOne, tags } = key ? byKey(key) : byWords(this.withoutOurs(whole))
    if (!kind) return !key && this.isEcho(whole)
    return !this.isSpoken(tags) && this.refuse(whole, ofOne, { kind, words: whole, key: key ?? '' })
  }

  /** Keep what the server may say of what the bot just did, as a plugin that protects land. */
  overhear (whole) {
    if (OF_ACTIONS.test(whole) && !this.names([this.bot.username], whole)) this.said = { whole, at: performance.now() }
  }

  /** What it said within a moment, or ''. */
  saidOfWork () {
    return this.said && performance.now() - this.said.at < SAID_WITHIN_MS ? this.said.whole : ''
  }

  // The line that is meant is named, or else the first that it can be.
  refuse (whole, ofOne, refusal) {
    const lines = this.open().filter(({ to, sent }) => to || !sent || !OF_COMMANDS.includes(refusal.kind))
    const meant = lines.find(({ to, sent }) => to && whole.includes(`${to} ${sent}`)) ??
      lines.find(({ to }) => to && isNamedIn(to, whole)) ?? (ofOne ? null : lines[0])
    return this.settle(line => line === meant, refusal)
  }

  // Some servers repeat the command.
  withoutOurs (whole) {
    return this.open().reduce((words, { to, sent }) => to && sent ? words.replace(`${to} ${sent}`, to) : words, whole)
  }

  // How a plugin shows us our own line: [me -> Steve] hello
  isEcho (whole) {
    return this.settle(({ to, sent }) => to && to !== this.bot.username && sent && this.showsAfter(to, sent, whole))
  }

  /** Whether it shows what the bot whispered to itself, in a form that nobody told us of. */
  isToItself (whole) {
    const { username } = this.bot
    return this.open().some(({ to, sent }) => to === username && sent && whole.endsWith(sent) && isNamedIn(username, whole))
  }

  /** The public line of our own that this shows, in a form that nobody told us of. */
  ownPublic (whole) {
    const { username } = this.bot
    return this.open().find(({ to, sent }) => to === null && sent && this.showsAfter(username, sent, whole))
  }

  // `Mallory: Alice: hello` is Mallory's.
  showsAfter (name, sent, whole) {
    if (!whole.endsWith(sent)) return false
    const head = whole.slice(0, -sent.length)
    return isNamedIn(name, head) && !/\w$/.test(head) && !this.names([this.bot.username, name], head)
  }

  settle (isIt, refusal = null) {
    const line = this.open().find(isIt)
    if (!line) return false
    this.waiting.splice(this.waiting.indexOf(line), 1)
    this.tell({ t: 'answered', to: line.to ?? null, text: line.text, refusal })
    return true
  }

  open () {
    const now = performance.now()
    this.waiting = this.waiting.filter(line => line.until > now)
    return this.waiting
  }

  // `[Steve] unknown command` may be Steve's.
  isSpoken (tags) {
    return this.names([this.bot.username], tags ?? '')
  }

  names (besides, text) {
    return Object.keys(this.bot.players ?? {}).some(name => !besides.includes(name) && isNamedIn(name, text))
  }
}

// A tag such as [INFO], Error:, a colour that was left as &c, or signs.
function before () {
  return '(?:[&§][\\da-fk-or]|\\[[^\\]~*]{1,20}\\]|(?:error|fehler|erreur|erro|ошибка|エラー) ?:|[^\\p{L}\\p{N}\\s\\[<"]+|\\s)*'
}

function byKey (key) {
  const [kind] = BY_KEY.find(([, keys]) => keys.test(key)) ?? []
  return { kind }
}

function byWords (whole) {
  for (const { kind, ofOne, words } of WORDS) {
    const found = words.exec(whole)
    if (found && !(kind === 'forbidden' && OF_ACTIONS.test(firstSentence(whole, found[1])))) return { kind, ofOne, tags: found[1] }
  }
  return {}
}

function firstSentence (whole, tags) {
  return whole.slice(tags.length).split(/[.!]\s|\n/)[0]
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
