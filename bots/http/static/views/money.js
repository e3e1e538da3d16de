// @ts-check
// What models cost, beside what they may.
import { h } from '../dom.js'
import { money, t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */
/** @typedef {{spentUsd: number, capUsd: number}} Purse */

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function moneyView (place, store) {
  /** @param {Set<import('../store.js').Part>} [stale] */
  return stale => {
    const { budget } = store
    if (!budget || (stale && !stale.has('budget'))) return
    const hours = Math.round(budget.periodS / 3600)
    place.replaceChildren(
      h('p', {}, `${t('inPeriod', hours)}; ${money(budget.heldUsd)} ${t('held')}`),
      h('table', {}, h('tbody', {},
        row(t('everybody'), budget),
        row(t('background'), budget.background),
        row(t('strangers'), budget.strangers),
        ...Object.entries(budget.bots).map(([name, purse]) => row(name, purse)))))
  }
}

/** @param {string} name @param {Purse} purse */
function row (name, { spentUsd, capUsd }) {
  return h('tr', {},
    h('th', { scope: 'row' }, name),
    h('td', {}, `${money(spentUsd)} ${t('spent')} ${money(capUsd)}`),
    h('td', {}, h('meter', { min: 0, max: Math.max(capUsd, 1e-9), value: spentUsd, high: capUsd * 0.8, 'aria-label': name })))
}
