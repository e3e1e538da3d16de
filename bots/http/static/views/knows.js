// @ts-check
// What a bot knows: search it, and have it forget.
import { of, post } from '../api.js'
import { h, keyed } from '../dom.js'
import { language, t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function knowsView (place, store) {
  const who = h('select', { 'aria-label': t('bots') })
  const words = h('input', { type: 'search', placeholder: t('knowsHint'), 'aria-label': t('knowsHint') })
  const found = h('div', { class: 'known', role: 'status' })
  place.append(h('form', { class: 'bar-of', onsubmit: ask }, who, words, h('button', {}, t('search'))), found)

  return () => {
    const names = store.bots.map(bot => bot.name)
    keyed(who, names, name => name, () => '', name => h('option', { value: name }, name))
    if (store.chosen && document.activeElement !== who) who.value = store.chosen
  }

  /** @param {Event} event */
  async function ask (event) {
    event.preventDefault()
    const text = words.value.trim()
    const [known, recalled] = await Promise.all([
      post(of(who.value, 'commands'), { text: text ? `!knowledge ${text}` : '!knowledge' }),
      post(of(who.value, 'commands'), { text: text ? `!recall ${text}` : '!recall' })
    ])
    const entries = known.entries ?? []
    const lines = recalled.lines ?? []
    found.replaceChildren(
      entries.length + lines.length === 0 ? h('p', {}, t('nothingKnown')) : '',
      entries.length ? h('h3', {}, t('knows')) : '',
      h('ul', {}, ...entries.map(entry)),
      lines.length ? h('h3', {}, t('talk')) : '',
      h('ul', {}, ...lines.map(line)))
  }

  /** @param {any} one */
  function entry (one) {
    const item = h('li', { class: one.claim ? 'claim' : '' },
      one.claim && `${one.speaker}: `, one.topic && `${one.topic}: `, one.insight, ' ',
      h('small', {}, `${one.speaker ?? ''} ${day(one.madeAt)}`), ' ')
    const button = h('button', { type: 'button', onclick: forget }, t('forget'))
    item.append(button)
    return item

    async function forget () {
      const answer = await post(of(who.value, 'commands'), { text: `!forget ${one.id}` })
      if (answer.success) item.remove()
      else item.append(` ${answer.message}`)
    }
  }

  /** @param {any} one */
  function line (one) {
    return h('li', {}, h('strong', {}, one.speaker), `: ${one.text} `, h('small', {}, day(one.iso)))
  }
}

/** @param {string} at */
function day (at) {
  return new Date(at).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' })
}
