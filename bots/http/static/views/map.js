// @ts-check
// The world from above: bots and people where they are, their paths, and how far bots hear.
import { h, keyed, s, set, shownAs } from '../dom.js'
import { picture } from '../faces.js'
import { Terrain } from '../terrain.js'
import { brief, t } from '../words.js'

/** @typedef {import('../store.js').Store} Store */
/** @typedef {import('../store.js').Place} Place */
/** @typedef {import('../store.js').Area} Area */

const LEAST_SPAN = 36 // blocks from top to bottom when all stand together
const MARGIN = 8
const FACE_PX = 26
const GRID = 16
const STEP = 0.2 // of the span, for an arrow key

/**
 * @param {HTMLElement} place
 * @param {Store} store
 */
export function mapView (place, store) {
  /** @type {{x: number, z: number, span: number} | null} */ let own = null
  let [broad, tall] = [1, 1] // pixels
  let lines = s('g')
  const terrain = new Terrain()
  const [ground, areas, ranges, trails, markers] = [s('g'), s('g'), s('g'), s('g'), s('g')]
  const drawing = s('svg', { class: 'world', role: 'img', tabindex: 0, preserveAspectRatio: 'xMidYMid meet' }, ground, lines, areas, ranges, trails, markers)
  const none = h('p', { class: 'none' }, t('nobodyThere'))
  const places = h('tbody')
  const table = h('details', { ontoggle: () => draw() }, h('summary', {}, t('where')), h('table', {}, places))
  place.append(
    h('div', { class: 'bar-of' }, h('h2', {}, t('map')),
      button('+', t('zoomIn'), () => zoom(0.7)), button('−', t('zoomOut'), () => zoom(1.4)),
      button(t('fit'), t('fit'), () => { own = null; store.changed() })),
    none,
    drawing,
    table)
  drawing.addEventListener('keydown', key)
  drawing.addEventListener('wheel', turn, { passive: false })
  drawing.addEventListener('pointerdown', drag)
  new ResizeObserver(([{ contentRect }]) => { // to ask for the size at each drawing would lay out the page each time
    [broad, tall] = [contentRect.width || 1, contentRect.height || 1]
    store.changed('positions')
  }).observe(drawing)

  return draw

  function draw () {
    const found = store.positions
    const all = found ? [...found.bots, ...found.people] : []
    none.hidden = all.length > 0
    const view = own ?? around(all)
    const { x, z, span } = view
    const wide = span * broad / tall
    const size = FACE_PX * span / tall
    const box = `${x - wide / 2} ${z - span / 2} ${wide} ${span}`
    if (change(drawing, { viewBox: box })) lines.replaceWith(lines = grid(view, wide))
    change(drawing, { 'aria-label': all.map(words).join('; ') || t('nobodyThere') })
    terrain.look(found?.bots ?? [], () => store.changed())
    keyed(ground, terrain.squares, one => `${one.west},${one.north},${one.dimension}`, one => String(one.at), square)
    const dimension = (found?.bots.find(one => one.name === store.chosen) ?? found?.bots[0])?.dimension
    const drawn = (found?.areas ?? []).filter(one => one.dimension === dimension)
    keyed(areas, [...drawn].reverse(), one => one.name, one => JSON.stringify(one), area)
    keyed(ranges, found?.bots ?? [], one => one.name, () => '', hearing)
    keyed(trails, all, one => one.name, () => '', () => s('polyline', { class: 'trail' }))
    keyed(markers, all, one => one.name, one => String(one.yaw === undefined), marker)
    for (const one of all) {
      moved(ranges, one, { cx: one.x, cy: one.z, r: found?.hearingRange, class: one.name === store.chosen ? 'hearing chosen' : 'hearing' })
      moved(trails, one, { points: (store.trails.get(one.name) ?? []).map(step => step.join(',')).join(' '), 'stroke-width': span / 200 })
    }
    for (const one of apart(all, size * 1.3)) {
      const chosen = one.name === store.chosen ? ' chosen' : ''
      const marker = moved(markers, one, {
        transform: `translate(${one.x.toFixed(2)} ${one.z.toFixed(2)}) scale(${size.toFixed(3)})`,
        class: `marker${store.isBot(one.name) ? '' : ' person'}${chosen}`
      })
      const nose = marker?.querySelector('.nose')
      if (nose) change(nose, { transform: `rotate(${-(one.yaw ?? 0)})` })
    }
    if (table.open) listPlaces(all)
  }

  /** @param {Place[]} all */
  function listPlaces (all) {
    places.replaceChildren(...all.map(one => h('tr', {}, h('th', { scope: 'row' }, brief(one.name)), h('td', {}, coordinates(one)), h('td', {}, one.dimension))))
  }

  /** @param {import('../terrain.js').Square} one */
  function square ({ west, north, width, height, png }) {
    return s('image', { x: west, y: north, width, height, href: `data:image/png;base64,${png}`, preserveAspectRatio: 'none' })
  }

  /** @param {Area} one */
  function area ({ name, rule, west, north, east, south, within, saidBy }) {
    const shape = { x: west - within, y: north - within, width: east - west + 2 * within, height: south - north + 2 * within, rx: within }
    return s('rect', { class: `area ${rule}`, ...shape }, s('title', {}, `${name}: ${t(rule)}${saidBy && ` (${saidBy})`}`))
  }

  /** @param {Place} bot */
  function hearing (bot) {
    return s('circle', {}, s('title', {}, `${bot.name} ${t('hears')}`))
  }

  /** One block wide, around nothing; where it stands and how large it is, is its transform. @param {Place} one */
  function marker (one) {
    const isPerson = !store.isBot(one.name)
    const group = s('g', {},
      one.yaw !== undefined && s('polygon', { class: 'nose', points: '0,-1.15 -0.4,-0.6 0.4,-0.6' }),
      s('rect', { x: -0.58, y: -0.58, width: 1.16, height: 1.16, rx: isPerson ? 0.58 : 0.15 }),
      s('image', { href: picture(one.name, isPerson), x: -0.5, y: -0.5, width: 1, height: 1 }),
      s('text', { y: 1.25, 'font-size': 0.5, 'text-anchor': 'middle' }, brief(one.name)),
      s('title', {}, one.name))
    if (!isPerson) group.addEventListener('click', () => store.choose(one.name))
    return group
  }

  /** @param {number} factor */
  function zoom (factor) {
    const view = own ?? current()
    own = { ...view, span: Math.min(Math.max(view.span * factor, 8), 2000) }
    draw()
  }

  /** @param {number} right @param {number} down */
  function pan (right, down) {
    const view = own ?? current()
    own = { ...view, x: view.x + right, z: view.z + down }
    draw()
  }

  function current () {
    const found = store.positions
    return around(found ? [...found.bots, ...found.people] : [])
  }

  /** @param {Event} event */
  function key (event) {
    const { key } = /** @type {KeyboardEvent} */ (event)
    const step = (own ?? current()).span * STEP
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => pan(-step, 0),
      ArrowRight: () => pan(step, 0),
      ArrowUp: () => pan(0, -step),
      ArrowDown: () => pan(0, step),
      '+': () => zoom(0.7),
      '-': () => zoom(1.4)
    }
    if (!keys[key]) return
    event.preventDefault()
    keys[key]()
  }

  /** @param {Event} event */
  function turn (event) {
    if (!/** @type {WheelEvent} */ (event).ctrlKey) return // the page scrolls
    event.preventDefault()
    zoom(/** @type {WheelEvent} */ (event).deltaY > 0 ? 1.15 : 0.87)
  }

  /** @param {Event} event */
  function drag (event) {
    let { clientX, clientY } = /** @type {PointerEvent} */ (event)
    const move = (/** @type {PointerEvent} */ moved) => {
      const scale = (own ?? current()).span / drawing.clientHeight
      pan((clientX - moved.clientX) * scale, (clientY - moved.clientY) * scale)
      ;({ clientX, clientY } = moved)
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', () => removeEventListener('pointermove', move), { once: true })
  }
}

/**
 * A square that shows all of these.
 * @param {Place[]} all
 */
export function around (all) {
  if (!all.length) return { x: 0, z: 0, span: LEAST_SPAN }
  const [xs, zs] = [all.map(one => one.x), all.map(one => one.z)]
  const middle = (/** @type {number[]} */ values) => (Math.min(...values) + Math.max(...values)) / 2
  const wide = (/** @type {number[]} */ values) => Math.max(...values) - Math.min(...values)
  return { x: middle(xs), z: middle(zs), span: Math.max(LEAST_SPAN, Math.max(wide(xs), wide(zs)) + 2 * MARGIN) }
}

/**
 * Those who stand close together are drawn side by side, so that each can be seen and clicked.
 * @param {Place[]} all
 * @param {number} least blocks between two
 * @returns {Place[]}
 */
export function apart (all, least) {
  /** @type {Place[]} */ const drawn = []
  for (const one of all) {
    let { x } = one
    const isTaken = () => drawn.some(other => Math.abs(other.x - x) < least * 0.99 && Math.abs(other.z - one.z) < least)
    while (isTaken()) x += least
    drawn.push({ ...one, x })
  }
  return drawn
}

/** @param {{x: number, z: number, span: number}} view @param {number} wide */
function grid ({ x, z, span }, wide) {
  const step = GRID * 2 ** Math.max(0, Math.ceil(Math.log2(span / GRID / 16)))
  const from = (/** @type {number} */ least) => Math.ceil(least / step) * step
  const [left, right, top, bottom] = [x - wide / 2, x + wide / 2, z - span / 2, z + span / 2]
  const lines = []
  for (let at = from(left); at <= right; at += step) lines.push(s('line', { x1: at, x2: at, y1: top, y2: bottom }))
  for (let at = from(top); at <= bottom; at += step) lines.push(s('line', { y1: at, y2: at, x1: left, x2: right }))
  return s('g', { class: 'grid', 'stroke-width': span / 800 }, ...lines)
}

/**
 * Sets what has changed of an element, and nothing else.
 * @param {Element} parent
 * @param {Place} one
 * @param {Record<string, unknown>} props
 */
function moved (parent, one, props) {
  const element = shownAs(parent, one.name)
  if (element) change(element, props)
  return element
}

/**
 * Sets what differs; whether anything did. What is set is painted anew.
 * @param {Element} element
 * @param {Record<string, unknown>} props
 */
function change (element, props) {
  const changed = Object.entries(props).filter(([name, value]) => element.getAttribute(name) !== String(value))
  set(element, Object.fromEntries(changed))
  return changed.length > 0
}

/** @param {Place} one */
function words (one) {
  return `${one.name} ${coordinates(one)}`
}

/** @param {Place} one */
function coordinates ({ x, y, z }) {
  return [x, y, z].map(Math.floor).join(', ')
}

/** @param {string} sign @param {string} name @param {() => void} press */
function button (sign, name, press) {
  return h('button', { type: 'button', 'aria-label': name, title: name, onclick: press }, sign)
}
