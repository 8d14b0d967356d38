/** A piece of a text that is replaced. */
export interface Replacement {
  start: number
  end: number
  newText: string
}

const CONTEXT = 3

/**
 * The unified diff of replacements, which are in order and do not overlap. It is made from what was replaced, so that its
 * cost is that of the text's length, however many places there are. Empty when nothing differs.
 */
export function unifiedDiff(path: string, before: string, replacements: readonly Replacement[]): string {
  const lines = linesOf(before)
  const changes = joined(
    touchedBlocks(lines, replacements).flatMap((block) => changeOf(before, lines, block) ?? []),
  )
  if (changes.length === 0) return ''
  const texts: string[] = [`--- ${path}\n+++ ${path}\n`]
  let shift = 0
  for (const hunk of hunksOf(changes)) {
    texts.push(hunkText(lines, hunk, shift))
    for (const { added, removed } of hunk) shift += added.length - removed.length
  }
  return texts.join('')
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Old lines that are touched by replacements: from `first` to before `stop`, which are characters `start` to `end`. */
interface Block {
  first: number
  stop: number
  start: number
  end: number
  replacements: Replacement[]
}

function touchedBlocks(lines: readonly string[], replacements: readonly Replacement[]): Block[] {
  const blocks: Block[] = []
  let line = 0
  let offset = 0
  for (const replacement of replacements) {
    let block = blocks.at(-1)
    if (!block || replacement.start >= block.end) {
      for (; offset + lengthOf(lines, line) <= replacement.start; line += 1) offset += lengthOf(lines, line)
      block = { first: line, stop: line, start: offset, end: offset, replacements: [] }
      blocks.push(block)
    }
    block.replacements.push(replacement)
    // A line that loses its end goes on with the next one.
    const reach = replacement.newText.endsWith('\n') ? replacement.end : replacement.end + 1
    for (; block.end < reach && block.stop < lines.length; block.stop += 1)
      block.end += lengthOf(lines, block.stop)
    line = block.stop
    offset = block.end
  }
  return blocks
}

function lengthOf(lines: readonly string[], line: number): number {
  return lines[line]?.length ?? Number.POSITIVE_INFINITY
}

/** Lines that stand in the place of others. */
interface Change {
  first: number
  removed: string[]
  added: string[]
}

/** What a block becomes, without the lines at its edges that stay as they were; null when all do. */
function changeOf(before: string, lines: readonly string[], block: Block): Change | null {
  let text = ''
  let at = block.start
  for (const { start, end, newText } of block.replacements) {
    text += before.slice(at, start) + newText
    at = end
  }
  const added = linesOf(text + before.slice(at, block.end))
  const removed = lines.slice(block.first, block.stop)
  let same = 0
  while (same < Math.min(added.length, removed.length) && added[same] === removed[same]) same += 1
  let sameAtEnd = 0
  const rest = Math.min(added.length, removed.length) - same
  while (sameAtEnd < rest && added.at(-1 - sameAtEnd) === removed.at(-1 - sameAtEnd)) sameAtEnd += 1
  const change = {
    first: block.first + same,
    removed: removed.slice(same, removed.length - sameAtEnd),
    added: added.slice(same, added.length - sameAtEnd),
  }
  return change.removed.length + change.added.length > 0 ? change : null
}

/** Changes without a line between them are one: all that goes comes before all that takes its place. */
function joined(changes: readonly Change[]): Change[] {
  const result: Change[] = []
  for (const change of changes) {
    const last = result.at(-1)
    if (last && last.first + last.removed.length === change.first) {
      for (const line of change.removed) last.removed.push(line)
      for (const line of change.added) last.added.push(line)
    } else result.push(change)
  }
  return result
}

/** Changes whose context would touch stand in one hunk. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = []
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1)
    if (last && change.first - (last.first + last.removed.length) <= CONTEXT * 2) hunks.at(-1)?.push(change)
    else hunks.push([change])
  }
  return hunks
}

function hunkText(lines: readonly string[], hunk: readonly Change[], shift: number): string {
  const from = Math.max(0, (hunk[0]?.first ?? 0) - CONTEXT)
  const texts: string[] = []
  let at = from
  let [old, now] = [0, 0]
  const keep = (until: number) => {
    old += until - at
    now += until - at
    for (; at < until; at += 1) texts.push(diffLine(' ', lines[at] ?? ''))
  }
  for (const { first, removed, added } of hunk) {
    keep(first)
    for (const line of removed) texts.push(diffLine('-', line))
    for (const line of added) texts.push(diffLine('+', line))
    old += removed.length
    now += added.length
    at += removed.length
  }
  keep(Math.min(lines.length, at + CONTEXT))
  return `@@ -${range(from, old)} +${range(from + shift, now)} @@\n${texts.join('')}`
}

function range(from: number, count: number): string {
  return `${count === 0 ? from : from + 1},${count}`
}

function diffLine(sign: ' ' | '-' | '+', line: string): string {
  return line.endsWith('\n') ? `${sign}${line}` : `${sign}${line}\n\\ No newline at end of file\n`
}
