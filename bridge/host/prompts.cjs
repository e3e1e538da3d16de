'use strict'
// What servers ask of every client and wait for: resource packs are taken without being fetched,
// cookies are none.

const ACCEPTED = 3
const LOADED = 0

/** In place of mineflayer's plugin `resource_pack`.
 *
 *  expected: a pack is answered under its own id, whenever it is offered. actual: mineflayer
 *  answers only while configuring, from 1.20.3 on with an empty id, for which Paper and Velocity
 *  wait in vain (mineflayer #4043, #4104). remove when: both are closed. */
module.exports = function prompts (bot) {
  const client = bot._client
  const take = ({ uuid, hash }) => {
    for (const result of [ACCEPTED, LOADED]) client.write('resource_pack_receive', { uuid, hash, result })
  }
  client.on('add_resource_pack', take)
  client.on('resource_pack_send', take)
  client.on('cookie_request', ({ cookie: key }) => client.write('cookie_response', { key }))
}
