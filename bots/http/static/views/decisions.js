// @ts-check
// A card for each decision: what led to it, who decided, why, what came of it, what it cost.
import { get, of, post } from '../api.js'
import { h, keyed, shownAs, write } from '../dom.js'
import { clock, money, nameOf, plain, t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */
/** @typedef {import('../store.js').Decision} Decision */

const SHOWN = 60
const MOST_QUOTED = 200
const SHORT = 80 // characters of a tool's result that are shown at once
/** @type {Record<string, string>} */
const SOURCES = { model: 'byModel', rules: 'byRules', partial: 'partial' }

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function decisionsView (place, store) {
  const none = h('p', { class: 'none' }, t('noDecisions'))
  const cards = h('div', { class: 'decisions' })
  place.append(none, cards)

  /** @param {Set<import('../store.js').Part>} [stale] */
  return stale => {
    if (stale && !stale.has('decisions')) return
    const made = [...store.decisions.values()]
      .filter(one => !store.chosen || one.bot === store.chosen)
      .slice(-SHOWN).reverse()
    none.hidden = made.length > 0
    keyed(cards, made, one => String(one.id), () => '', card)
    for (const one of made) {
      if (one.approved) approved(shownAs(cards, String(one.id)))
    }
  }
}

/** @param {Decision} made */
function card (made) {
  const said = h('p', { role: 'status', class: 'answer' })
  const came = h('span', { role: 'status' })
  const prompt = h('div', { class: 'prompt' })
  return h('article', { class: 'decision', 'aria-label': `${made.bot} ${made.id}` },
    h('p', { class: 'from' },
      h('strong', {}, made.bot), ' ',
      h('span', { class: `tier ${made.tier}` }, made.source === 'rules' ? t('byRules') : `${made.tier} · ${t(SOURCES[made.source] ?? made.source)}`), ' ',
      made.speaker ? `${t('asked')} ${nameOf(made.speaker)}` : plain(made.trigger), ' ',
      h('time', { datetime: made.at }, clock(made.at))),
    made.text && h('p', { class: 'words' }, made.text),
    facts(made),
    (made.used ?? []).length > 0 && h('ul', {}, ...made.used.map(tool)),
    made.reasoning && h('details', {}, h('summary', {}, t('why')), h('p', {}, made.reasoning)),
    h('p', { class: 'costs' }, costs(made)),
    h('p', { class: 'acts' },
      h('span', { class: 'approval' }, act(t('approve'), () => done(came, post(`/api/decisions/${made.id}/approve`)))),
      act(t('reanalyse'), () => done(came, post(`/api/decisions/${made.id}/reanalyse`))),
      made.prompt_number && act(t('prompt'), () => showPrompt(prompt, made.id)),
      came),
    made.bot && tell(made, said),
    said, prompt)
}

/** The rest of the card stays as it is: words are being written there, or an answer is on its way. @param {Element | null} card */
function approved (card) {
  const approval = card?.querySelector('.approval')
  if (approval) write(approval, `✓ ${t('approved')}`)
}

/**
 * Words of the operator to the bot about this decision.
 * @param {Decision} made
 * @param {HTMLElement} said
 */
function tell (made, said) {
  const words = h('input', { placeholder: t('tellHint'), 'aria-label': `${t('tell')} ${made.bot} ${made.id}`, maxlength: 1500, autocomplete: 'off' })
  return h('form', { class: 'tell', onsubmit: send }, words, h('button', {}, t('tell')))

  /** @param {Event} event */
  async function send (event) {
    event.preventDefault()
    const text = words.value.trim()
    if (!text) return
    words.value = ''
    write(said, t('sending'))
    const answer = await post(of(made.bot ?? '', 'messages'), { text: text.startsWith('!') ? text : aboutIt(made, text) })
    write(said, answer.success ? `${made.bot}: ${answer.answer ?? '✓'}` : answer.message ?? answer.reason ?? '')
  }
}

/** A model is told what the words are about; rules would stumble over it. @param {Decision} made @param {string} text */
function aboutIt (made, text) {
  if (made.source === 'rules' || !made.text) return text
  return `${t('aboutDecision', String(made.text).slice(0, MOST_QUOTED))} ${text}`
}

/** @param {Decision} made */
function facts (made) {
  const said = [
    made.why && `${t('why')}: ${plain(made.why)}`,
    made.confidence != null && `${t('sure')} ${Math.round(made.confidence * 100)} %`,
    made.alternatives?.length && `${t('instead')}: ${made.alternatives.join(' · ')}`
  ].filter(Boolean)
  return said.length ? h('p', { class: 'facts' }, said.join(' — ')) : null
}

/** @param {any} used */
function tool (used) {
  const call = `${used.name} ${used.arguments ? JSON.stringify(used.arguments) : ''}`
  const outcome = String(used.outcome)
  const shown = outcome.length <= SHORT
    ? outcome
    : h('details', {}, h('summary', {}, `${outcome.slice(0, SHORT)}…`), h('p', {}, outcome))
  return h('li', { class: used.failed ? 'bad' : '' }, h('code', {}, call), ' → ', shown)
}

/** @param {Decision} made */
function costs (made) {
  const spent = made.source === 'rules' && !made.tokens_in
    ? []
    : [`${made.tokens_in}+${made.tokens_out} ${t('tokens')} (${made.tokens_cached} ${t('cached')})`, money(made.cost_usd)]
  return [...spent, `${made.seconds.toFixed(2)} s`, made.model].filter(Boolean).join(' · ')
}

/** @param {string} name @param {() => void} press */
function act (name, press) {
  return h('button', { type: 'button', onclick: press }, name)
}

/** @param {HTMLElement} said @param {Promise<import('../api.js').Answer>} asking */
async function done (said, asking) {
  const answer = await asking
  write(said, answer.success ? '✓' : answer.message ?? answer.reason ?? '')
}

/** @param {HTMLElement} place @param {number | string} id */
async function showPrompt (place, id) {
  if (place.firstChild) return place.replaceChildren()
  const answer = await get(`/api/decisions/${id}/prompt`)
  if (!answer.success) return place.append(h('p', {}, answer.message))
  const { system, character, turns, rounds, text } = answer.prompt
  const parts = [['system', system], ['character', character], ...(turns ?? []).map((/** @type {any} */ turn) => [turn.role, turn.text]),
    ...(rounds ?? []).map((/** @type {any} */ round) => ['tools', JSON.stringify(round, null, 1)]), ['→', text]]
  place.append(...parts.filter(([, words]) => words).map(([role, words]) => h('section', {}, h('h3', {}, role), h('pre', { tabindex: 0 }, words))))
}
