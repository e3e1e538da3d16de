// @ts-check
// The experiments that were played: who took part, how far each is, what it cost, its report.
import { get } from '../api.js'
import { h, keyed } from '../dom.js'
import { language, money, plain, t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */
/** @typedef {{run: string, ended: string, lines: number, costUsd: number, report: string | null}} Run */
/** @typedef {{id: string, title: string, about: string, world: string, state: 'running' | 'ended' | 'stopped', why: string | null, startedAt: string, endedAt: string | null, participants: {name: string, kind: string}[], folder: string, planned: number, runs: Run[], costUsd: number, report: string | null}} Experiment */

const ASKED_EVERY_MS = 2000
const SIGNS = { running: '▶', ended: '✓', stopped: '■' }

/**
 * @param {HTMLElement} place
 * @param {Store} _store
 */
export function experimentsView (place, _store) {
  const none = h('p', { class: 'none' }, t('noExperiments'), ' ', h('code', {}, 'townsfolk experiment run FILE --out DIR'))
  const cards = h('div', { class: 'experiments' })
  /** @type {Set<string>} */ const unfolded = new Set()
  let willAsk = false
  none.hidden = true
  place.append(none, cards)

  return look

  async function look () {
    if (willAsk || document.hidden || !place.offsetParent) return
    willAsk = true
    setTimeout(() => {
      willAsk = false
      look()
    }, ASKED_EVERY_MS)
    const answer = await get('/api/experiments')
    if (!answer.success) return
    none.hidden = answer.experiments.length > 0
    keyed(cards, answer.experiments, one => one.id, one => JSON.stringify(one), card)
  }

  /** @param {Experiment} one */
  function card (one) {
    const title = one.title || one.folder
    return h('article', { class: `experiment ${one.state}`, 'aria-label': title },
      h('h3', {}, title),
      h('p', { class: 'from' },
        h('span', { class: 'state-of' }, h('span', { 'aria-hidden': 'true' }, SIGNS[one.state]), ` ${t(`experiment_${one.state}`)}`), ' ',
        h('time', { datetime: one.startedAt }, when(one.startedAt)), ` · ${t(one.world)}`),
      one.why && h('p', { class: 'bad' }, one.why),
      one.about && h('p', {}, one.about),
      h('p', { class: 'facts' }, one.participants.map(who => who.name).join(', ')),
      h('p', { class: 'facts' }, `${t('runs')} ${one.runs.length}/${one.planned} · ${money(one.costUsd)}`),
      one.state === 'running' && h('progress', { max: one.planned, value: one.runs.length, 'aria-label': t('runs') }),
      report(one, title),
      one.planned > 1 && one.runs.length > 0 && runs(one))
  }

  /** @param {Experiment} one */
  function runs (one) {
    const rows = one.runs.map(run => h('tr', {},
      h('th', { scope: 'row' }, run.run), h('td', {}, plain(run.ended)), h('td', {}, t('lines', run.lines)), h('td', {}, money(run.costUsd)),
      h('td', {}, run.report ? link(run.report, `${t('report')} ${run.run}`, t('report')) : '–')))
    return h('details', { open: unfolded.has(one.id), ontoggle: fold },
      h('summary', {}, t('everyRun')),
      h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': t('everyRun') }, h('table', {}, h('tbody', {}, ...rows))))

    /** @param {Event} event */
    function fold (event) {
      const isOpen = /** @type {HTMLDetailsElement} */ (event.target).open
      if (isOpen) unfolded.add(one.id)
      else unfolded.delete(one.id)
    }
  }
}

/** @param {Experiment} one @param {string} title */
function report (one, title) {
  if (one.report) return h('p', { class: 'acts' }, link(one.report, `${t('openReport')}: ${title}`, t('openReport')))
  if (one.state === 'running' || one.runs.length === 0) return null
  return h('p', { class: 'facts' }, t('noReport'), ' ', h('code', {}, `townsfolk experiment report ${one.folder}`))
}

/** @param {string} address @param {string} name @param {string} words */
function link (address, name, words) {
  return h('a', { href: address, target: '_blank', rel: 'noopener', 'aria-label': name }, words)
}

/** @param {string} at */
function when (at) {
  return new Date(at).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'short' })
}
