// @ts-check
// What the chosen bot sees, drawn again and again while somebody looks.
import { image, of } from '../api.js'
import { h, write } from '../dom.js'
import { t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */

const REST_MS = 700 // after a picture has come; one takes a third of a second to draw
const LATER_MS = 4000 // after one that could not be had
const SIZES = { ahead: 'width=480&height=270', around: 'panorama=true' }

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function eyeView (place, store) {
  const picture = h('img', { class: 'seen', alt: '' })
  const around = h('input', { type: 'checkbox', onchange: look })
  const caption = h('figcaption')
  let busy = false
  place.append(h('figure', {}, picture, caption), h('label', {}, around, t('around')))

  return look

  function look () {
    const bot = store.chosen ?? store.bots.find(one => one.state === 'online')?.name
    write(caption, bot ? t('seenBy', bot) : t('nobodyThere'))
    picture.hidden = !bot
    if (!bot || busy || document.hidden || !place.offsetParent) return
    busy = true
    show(bot)
  }

  /** @param {string} bot */
  async function show (bot) {
    const size = wished()
    const found = await image(of(bot, `picture?${size}`))
    if (size !== wished()) return again(0)
    if (!found) return again(LATER_MS)
    URL.revokeObjectURL(picture.src)
    picture.src = URL.createObjectURL(found)
    picture.alt = t('seenBy', bot)
    again(REST_MS)
  }

  function wished () {
    return around.checked ? SIZES.around : SIZES.ahead
  }

  /** @param {number} after */
  function again (after) {
    setTimeout(() => {
      busy = false
      look()
    }, after)
  }
}
