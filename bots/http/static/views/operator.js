// @ts-check
// The box at the bottom: words and commands to a bot, with the answer above it.
import { of, post } from '../api.js'
import { endOf } from '../ends.js'
import { h, keyed, write } from '../dom.js'
import { t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function operatorView (place, store) {
  const who = h('select', { 'aria-label': t('sendTo') })
  const commands = h('datalist', { id: 'commands' })
  const words = h('input', { placeholder: t('write'), 'aria-label': t('write'), list: 'commands', autocomplete: 'off', maxlength: 2000 })
  const send = h('button', {}, t('send'))
  const answer = h('p', { role: 'status', class: 'answer' })
  /** @type {string[]} */ const said = []
  let at = 0
  let hasCommands = false
  words.addEventListener('keydown', earlier)
  place.append(answer, h('form', { onsubmit: submit }, who, words, send), commands)

  return () => {
    const names = store.bots.map(bot => bot.name)
    keyed(who, names, name => name, () => '', name => h('option', { value: name }, name))
    if (store.chosen && document.activeElement !== who) who.value = store.chosen
    if (!hasCommands && names.length) askCommands(names[0])
  }

  /** @param {Event} event */
  async function submit (event) {
    event.preventDefault()
    const text = words.value.trim()
    if (!text || !who.value) return
    said.push(text)
    at = said.length
    words.value = ''
    write(answer, t('sending'))
    const isCommand = text.startsWith('!')
    const bot = who.value
    const found = await post(of(bot, isCommand ? 'commands' : 'messages'), isCommand ? { text, plain: true, wait: !mayLast(text) } : { text })
    show(bot, found)
    if (!found.started) return
    const end = await endOf(bot, found.actionId)
    if (at === said.length && said.at(-1) === text) show(bot, end)
  }

  /** @param {string} bot @param {any} found */
  function show (bot, found) {
    answer.classList.toggle('bad', found.success === false)
    write(answer, `${bot}: ${outcome(found)}`)
  }

  /** The arrows bring back what was sent before. @param {KeyboardEvent} event */
  function earlier (event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!step || !said.length || words.value.startsWith('!')) return
    at = Math.min(Math.max(at + step, 0), said.length)
    words.value = said[at] ?? ''
    event.preventDefault()
  }

  /** @param {string} bot */
  async function askCommands (bot) {
    hasCommands = true
    const found = await post(of(bot, 'commands'), { text: '!help' })
    commands.replaceChildren(...(found.commands ?? []).map((/** @type {any} */ one) => h('option', { value: `!${one.name}` }, one.summary)))
  }
}

/** Goals and walks take minutes; their end shows in the talk. @param {string} text */
function mayLast (text) {
  return /^!(goal|skill|navigation|go|primitive)\b/.test(text) && !/^!goal (status|list|pause|resume|then)\b/.test(text)
}

/** @param {any} found */
function outcome (found) {
  if (found.plain) return found.plain.join('\n')
  if (found.answer) return found.answer
  if (found.message) return found.message
  if (found.started) return t('begun')
  const { success, ...facts } = found
  return Object.keys(facts).length ? JSON.stringify(facts) : success ? '✓' : ''
}
