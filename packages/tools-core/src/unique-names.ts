import { KgentError } from '@kgent/contracts'

/**
 * For adapters, before they hand tools to a framework: of two tools with one name, frameworks run one and tell the model
 * of the other.
 *
 * **Throws:** `KgentError` (`duplicate_tool`) when two tools have one name.
 */
export function requireUniqueNames(tools: readonly { readonly name: string }[]): void {
  const names = new Set<string>()
  for (const { name } of tools) {
    if (names.has(name))
      throw new KgentError(
        'duplicate_tool',
        `Two tools are named ${name}. Rename one, or leave it out of the list.`,
      )
    names.add(name)
  }
}
