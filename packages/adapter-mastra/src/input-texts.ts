const MAX_KEPT = 1_000

/**
 * The inputs of calls as the model writes them. Mastra mends broken JSON by guess or takes it for `{}`, and would run a
 * tool with that; so the text is kept until the call runs, and one that is no JSON goes to the core in its place.
 */
export class InputTexts {
  readonly #texts = new Map<string, string>()

  start(toolCallId: string): void {
    this.#texts.delete(toolCallId)
    this.#texts.set(toolCallId, '')
    const oldest = this.#texts.keys().next().value
    if (this.#texts.size > MAX_KEPT && oldest !== undefined) this.#texts.delete(oldest)
  }

  add(toolCallId: string, delta: string): void {
    const text = this.#texts.get(toolCallId)
    if (text !== undefined) this.#texts.set(toolCallId, text + delta)
  }

  /** Forgets a text unless it is broken, which it tells. */
  check(toolCallId: string): boolean {
    const isFine = isJson(this.#texts.get(toolCallId) ?? '')
    if (isFine) this.#texts.delete(toolCallId)
    return !isFine
  }

  /** The text of a call that is no JSON, once; else undefined. */
  takeBroken(toolCallId: string): string | undefined {
    const text = this.check(toolCallId) ? this.#texts.get(toolCallId) : undefined
    this.#texts.delete(toolCallId)
    return text
  }
}

/** No text at all counts as no arguments. */
function isJson(text: string): boolean {
  if (text.trim() === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
