// @ts-check
// Makes elements. Words always become text, never markup: players and models write them.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Props */

const SVG = 'http://www.w3.org/2000/svg'

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
  if (element.textContent !== words) element.textContent = words
}

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
  const known = new Map([...parent.children].map(one => [one.getAttribute('data-key'), one]))
  const wanted = new Set(items.map(key))
  for (const [name, element] of known) {
    if (name === null || !wanted.has(name)) element.remove() // first, so that those that stay need not move
  }
  let before = parent.firstElementChild
  for (const item of items) {
    const [name, state] = [key(item), version(item)]
    let element = known.get(name)
    if (!element || element.getAttribute('data-version') !== state) {
      const made = make(item)
      set(made, { 'data-key': name, 'data-version': state })
      if (element) {
        if (before === element) before = made
        element.replaceWith(made)
      }
      element = made
    }
    if (element === before) before = element.nextElementSibling
    else parent.insertBefore(element, before)
  }
}

/** @param {Child[]} children */
function kept (children) {
  return children
    .filter(child => child !== null && child !== undefined && child !== false)
    .map(child => child instanceof Node ? child : String(child))
}
