const DONE = Promise.resolve()

/** Syncs that share: at most one runs at a time, and none where nothing was written since the last. */
export interface GroupedSyncs {
  /** To be called after each write. */
  wrote(): void
  /** Resolves once everything that was written before is synced. */
  synced(): Promise<void>
}

/** Groups calls of `sync`, which never rejects. Whoever comes while one runs shares the next, which covers their lines. */
export function groupSyncs(sync: () => Promise<void>): GroupedSyncs {
  let isDirty = false
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null

  function synced(): Promise<void> {
    if (!isDirty) return running ?? DONE
    if (running !== null) {
      next ??= running.then(() => {
        next = null
        return synced()
      })
      return next
    }
    isDirty = false
    running = sync().finally(() => {
      running = null
    })
    return running
  }

  return {
    wrote() {
      isDirty = true
    },
    synced,
  }
}
