/** The first program of a README and the output that it claims: a `ts` block followed by a `text` block. */
export function programOf(readme: string): { code: string; output: string; line: number } | null {
  const match = /```ts\n([\s\S]*?)```\n+```text\n([\s\S]*?)```/.exec(readme)
  if (!match?.[1] || match[2] === undefined) return null
  return { code: match[1], output: match[2], line: readme.slice(0, match.index).split('\n').length }
}
