import { lstatSync, opendirSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const PROBED_ENTRIES = 64

/** Whether the disk finds an entry of a folder, or the folder itself, under its name in the other case. */
export function ignoresCase(dir: string): boolean {
  const name = firstNameWithLetters(dir)
  if (name !== null) return isSame(join(dir, name), join(dir, otherCase(name)))
  const own = basename(dir)
  return otherCase(own) !== own && isSame(dir, join(dirname(dir), otherCase(own)))
}

/**
 * A name as the folder itself spells it, where a disk finds one entry under several (another case, another Unicode form, a
 * short form): rules are about that one. The name as given when nothing is there.
 */
export function realSpelling(folder: string, name: string): string {
  try {
    if (process.platform !== 'linux') return basename(realpathSync.native(`${folder}/${name}`))
    const names = readdirSync(folder)
    if (names.includes(name)) return name
    const wanted = lstatSync(`${folder}/${name}`)
    return names.find((other) => isEntry(lstatSync(`${folder}/${other}`), wanted)) ?? name
  } catch {
    return name
  }
}

function firstNameWithLetters(dir: string): string | null {
  try {
    const directory = opendirSync(dir)
    try {
      for (let seen = 0; seen < PROBED_ENTRIES; seen += 1) {
        const entry = directory.readSync()
        if (entry === null) return null
        if (otherCase(entry.name) !== entry.name) return entry.name
      }
    } finally {
      directory.closeSync()
    }
  } catch {
    // a folder that cannot be listed
  }
  return null
}

function otherCase(name: string): string {
  return name.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

function isSame(path: string, other: string): boolean {
  const mine = lstatSync(path, { throwIfNoEntry: false })
  const found = lstatSync(other, { throwIfNoEntry: false })
  return mine !== undefined && found !== undefined && isEntry(mine, found)
}

function isEntry(one: Stats, other: Stats): boolean {
  return one.ino === other.ino && one.dev === other.dev
}
