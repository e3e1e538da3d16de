'use strict'
// Counts tokens: a JSON list of texts in, a JSON list of numbers out.
// Usage: node count_tokens.cjs FOLDER < texts.json, with the packages in FOLDER/node_modules.

const { createRequire } = require('node:module')
const { readFileSync } = require('node:fs')
const path = require('node:path')

const load = createRequire(path.join(process.argv[2], 'package.json'))
const { countTokens } = load('@anthropic-ai/tokenizer')

const texts = JSON.parse(readFileSync(0, 'utf8'))
process.stdout.write(JSON.stringify(texts.map(countTokens)))
