'use strict'
// Text components in the form each version puts on the wire: JSON, or NBT from 1.20.3 on.
const { load } = require('./packages.cjs')

const nbt = load('prismarine-nbt')

/** `component => what a packet of the configuration or play phase carries`. */
function textWriter (data) {
  return data.supportFeature('chatPacketsUseNbtComponents') ? toNbt : JSON.stringify
}

// Vanilla (NbtOps over ComponentSerialization): a component that is only text is one string tag;
// a list holds one type, what does not fit is wrapped as {"": value}.
function toNbt (component) {
  return isOnlyText(component) ? nbt.string(component.text ?? component) : tag(component)
}

function isOnlyText (value) {
  if (typeof value === 'string') return true
  return !Array.isArray(value) && Object.keys(value).join() === 'text'
}

function tag (value) {
  if (typeof value === 'string') return nbt.string(value)
  if (typeof value === 'boolean') return nbt.byte(value ? 1 : 0)
  if (typeof value === 'number') return Number.isInteger(value) ? nbt.int(value) : nbt.float(value)
  if (value instanceof Int32Array) return nbt.intArray([...value])
  if (Array.isArray(value)) return list(value)
  return nbt.comp(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, tag(one)])))
}

function list (values) {
  const tags = values.map(toNbt)
  const kinds = new Set(tags.map(({ type }) => type))
  if (kinds.size <= 1) return nbt.list({ type: tags[0]?.type ?? 'end', value: tags.map(({ value }) => value) })
  const wrapped = tags.map(one => one.type === 'compound' ? one.value : { '': one })
  return nbt.list({ type: 'compound', value: wrapped })
}

/** A player's name as vanilla shows it in chat: with insertion, click and hover. */
function playerName ({ version }, { name, uuid }) {
  if (version['>=']('1.21.5')) {
    return {
      text: name,
      insertion: name,
      click_event: { action: 'suggest_command', command: `/tell ${name} ` },
      hover_event: { action: 'show_entity', id: 'minecraft:player', uuid: intsOf(uuid), name }
    }
  }
  const command = `/${version['>=']('1.13') ? 'tell' : 'msg'} ${name} `
  return {
    text: name,
    insertion: name,
    clickEvent: { action: 'suggest_command', value: command },
    hoverEvent: { action: 'show_entity', ...shownEntity(version, name, uuid) }
  }
}

/** A creature's name as vanilla shows it, or what a name tag calls it, with its kind on its card. */
function entityName ({ version }, { name, id, called }) {
  const since = version['>=']
  const uuid = `22222222-2222-3333-8444-${String(id).padStart(12, '0')}`
  const old = name.split('_').map(word => word[0].toUpperCase() + word.slice(1)).join('')
  const words = called ? { text: called } : { translate: since('1.13') ? `entity.minecraft.${name}` : `entity.${old}.name` }
  const type = since('1.11') ? `minecraft:${name}` : old
  if (since('1.21.5')) {
    return { ...words, insertion: uuid, hover_event: { action: 'show_entity', id: type, uuid: intsOf(uuid), name: words } }
  }
  return { ...words, insertion: uuid, hoverEvent: { action: 'show_entity', ...shownEntity(version, name, uuid, type) } }
}

function shownEntity (version, name, uuid, type) {
  const id = version['>=']('1.20.3') ? intsOf(uuid) : uuid
  if (version['>=']('1.16')) return { contents: { type: type ?? 'minecraft:player', id, name: { text: name } } }
  const value = `{name:"${name}",id:"${uuid}"${type ? `,type:"${type}"` : ''}}`
  return { value: version['>=']('1.9') ? { text: value } : value }
}

function intsOf (uuid) {
  const hex = uuid.replaceAll('-', '')
  return Int32Array.from([0, 8, 16, 24].map(at => parseInt(hex.slice(at, at + 8), 16) | 0))
}

module.exports = { entityName, playerName, textWriter }
