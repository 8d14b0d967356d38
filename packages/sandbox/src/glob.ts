import { fail, type Outcome, succeed } from '@kgent/contracts'
import picomatch from 'picomatch'

export type NameMatcher = (path: string) => boolean

/** A matcher for `glob` options: against the path below the folder, or against the name where the glob has no slash. */
export function compileGlob(glob: string | undefined, base: string): Outcome<NameMatcher> {
  if (glob === undefined) return succeed(() => true)
  try {
    const matches = picomatch(glob, { dot: true, basename: !glob.includes('/') })
    return succeed((path) => matches(path.slice(base.length + 1)))
  } catch {
    return fail('invalid_glob', 'The glob does not parse.', { hint: 'Write e.g. *.ts or src/**/*.md.' })
  }
}
