import { fail, type Outcome, succeed } from '@kgent/contracts'
import { RE2JS } from 're2js'
import { globExpression } from './glob-expression.ts'
import { syntaxError } from './syntax-error.ts'

export type NameMatcher = (path: string) => boolean

/**
 * A matcher for `glob` options: against the path below the folder, or against the name where the glob has no slash.
 * A leading `!` means everything else.
 */
export function compileGlob(glob: string | undefined, base: string): Outcome<NameMatcher> {
  if (glob === undefined) return succeed(() => true)
  try {
    const isNegated = glob.startsWith('!')
    const compiled = RE2JS.compile(globExpression(isNegated ? glob.slice(1) : glob), RE2JS.DOTALL)
    const start = base.length + 1
    const isName = !glob.includes('/')
    return succeed((path) => {
      const name = isName ? path.slice(path.lastIndexOf('/') + 1) : path.slice(start)
      return compiled.matches(name) !== isNegated
    })
  } catch (thrown) {
    return fail('invalid_glob', `The glob does not parse: ${syntaxError(thrown)}.`, {
      hint: 'Write e.g. *.ts, src/**/*.md or *.{js,ts}.',
    })
  }
}
