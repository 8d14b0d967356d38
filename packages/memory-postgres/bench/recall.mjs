// How long recalling takes among 100,000 items of one scope, on a PostgreSQL that this script starts.
// Needs built packages: `npx turbo run build:js && node packages/memory-postgres/bench/recall.mjs [ITEMS]`.
import { fileURLToPath } from 'node:url'
import { createPostgresMemoryClient, migrate } from '@kgent/memory-postgres'
import pg from 'pg'
import { runnerImport } from 'vite'

const ITEMS = Number(process.argv[2] ?? 100_000)
const CALLS = 200
const { module: starter } = await runnerImport(
  fileURLToPath(new URL('../test/postgres-server.ts', import.meta.url)),
)

const server = await starter.startPostgres()
const client = createPostgresMemoryClient({ connectionString: server.url() })
const admin = new pg.Client({ connectionString: server.url() })
try {
  await migrate(client)
  await admin.connect()
  await fill()
  console.log(`${ITEMS} items of about 12 words in one scope, ${CALLS} calls each, milliseconds`)
  await measure('a word in 1 item', (call) => `w${word(call * 397)}`.replace(/^w/, 'only'))
  await measure('a word in about 1 % of the items', (call) => word(call % 40))
  await measure('a word in every item', () => 'project')
  await measure('two words together', (call) => `${word(call % 40)} ${word((call * 7) % 40)}`)
  await measure('a word with a slip', (call) => slipped(word(call % 400)))
  await measure('a question of seven words', (call) => `what does the project say about ${word(call % 400)}`)
  await measure('a word in no item', (call) => `xyzzyq${call}`)
} finally {
  await client.close()
  await admin.end()
  await server.remove()
}

/** A made-up word of four syllables; low numbers are the frequent ones. */
function word(number) {
  const syllables = [
    'ba',
    'ke',
    'li',
    'mo',
    'nu',
    'ra',
    'se',
    'ti',
    'vo',
    'zu',
    'da',
    'fe',
    'gi',
    'ho',
    'ju',
    'pa',
  ]
  let text = ''
  for (let rest = (number + 1) * 2_654_435, at = 0; at < 4; at++, rest = Math.floor(rest / 16))
    text += syllables[rest % 16]
  return text
}

function slipped(text) {
  return `${text.slice(0, 3)}${text[4]}${text[3]}${text.slice(5)}`
}

async function fill() {
  const random = seeded(7)
  const contents = Array.from({ length: ITEMS }, (_, item) => {
    // Word n is about 1/n as frequent as the first, as in real text.
    const words = Array.from({ length: 10 }, () => word(Math.floor(5_000 ** random()) - 1))
    return `project ${words.join(' ')} only${word(item)}`
  })
  for (let start = 0; start < ITEMS; start += 5_000) {
    await admin.query(
      `insert into kgent_memory.item (scope, content, tags, key, metadata)
       select 'bench', content, '{}', md5(content || ordinality || $2), '{}' from unnest($1::text[]) with ordinality content`,
      [contents.slice(start, start + 5_000), String(start)],
    )
  }
  await admin.query('analyze kgent_memory.item')
}

async function measure(name, query) {
  const times = []
  let found = 0
  for (let call = 0; call < CALLS; call++) {
    const start = performance.now()
    found += (await client.recallMemory(query(call), 'bench', 10)).length
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.floor(CALLS * share)].toFixed(1).padStart(7)
  console.log(`${name.padEnd(36)} p50${at(0.5)}  p95${at(0.95)}  items found ${(found / CALLS).toFixed(1)}`)
}

function seeded(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
