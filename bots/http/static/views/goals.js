// @ts-check
// The goals of the bots, and the plan of each as a tree: what is done, what is next.
import { get, of } from '../api.js'
import { failedGoals } from '../ends.js'
import { h, keyed } from '../dom.js'
import { clock, duration, nameOf, plain, t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */
/** @typedef {{action: string, thing: string, count: number, consumes: Record<string, number>, produces: Record<string, number>, estimateS: number, tookS: number | null}} Step */
/** @typedef {{step: Step, number: number, needs: Node[]}} Node */

const ASKED_EVERY_MS = 1000
const MOST_FAILED = 10

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function goalsView (place, store) {
  const none = h('p', { class: 'none' }, t('noGoals'))
  const list = h('div', { class: 'goals' })
  let asked = 0
  const lost = h('div', { class: 'goals' })
  place.append(none, list, lost)

  return async () => {
    const now = Date.now()
    if (now - asked < ASKED_EVERY_MS) return
    asked = now
    const bots = store.bots.filter(bot => bot.goal && (!store.chosen || bot.name === store.chosen))
    const found = await Promise.all(bots.map(bot => get(of(bot.name, 'goals'))))
    const failed = failedGoals().filter(one => !store.chosen || one.bot === store.chosen).slice(0, MOST_FAILED)
    none.hidden = bots.length + failed.length > 0
    keyed(lost, failed, one => `${one.bot} ${one.actionId}`, () => '', failure)
    list.replaceChildren(...bots.map((bot, number) => ofBot(bot.name, found[number])))
    if (bots.length) setTimeout(() => store.changed(), ASKED_EVERY_MS)
  }
}

/** @param {string} name @param {any} found */
function ofBot (name, found) {
  return h('article', { class: 'goal', 'aria-label': name },
    h('h3', {}, name),
    h('ul', {}, ...(found.goals ?? []).map((/** @type {any} */ one) => h('li', {}, `${one.goal} — ${t(one.state === 'under_way' ? 'underWay' : one.state)}, ${t('given')} ${nameOf(one.givenBy)}`))),
    found.plan ? plan(found.plan) : found.goals?.[0]?.state === 'under_way' && h('p', {}, `${found.goals[0].goal} ${t('planning')}`))
}

/** A goal that was not reached, and what it lacked. @param {import('../stream.js').TraceEvent} one */
function failure ({ bot, at, result }) {
  const missing = /** @type {import('../ends.js').Result} */ (result).missing ?? []
  return h('article', { class: 'goal', 'aria-label': `${bot} ${t('notReached')}` },
    h('h3', {}, `${bot} — ${t(result.reason === 'stopped' ? 'wasStopped' : 'notReached')} `, h('time', { datetime: at }, clock(at))),
    h('p', { class: result.reason === 'stopped' ? 'facts' : 'bad' }, result.message ?? result.reason),
    missing.length > 0 && h('ul', { class: 'tree' }, ...missing.map(one => h('li', {},
      h('span', { 'aria-hidden': 'true' }, '✗ '), `${plain(one.item)} ${one.have}/${one.need} `, h('small', {}, one.why)))))
}

/** @param {{goal: string, steps: Step[], leftS: number}} found */
function plan ({ goal, steps, leftS }) {
  const done = steps.filter(step => step.tookS !== null).length
  return h('div', {},
    h('p', {}, `${plain(goal)} · ${done}/${steps.length} · ${t('left', duration(leftS))}`),
    h('progress', { max: steps.length, value: done, 'aria-label': goal }),
    branches(tree(steps), done))
}

/** @param {Node[]} nodes @param {number} done @returns {HTMLElement | null} */
function branches (nodes, done) {
  if (!nodes.length) return null
  return h('ul', { class: 'tree' }, ...nodes.map(node => h('li', { class: stateOf(node, done) },
    h('span', { 'aria-hidden': 'true' }, { done: '✓ ', now: '▶ ', next: '○ ' }[stateOf(node, done)]),
    `${node.step.action} ${node.step.count} ${plain(node.step.thing)} `,
    h('small', {}, node.step.tookS === null ? t('about', duration(node.step.estimateS)) : t('took', duration(node.step.tookS))),
    branches(node.needs, done))))
}

/** @param {Node} node @param {number} done @returns {'done' | 'now' | 'next'} */
function stateOf ({ step, number }, done) {
  if (step.tookS !== null) return 'done'
  return number === done ? 'now' : 'next'
}

/**
 * Steps under the first later one that uses what they make; each comes once.
 * @param {Step[]} steps
 * @returns {Node[]}
 */
export function tree (steps) {
  /** @type {Node[]} */
  const nodes = steps.map((step, number) => ({ step, number, needs: [] }))
  /** @type {Node[]} */
  const roots = []
  for (const node of nodes) {
    const user = nodes.find(({ step, number }) => number > node.number && Object.keys(node.step.produces).some(item => step.consumes[item]))
    ;(user ? user.needs : roots).push(node)
  }
  return roots
}
