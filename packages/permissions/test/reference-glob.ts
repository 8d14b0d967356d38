/**
 * What globs mean, written down as plainly as possible and without the library: braces are written out, then segments
 * are compared one by one.
 */
export function referenceMatches(glob: string, path: string): boolean {
  return writeOut(glob).some((plain) => {
    const isLiteral = !/(?<!\\)[*?[]/.test(plain.replaceAll('\\\\', 'b'))
    return segmentsMatch([...plain.split('/'), ...(isLiteral ? ['**'] : [])], path.split('/'))
  })
}

function writeOut(glob: string): string[] {
  const match = /^((?:\\.|[^\\{])*)\{((?:\\.|[^\\{}])*)\}(.*)$/s.exec(glob)
  if (!match) return [glob]
  const [, before = '', inner = '', after = ''] = match
  const branches = [...`,${inner}`.matchAll(/,((?:\\.|[^\\,])*)/gs)].map(([, branch = '']) => branch)
  return branches.flatMap((branch) => writeOut(after).map((rest) => before + branch + rest))
}

function segmentsMatch(globs: readonly string[], names: readonly string[]): boolean {
  const [glob, ...globsAfter] = globs
  if (glob === undefined) return names.length === 0
  if (glob === '**')
    return segmentsMatch(globsAfter, names) || (names.length > 0 && segmentsMatch(globs, names.slice(1)))
  const [name, ...namesAfter] = names
  return name !== undefined && nameMatches(glob, name) && segmentsMatch(globsAfter, namesAfter)
}

function nameMatches(glob: string, name: string): boolean {
  if (glob === '') return name === ''
  if (glob[0] === '*')
    return nameMatches(glob.slice(1), name) || (name !== '' && nameMatches(glob, name.slice(1)))
  if (name === '') return false
  if (glob[0] === '?') return nameMatches(glob.slice(1), name.slice(1))
  if (glob[0] === '[') {
    const end = glob.indexOf(']')
    return (
      classHolds(glob.slice(1, end), name[0] as string) && nameMatches(glob.slice(end + 1), name.slice(1))
    )
  }
  const at = glob[0] === '\\' ? 1 : 0
  return glob[at] === name[0] && nameMatches(glob.slice(at + 1), name.slice(1))
}

function classHolds(members: string, char: string): boolean {
  const negated = /^[!^]/.test(members)
  const plain = negated ? members.slice(1) : members
  const holds = [...plain.matchAll(/(.)-(.)|(.)/g)].some(([, from, to, single]) =>
    from !== undefined && to !== undefined ? from <= char && char <= to : single === char,
  )
  return holds !== negated
}
