// @ts-check
// A card for each bot: its face, what it does now, how it fares.
import { of, post } from '../api.js'
import { h, keyed } from '../dom.js'
import { face } from '../faces.js'
import { goalInWords, plain, t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */
/** @typedef {import('../store.js').Bot} Bot */

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function botsView (place, store) {
  const cards = h('div', { class: 'cards' })
  const none = h('p', { class: 'none' }, t('noBots'))
  place.append(h('h2', {}, t('bots')), none, cards)

  return () => {
    none.hidden = store.bots.length > 0
    keyed(cards, store.bots, bot => bot.name, bot => JSON.stringify([bot.state, store.elsewhere(bot), doing(bot), fares(bot.name), bot.name === store.chosen]), card)
  }

  /** @param {Bot} bot */
  function card (bot) {
    const chosen = bot.name === store.chosen
    const at = store.placeOf(bot.name)
    const main = h('button', {
      type: 'button',
      class: 'choose',
      'aria-pressed': String(chosen),
      onclick: () => store.choose(bot.name)
    }, face(bot.name), h('span', { class: 'who' },
      h('strong', {}, bot.name),
      h('span', { class: bot.state === 'online' ? 'doing' : 'doing away' }, doing(bot)),
      store.elsewhere(bot) && h('span', { class: 'lives' }, `${t('livesAt')} ${store.elsewhere(bot)}`)))
    return h('article', { class: chosen ? 'card chosen' : 'card', 'aria-label': bot.name },
      main,
      at && h('p', { class: 'fares' },
        bar('♥', t('health'), at.health ?? 0), bar('◆', t('food'), at.food ?? 0),
        at.held && h('span', {}, `${t('holds')} ${plain(at.held)}`)),
      bot.advice && h('p', { class: 'advice' }, bot.advice),
      h('button', {
        type: 'button',
        class: 'stop',
        'aria-label': `${t('stop')} ${bot.name}`,
        onclick: () => post(of(bot.name, 'commands'), { text: '!stop' })
      }, `■ ${t('stop')}`))
  }

  /** @param {string} name */
  function fares (name) {
    const at = store.placeOf(name)
    return at && [at.health, at.food, at.held]
  }
}

/** @param {Bot} bot */
function doing (bot) {
  if (bot.state !== 'online') return t(bot.state)
  const part = bot.job?.progress
  const work = bot.doing[0] ?? ''
  if (!work) return t('idle')
  const what = bot.goal && work.startsWith('!goal') ? goalInWords(bot.goal) : work
  return part ? `${what} · ${plain(part.what)} ${Math.floor(part.done)}/${part.total}` : what
}

/**
 * Ten hearts are twenty.
 * @param {string} sign
 * @param {string} name
 * @param {number} value
 */
function bar (sign, name, value) {
  return h('span', { class: 'bar' },
    h('span', { 'aria-hidden': 'true' }, sign),
    h('meter', { min: 0, max: 20, low: 7, value, 'aria-label': name, title: `${name} ${Math.round(value)}/20` }))
}
