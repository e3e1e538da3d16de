// @ts-check
// The talk as it happens, and what was said before.
import { get, of } from '../api.js'
import { belongs, conversations, label, readerOf, talkOf } from '../conversations.js'
import { h, keyed } from '../dom.js'
import { face } from '../faces.js'
import { brief, clock, nameOf, t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */
/** @typedef {import('../store.js').Line} Line */

const SHOWN = 200
const GOING = 50 // old lines go so many at a time: whenever some go, all others are painted anew
const PAGE = 50
const AT_THE_END = 40 // pixels from the end that still count as being there

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function talkView (place, store) {
  /** @type {Line[]} */ let older = []
  /** @type {Line[] | null} */ let held = null
  let olderOf = ''
  const who = h('select', { 'aria-label': t('talk'), onchange: () => { older = []; earlier.disabled = false; store.changed() } })
  const words = h('input', { type: 'search', placeholder: t('search'), 'aria-label': t('search'), oninput: () => { older = older.filter(line => !isFound(line)); store.changed() } })
  const deeds = h('input', { type: 'checkbox', onchange: () => store.changed() })
  const pause = h('button', { type: 'button', 'aria-pressed': 'false', onclick: hold }, t('pause'))
  const earlier = h('button', { type: 'button', class: 'earlier', onclick: readEarlier }, t('earlier'))
  const everything = h('button', { type: 'button', class: 'earlier', onclick: searchAll }, t('searchAll'))
  const none = h('p', { class: 'none' }, t('nothingSaid'))
  const talks = h('div', { class: 'talks' })
  const feed = h('div', { class: 'lines', role: 'log', 'aria-label': t('talk'), tabindex: 0 })
  place.append(
    h('div', { class: 'bar-of' }, h('h2', {}, t('talk')), who, words, h('label', {}, deeds, t('deeds')), pause),
    talks, earlier, everything, none, feed)

  /** Whether new lines scroll the old ones away. */ let follows = true
  feed.addEventListener('scroll', () => { follows = feed.scrollHeight - feed.scrollTop - feed.clientHeight < AT_THE_END })

  return (/** @type {Set<import('../store.js').Part>} */ stale) => {
    if (stale.has('bots') || stale.has('positions') || stale.has('talks')) showNames()
    if (stale.has('talks')) showTalks()
    if (stale.has('lines')) showLines()
  }

  function showLines () {
    const lines = chosen()
    none.hidden = lines.length > 0
    earlier.hidden = who.value === ''
    everything.hidden = words.value.trim() === '' || talkOf(who.value) !== null
    keyed(feed, lines, line => line.key, () => '', shown)
    if (follows && !held) feed.scrollTop = feed.scrollHeight
  }

  function chosen () {
    const newer = wanted(held ?? store.lines)
    const tooMany = Math.max(0, newer.length - SHOWN)
    return [...wanted(olderOf === who.value ? older : []), ...newer.slice(tooMany - tooMany % GOING)]
  }

  /** @param {Line[]} lines */
  function wanted (lines) {
    const [looked, showsDeeds, name] = [words.value.toLowerCase(), deeds.checked, who.value]
    return lines.filter(line => (showsDeeds || line.kind === 'said') && belongs(line, name) &&
      (!looked || isFound(line) || `${line.by} ${line.text}`.toLowerCase().includes(looked)))
  }

  function showNames () {
    const names = conversations(store)
    keyed(who, names, name => `-${name}`, name => label(name, store), name => h('option', { value: name }, label(name, store)))
  }

  function showTalks () {
    keyed(talks, store.talks, talk => String(talk.talk), talk => JSON.stringify(talk.participants) + talk.speaking, talk =>
      h('p', { class: 'talk-now' },
        h('strong', {}, talk.participants.map(one => brief(one.name)).join(', ')),
        talk.topic && `: ${talk.topic}`,
        talk.speaking && ` — ${talk.speaking} ${t('speaking')}`))
  }

  /** @param {Line} line */
  function shown (line) {
    if (line.kind === 'did') {
      return h('article', { class: line.failed ? 'did bad' : 'did' }, h('time', { datetime: line.at }, clock(line.at)), ' ', h('strong', {}, line.by), ' ', line.text)
    }
    const to = line.to.map(nameOf).join(', ')
    return h('article', { class: store.isBot(line.by) ? 'said bot' : 'said' },
      face(line.by, !store.isBot(line.by)),
      h('div', {},
        h('p', { class: 'from' }, h('strong', {}, nameOf(line.by)), to && ` → ${to}`, line.where && ` (${t(line.where === 'aloud' ? 'aloud' : 'inTalk')})`, ' ', h('time', { datetime: line.at }, clock(line.at))),
        h('p', { class: 'words' }, line.text)))
  }

  function hold () {
    held = held ? null : [...store.lines]
    pause.setAttribute('aria-pressed', String(!!held))
    pause.textContent = t(held ? 'goOn' : 'pause')
    store.changed()
  }

  /** Search all that was ever heard for these words. */
  async function searchAll () {
    const person = who.value && !store.isBot(who.value) ? `&speaker=${encodeURIComponent(who.value)}` : ''
    const readers = store.isBot(who.value) ? [who.value] : store.bots.map(bot => bot.name)
    const asked = `recall?limit=${PAGE}&words=${encodeURIComponent(words.value.trim())}${person}`
    const answers = await Promise.all(readers.map(reader => get(of(reader, asked))))
    const found = answers.flatMap((answer, number) => (answer.lines ?? []).map((/** @type {any} */ one) => recalled(readers[number], one)))
    const known = new Set(store.lines.map(line => line.by + line.text))
    older = found
      .filter(line => !known.has(line.by + line.text) && known.add(line.by + line.text))
      .sort((one, other) => one.at < other.at ? -1 : 1)
    olderOf = who.value
    store.changed()
  }

  async function readEarlier () {
    const name = who.value
    const talk = talkOf(name)
    if (olderOf !== name) [older, olderOf] = [[], name]
    const reader = readerOf(name, store)
    if (!reader) return
    const first = older[0]?.key.slice(1)
    const which = talk !== null ? `&talk=${parseInt(talk)}` : store.isBot(name) ? '' : `&username=${encodeURIComponent(name)}`
    const before = first ?? Number.MAX_SAFE_INTEGER
    const answer = await get(of(reader, `history?limit=${PAGE}&before=${Math.min(Number(before), 1e14)}${which}`))
    const found = (answer.history ?? []).map((/** @type {any} */ one) => remembered(reader, one, talk))
    const seen = new Set(store.lines.map(line => line.by + line.text))
    older = [...found.filter((/** @type {Line} */ line) => !seen.has(line.by + line.text)), ...older]
    earlier.disabled = found.length === 0
    store.changed()
  }
}

/** Whether it was searched for. @param {Line} line */
function isFound (line) {
  return line.key.startsWith('r')
}

/**
 * A line that was searched for.
 * @param {string} bot
 * @param {any} found
 * @returns {Line}
 */
function recalled (bot, { sequence, speaker, text, iso }) {
  return { key: `r${bot}${sequence}`, at: iso, kind: 'said', by: speaker, to: speaker === bot ? [] : [bot], text, where: '' }
}

/**
 * @param {string} bot
 * @param {any} message
 * @param {string | null} talk that it was said to
 * @returns {Line}
 */
function remembered (bot, message, talk) {
  const { speaker, content } = message
  const heard = typeof content === 'string' ? { message: content } : content
  const hearers = (heard.hearers ?? []).map((/** @type {any} */ one) => one.username)
  const to = heard.targetUsername ? [heard.targetUsername] : hearers
  return {
    key: `h${message.sequence}`,
    at: message.iso,
    kind: 'said',
    by: speaker,
    to: speaker === bot ? to : talk === null ? [bot] : [],
    talk: talk ?? undefined,
    text: typeof heard.message === 'string' ? heard.message : JSON.stringify(content),
    where: message.public ? 'aloud' : talk === null ? '' : 'talk'
  }
}
