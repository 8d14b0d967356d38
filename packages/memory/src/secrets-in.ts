/** Names the kinds of secrets that a text seems to hold; none: an empty list. */
export type ScanSecrets = (text: string) => Promise<string[]> | string[]

/** The kinds of secrets in some texts, sorted. A scan that fails counts as a finding: nobody looked. */
export async function secretsIn(texts: readonly string[], scan: ScanSecrets | undefined): Promise<string[]> {
  if (!scan) return []
  try {
    const found = await scan(texts.join('\n'))
    return [...new Set(found)].sort()
  } catch {
    return ['scan-failed']
  }
}
