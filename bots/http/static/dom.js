// @ts-check
// Makes elements. Words always become text, never markup: players and models write them. What would
// turn the direction of words around, or is no sign at all, is shown as `\u202e`.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Props */

const SVG = 'http://www.w3.org/2000/svg'
const UNSEEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/**
 * An HTML element; `on…` properties listen, `class` and the rest are attributes.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h (tag, props = {}, ...children) {
  const element = document.createElement(tag)
  set(element, props)
  element.append(...kept(children))
  return element
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {SVGElement}
 */
export function s (tag, props = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag))
  set(element, props)
  element.append(...kept(children))
  return element
}

/**
 * @param {Element} element
 * @param {Props} props
 */
export function set (element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith('on')) {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value))
    } else if (value === false || value == null) {
      element.removeAttribute(name)
    } else {
      element.setAttribute(name, value === true ? '' : String(value))
    }
  }
}

/**
 * Writes words that may stand there already: what is written anew is laid out and painted anew.
 * @param {Element} element
 * @param {string} words
 */
export function write (element, words) {
  if (element.textContent !== readable(words)) element.textContent = readable(words)
}

/**
 * What `keyed` shows in each parent, by key.
 * @type {WeakMap<Element, Map<string, {element: Element, state: string}>>}
 */
const shown = new WeakMap()

/**
 * Shows one element for each item in order. An element whose item has not changed stays as it is,
 * with its focus.
 * @template I
 * @param {Element} parent
 * @param {I[]} items
 * @param {(item: I) => string} key
 * @param {(item: I) => string} version changes with what is shown of an item
 * @param {(item: I) => Element} make
 */
export function keyed (parent, items, key, version, make) {
  const known = shown.get(parent) ?? new Map()
  const wanted = new Map()
  for (const item of items) {
    const [name, state] = [key(item), version(item)]
    const there = known.get(name)
    if (there?.state === state) {
      wanted.set(name, there)
    } else {
      const element = make(item)
      there?.element.replaceWith(element)
      wanted.set(name, { element, state })
    }
  }
  for (const [name, { element }] of known) {
    if (!wanted.has(name)) element.remove() // first, so that those that stay need not move
  }
  let before = parent.firstElementChild
  for (const { element } of wanted.values()) {
    if (element === before) before = element.nextElementSibling
    else parent.insertBefore(element, before)
  }
  shown.set(parent, wanted)
}

/**
 * The element that `keyed` shows there for an item.
 * @param {Element} parent
 * @param {string} key
 */
export function shownAs (parent, key) {
  return shown.get(parent)?.get(key)?.element ?? null
}

/** @param {Child[]} children */
function kept (children) {
  return children
    .filter(child => child !== null && child !== undefined && child !== false)
    .map(child => child instanceof Node ? child : readable(String(child)))
}

/** @param {string} words */
function readable (words) {
  return words.replace(UNSEEN, one => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
