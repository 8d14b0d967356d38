// `npm run race [-- TRIES]`: second processes swap names for links while the built sandbox reads, writes, edits, lists and
// searches. Counts what came from outside or went there; ends with exit code 1 when anything did.
import { createSandbox } from '@kgent/sandbox'
import { attacker, startSwapping } from './attacker.mjs'
import { cleanUp, makePlace, outsideChanged } from './race-place.mjs'
import { foldersOf, readUnguarded, SWAPS, WORK } from './race-work.mjs'

const rounds = Object.entries(SWAPS).flatMap(([swap, namesOf]) =>
  Object.entries(WORK).map(([work, attempt]) => ({ swap, namesOf, work, attempt })),
)
const tries = Math.ceil(Number(process.argv[2] ?? 210_000) / rounds.length)

/** @type {Awaited<ReturnType<typeof race>>[]} */
const rows = []
for (const round of rounds) rows.push(await race(round))
const total = (/** @type {'tries' | 'reads' | 'writes'} */ key) =>
  rows.reduce((sum, row) => sum + row[key], 0)
const unguarded = { swap: 'folder', namesOf: foldersOf, work: 'read', attempt: readUnguarded }
const control = await race(unguarded)
print()
process.exit(process.platform === 'linux' && total('reads') + total('writes') > 0 ? 1 : 0)

/**
 * One kind of work while one kind of name is swapped.
 * @param {{ swap: string, namesOf: import('./race-work.mjs').NamesOf, work: string, attempt: import('./race-work.mjs').Attempt }} round
 */
async function race({ swap, namesOf, work, attempt }) {
  const place = makePlace()
  const sandbox = createSandbox({ mounts: [{ name: 'workspace', dir: place.workspace, mode: 'rw' }] })
  const swapping = await startSwapping(namesOf(place))
  const row = { swap, work, tries, answered: 0, reads: 0, writes: 0 }
  for (let index = 0; index < tries; index += 1) {
    const answer = await attempt(sandbox, { index, place })
    if (answer.ok) row.answered += 1
    if (JSON.stringify(answer).includes('CANARY')) row.reads += 1
  }
  await swapping.kill()
  row.writes = outsideChanged(place)
  sandbox.close()
  cleanUp(place)
  return row
}

function print() {
  const line = (/** @type {(string | number)[]} */ ...cells) =>
    console.log(
      cells.map((cell, at) => (at < 2 ? String(cell).padEnd(10) : String(cell).padStart(15))).join(''),
    )
  line('swapped', 'work', 'tries', 'answered', 'outside reads', 'outside writes')
  for (const { swap, work, ...numbers } of rows) line(swap, work, ...Object.values(numbers))
  line('total', '', total('tries'), '', total('reads'), total('writes'))
  console.log(
    `\nAttacker: ${attacker}. The same attack on “realpath, compare, read”: ${control.reads} of ${control.tries} reads came from outside.`,
  )
}
