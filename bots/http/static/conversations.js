// @ts-check
// The conversations that one can look at: everybody's, of a bot, of a person, of a group talk.
import { brief, nameOf, t } from './words.js'

/** @typedef {import('./store.js').Store} Store */
/** @typedef {import('./store.js').Line} Line */

const TALK = 'talk '

/**
 * Their names: '' for everybody's, `talk 3` for a group's.
 * @param {Store} store
 */
export function conversations (store) {
  const people = store.positions?.people.map(one => one.name) ?? []
  const said = store.lines.filter(line => line.kind === 'said')
  const talks = [...store.talks.map(talk => talk.talk), ...said.flatMap(line => line.talk ?? [])]
  return [...new Set(['', ...store.bots.map(bot => bot.name), ...people, ...said.map(line => line.by), ...talks.map(number => TALK + number)])]
}

/** @param {string} name @param {Store} store */
export function label (name, store) {
  if (!name) return t('everybody')
  const number = talkOf(name)
  if (number === null) return nameOf(name)
  const talk = store.talks.find(one => String(one.talk) === number)
  const who = talk ? talk.participants.map(one => one.name) : speakers(store.lines, number)
  return `${t('inTalk')} ${number}: ${who.map(brief).join(', ')}`
}

/** A bot that was there and can tell what was said; of a person's any. @param {string} name @param {Store} store */
export function readerOf (name, store) {
  const number = talkOf(name)
  if (number === null) return store.isBot(name) ? name : store.bots[0]?.name
  const talk = store.talks.find(one => String(one.talk) === number)
  const there = [...talk?.participants.map(one => one.name) ?? [], ...speakers(store.lines, number)]
  return there.find(one => store.isBot(one))
}

/** @param {Line} line @param {string} name */
export function belongs (line, name) {
  if (!name) return true
  const number = talkOf(name)
  return number === null ? line.by === name || line.to.includes(name) : String(line.talk) === number
}

/** The number of a group talk, as `3` or `3@west`; null for a name. @param {string} name */
export function talkOf (name) {
  return name.startsWith(TALK) ? name.slice(TALK.length) : null
}

/** @param {Line[]} lines @param {string} talk */
function speakers (lines, talk) {
  return [...new Set(lines.filter(line => String(line.talk) === talk && line.kind === 'said').map(line => line.by))]
}
