'use strict'
// Lines as vanilla, Paper, Spigot and chat plugins put them on the wire.
const { entityName, playerName } = require('./text.cjs')

const NIL = '00000000-0000-0000-0000-000000000000'
const GREY = { color: 'gray', italic: true }
const NAMES = {
  chat: 'chat',
  incoming: 'msg_command_incoming',
  outgoing: 'msg_command_outgoing',
  emote: 'emote_command',
  say: 'say_command',
  raw: 'raw',
  system: 'system',
  game_info: 'game_info'
}

let counter = 0

/** The packet, [name, fields], that carries one line to a hearer. */
function line (scene, shape, told) {
  const make = SHAPES[shape]
  if (!make) throw new Error(`no shape ${shape}`)
  return make(scene, told)
}

// {from, to, text}; the names are the shapes of the tests' tables.
const SHAPES = {
  vanilla_whisper: (s, { from, text }) => isTyped(s)
    ? typed(s, 'incoming', from, { text })
    : keyed(s, 'commands.message.display.incoming', from, spelt(s, text), 1),
  console_whisper: (s, { text }) => isTyped(s)
    ? fromConsole(s, text)
    : old({ translate: 'commands.message.display.incoming', with: [{ text: 'Server' }, { text }], ...GREY }, 1, NIL),
  translated_whisper: (s, { from, text }) => system(s, {
    translate: 'commands.message.display.incoming',
    with: [playerName(s.data, from), { text }],
    ...GREY
  }),
  essentials_whisper: (s, { from, text }) => system(s, parts(['[', from.name, ' -> ', 'me', '] ', text])),
  japanese_whisper: (s, { from, text }) => system(s, parts(['[', from.name, ' -> ', '私', '] ', text])),
  cmi_whisper: (s, { from, text }) => system(s, parts([`[${from.name} -> You]`, ` ${text}`])),
  unknown_whisper: (s, { from, text }) => system(s, parts([`(PM) ${from.name} › `, text])),

  vanilla_public: (s, { from, text }) => isTyped(s)
    ? typed(s, 'chat', from, { text })
    : keyed(s, 'chat.type.text', from, { text }, 0),
  edited_public: (s, { from, text }) => isTyped(s) // a plugin changed the words, not the format
    ? typed(s, 'chat', from, { text: 'as typed', whole: { text } })
    : keyed(s, 'chat.type.text', from, { text }, 0),
  plugin_public: (s, { from, text }) => isTyped(s)
    ? typed(s, 'raw', from, { text, whole: parts(['[Member] ', from.name, `: ${text}`]) })
    : old(parts([`[Member] ${from.name}: ${text}`]), 0, from.uuid),
  spigot_public: (s, { from, text }) => isTyped(s)
    ? system(s, parts([`<${from.name}> ${text}`]))
    : old(parts([`<${from.name}> ${text}`]), s.data.version['>=']('1.16') ? 1 : 0, from.uuid),

  emote: (s, { from, text }) => isTyped(s)
    ? typed(s, 'emote', from, { text })
    : keyed(s, 'chat.type.emote', from, { text }, 0),
  say: (s, { from, text }) => isTyped(s)
    ? typed(s, 'say', from, { text })
    : keyed(s, 'chat.type.announcement', from, { text }, 0),
  hotbar: (s, { text }) => isTyped(s)
    ? ['system_chat', { content: s.text({ text }), type: typeOf(s, 'game_info'), isActionBar: true }]
    : old({ text }, 2, NIL),
  death: (s, { message }) => system(s, message),
  // What a player might do: type the words, or have a broken plugin pass a component of theirs on.
  forged_death: (s, { from, to }) => isTyped(s)
    ? typed(s, 'chat', from, { text: `${to.name} was slain by Zombie` })
    : old(deathOf(s, to), 0, from.uuid),
  death_in_chat: (s, { from, to }) => isTyped(s)
    ? system(s, { translate: 'chat.type.text', with: [playerName(s.data, from), deathOf(s, to)] })
    : keyed(s, 'chat.type.text', from, deathOf(s, to), 0),
  tellraw: (s, { text }) => system(s, { text }),

  not_found: s => system(s, isFlat(s)
    ? { translate: 'commands.generic.player.notFound', with: ['Nobody'], color: 'red' }
    : { text: '', color: 'red', extra: [{ translate: 'argument.entity.notfound.player' }] }),
  unknown_command: s => system(s, { translate: isFlat(s) ? 'commands.generic.notFound' : 'command.unknown.command', color: 'red' }),
  outgoing: (s, { from, to, text }) => s.data.version['>=']('1.19.1')
    ? typed(s, 'outgoing', from, { text, to })
    : system(s, { translate: 'commands.message.display.outgoing', with: [playerName(s.data, to), { text }], ...GREY })
}

function deathOf ({ data }, who) {
  return { translate: 'death.attack.mob', with: [playerName(data, who), entityName(data, { name: 'zombie', id: 1 })] }
}

function parts (texts) {
  return { text: '', extra: texts.map((text, at) => ({ text, color: at % 2 ? 'red' : 'gold' })) }
}

function isTyped ({ data }) {
  return data.supportFeature('signedChat')
}

// Up to 1.12 commands had other errors.
function isFlat ({ data }) {
  return !data.version['>=']('1.13')
}

// Up to 1.12 vanilla spells a whisper's words one by one.
function spelt ({ data }, text) {
  if (!isFlat({ data })) return { text }
  const words = text.split(' ').flatMap((word, at) => at ? [{ text: ' ' }, { text: word }] : [{ text: word }])
  return { text: '', extra: words }
}

function keyed (scene, translate, from, text, position) {
  return old({ translate, with: [playerName(scene.data, from), text], ...GREY }, position, from.uuid)
}

function old (component, position, sender) {
  return ['chat', { message: JSON.stringify(component), position, sender }]
}

function system (scene, component) {
  if (!isTyped(scene)) return old(component, 1, NIL)
  return ['system_chat', { content: scene.text(component), type: typeOf(scene, 'system'), isActionBar: false }]
}

function fromConsole (scene, text) {
  if (!scene.data.version['>=']('1.19.3')) return typed(scene, 'incoming', { name: 'Server', uuid: NIL }, { text })
  return ['profileless_chat', {
    message: scene.text({ text }),
    type: chatType(scene, 'incoming'),
    name: scene.text({ text: 'Server' })
  }]
}

// 1.19 and later: a line a player typed, unsigned as on offline-mode servers.
function typed (scene, kind, from, { text, whole, to }) {
  const name = scene.text(playerName(scene.data, from))
  return ['player_chat', {
    globalIndex: ++counter,
    senderUuid: from.uuid,
    index: 0,
    signature: scene.data.supportFeature('useChatSessions') ? undefined : Buffer.alloc(0),
    plainMessage: text,
    signedChatContent: JSON.stringify({ text }),
    timestamp: BigInt(Date.now()),
    salt: 0n,
    previousMessages: [],
    unsignedChatContent: whole && scene.text(whole),
    filterType: 0,
    type: chatType(scene, kind),
    networkName: name,
    networkTargetName: to && scene.text(playerName(scene.data, to)),
    senderName: name
  }]
}

function chatType (scene, kind) {
  const id = typeOf(scene, kind)
  return scene.data.supportFeature('chatTypeIsHolder') ? { chatType: id } : id
}

function typeOf ({ chatTypes }, kind) {
  const id = chatTypes.findIndex(name => name.replace(/^\w+:/, '') === NAMES[kind])
  if (id >= 0) return id
  return kind === 'incoming' ? chatTypes.findIndex(name => name.endsWith('msg_command')) : undefined // 1.19.0
}

/** The names of the chat types, in the order of their numbers. */
function chatTypes (data, brand) {
  const codec = data.loginPacket?.dimensionCodec
  if (!codec) return []
  const names = codec['minecraft:chat_type']?.entries.map(({ key }) => key) ??
    codec.value?.['minecraft:chat_type']?.value.value.value.value.map(({ name }) => name.value) ?? []
  if (brand === 'Paper' && !names.some(name => name.endsWith('raw'))) names.push('paper:raw')
  return names
}

module.exports = { chatTypes, line }
