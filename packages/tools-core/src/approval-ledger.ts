const MAX_PENDING = 1_000

/**
 * The asks of this process that wait for an answer. A grant counts for one call (framework id, tool and input hash),
 * for something that was asked here, and once: an approval that a client made up finds nothing.
 */
export class ApprovalLedger {
  readonly #pending = new Map<string, string>()

  /** Remembers an ask; asking again about the same call changes nothing. Returns whether it is new. */
  open(key: string, callId: string): boolean {
    if (this.#pending.has(key)) return false
    if (this.#pending.size >= MAX_PENDING) this.#forgetOldest()
    this.#pending.set(key, callId)
    return true
  }

  /** Uses an ask up. Null when there is none: the approval is forged, for other arguments, or was used before. */
  redeem(key: string): string | null {
    const callId = this.#pending.get(key) ?? null
    this.#pending.delete(key)
    return callId
  }

  #forgetOldest(): void {
    for (const key of this.#pending.keys()) {
      this.#pending.delete(key)
      return
    }
  }
}
