// @ts-check
// What is looked at when one wants to know more: decisions, goals, what a bot sees and knows, money, experiments.
import { h } from '../dom.js'
import { t } from '../words.js'
import { decisionsView } from './decisions.js'
import { experimentsView } from './experiments.js'
import { eyeView } from './eye.js'
import { goalsView } from './goals.js'
import { knowsView } from './knows.js'
import { moneyView } from './money.js'

/** @typedef {import('../store.js').Store} Store */

/** @type {Record<string, (place: HTMLElement, store: Store) => (stale?: Set<import('../store.js').Part>) => void>} */
const VIEWS = { decisions: decisionsView, goals: goalsView, sees: eyeView, knows: knowsView, money: moneyView, experiments: experimentsView }

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function moreView (place, store) {
  const names = Object.keys(VIEWS)
  let open = names[0]
  const tabs = names.map((name, number) => h('button', {
    type: 'button',
    role: 'tab',
    id: `tab-${name}`,
    'aria-controls': `panel-${name}`,
    onclick: () => show(name),
    onkeydown: (/** @type {KeyboardEvent} */ event) => move(event, number)
  }, t(name)))
  const panels = names.map(name => h('div', { role: 'tabpanel', id: `panel-${name}`, 'aria-labelledby': `tab-${name}`, tabindex: 0 }))
  const draws = names.map((name, number) => VIEWS[name](panels[number], store))
  place.append(h('div', { role: 'tablist', 'aria-label': t('decisions') }, ...tabs), ...panels)
  show(open)

  return (/** @type {Set<import('../store.js').Part>} */ stale) => draws[names.indexOf(open)](stale)

  /** @param {string} name */
  function show (name) {
    open = name
    names.forEach((one, number) => {
      const isOpen = one === name
      tabs[number].setAttribute('aria-selected', String(isOpen))
      tabs[number].tabIndex = isOpen ? 0 : -1
      panels[number].hidden = !isOpen
    })
    draws[names.indexOf(name)]()
  }

  /** @param {KeyboardEvent} event @param {number} number */
  function move (event, number) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const next = (number + step + names.length) % names.length
    show(names[next])
    tabs[next].focus()
  }
}
