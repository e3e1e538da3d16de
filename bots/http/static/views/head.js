// @ts-check
// The top of the page: how the connection is, what was spent, and how to stop everything.
import { post } from '../api.js'
import { h, write } from '../dom.js'
import { LANGUAGES, choose, language, money, t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */

const THEME = 'townsfolk.theme'
const TOLD_MS = 5000
const THEMES = ['auto', 'light', 'dark']

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function headView (place, store) {
  const state = h('span', { role: 'status', class: 'state' })
  const spent = h('span', { class: 'spent' })
  const time = h('span', { class: 'time' })
  const stopped = h('span', { role: 'status', class: 'stopped' })
  const model = h('span', { role: 'status', class: 'model bad' })
  const ended = h('span', { role: 'status', class: 'ended bad' })
  showTheme(localStorage.getItem(THEME) ?? 'auto')
  place.append(
    h('h1', {}, t('title')),
    state, time, spent, stopped, model, ended,
    h('span', { class: 'gap' }),
    h('button', { type: 'button', onclick: turnTheme, title: t('theme'), 'aria-label': t('theme') }, '◐'),
    h('button', { type: 'button', onclick: turnLanguage, lang: language() === 'ja' ? 'en' : 'ja' }, t('language')),
    h('button', { type: 'button', class: 'danger', onclick: () => stop(stopped) }, `■ ${t('stopAll')}`))

  return () => {
    const { budget, isConnected, positions, skipped } = store
    const trouble = budget?.model?.state === 'unusable' ? budget.model : null
    const ticks = positions?.timeOfDay
    state.classList.toggle('bad', !isConnected)
    write(state, `${isConnected ? '●' : '○'} ${t(isConnected ? 'connected' : 'disconnected')}${skipped ? ` · ${skipped} ${t('skipped')}` : ''}`)
    write(spent, budget ? `${money(budget.spentUsd)} ${t('spent')} ${money(budget.capUsd)}` : '')
    write(model, trouble ? `⚠ ${t('noModel')}: ${trouble.found}` : '')
    write(ended, store.ended.length ? `⚠ ${t('part_ended')}: ${store.ended.join(', ')}` : '')
    model.title = trouble ? trouble.nextStep : ''
    write(time, ticks == null ? '' : `${isDay(ticks) ? '☀' : '☾'} ${t(isDay(ticks) ? 'day' : 'night')} ${hour(ticks)}`)
  }
}

/** @param {HTMLElement} told */
async function stop (told) {
  const answer = await post('/api/stop')
  const silent = answer.silent?.length ? ` · ${t('silent')}: ${answer.silent.join(', ')}` : ''
  write(told, answer.success ? `✓ ${t('allStopped')}${silent}` : answer.message ?? '')
  setTimeout(() => { told.textContent = '' }, TOLD_MS)
}

/** @param {number} ticks */
function isDay (ticks) {
  return ticks < 12_542 || ticks >= 23_460
}

/** Minecraft's day begins at six. @param {number} ticks */
function hour (ticks) {
  const minutes = Math.floor((ticks / 1000 + 6) % 24 * 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

function turnLanguage () {
  choose(LANGUAGES[1 - LANGUAGES.indexOf(language())])
  location.reload()
}

function turnTheme () {
  const now = localStorage.getItem(THEME) ?? 'auto'
  const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length]
  localStorage.setItem(THEME, next)
  showTheme(next)
}

/** @param {string} theme */
function showTheme (theme) {
  document.documentElement.dataset.theme = theme
}
