// @ts-check
// Puts the page together: one store, one stream, one module for each part of the page.
import { take as takeEnd } from './ends.js'
import { follow } from './stream.js'
import { Store } from './store.js'
import { botsView } from './views/bots.js'
import { headView } from './views/head.js'
import { mapView } from './views/map.js'
import { moreView } from './views/more.js'
import { operatorView } from './views/operator.js'
import { talkView } from './views/talk.js'
import { language } from './words.js'

/** @typedef {import('./store.js').Part} Part */

document.documentElement.lang = language()
const store = new Store()
/** Who shows what. @type {[string, (place: HTMLElement, store: Store) => (stale: Set<Part>) => void, Part[]?][]} */
const views = [
  ['head', headView, ['connection', 'budget', 'load', 'positions']],
  ['bots', botsView, ['bots', 'positions']],
  ['map', mapView, ['positions', 'bots']],
  ['talk', talkView, ['lines', 'talks', 'bots', 'positions']],
  ['more', moreView],
  ['operator', operatorView, ['bots']]
]
for (const [id, view, parts] of views) {
  const place = document.getElementById(id)
  if (place) store.watch(view(place, store), parts)
}
await store.ask()
await store.askDecisions()
follow({
  event: event => {
    store.take(event)
    takeEnd(event)
  },
  positions: positions => store.moved(positions),
  connected: isConnected => store.connected(isConnected)
})
