import type { RunEvent } from '@kgent/contracts'

interface Seen {
  starts: number
  ends: number
  records: number
}

/** Calls whose three lines did not all turn up. */
export interface UnpairedCalls {
  /** Started and not ended: the process died, or the run still goes on. */
  interrupted: string[]
  /** Ended and not recorded. */
  unrecorded: string[]
  /** With more lines than one start, one record and one end. */
  surplus: string[]
}

/** Pairs the start, record and end of each call; holds only the calls that are not complete yet. */
export function createCallPairs() {
  const pending = new Map<string, Seen>()

  function count(callId: string, what: keyof Seen): void {
    const seen = pending.get(callId) ?? { starts: 0, ends: 0, records: 0 }
    seen[what] += 1
    if (seen.starts === 1 && seen.ends === 1 && seen.records === 1) pending.delete(callId)
    else pending.set(callId, seen)
  }

  return {
    seeEvent({ type, callId }: Pick<RunEvent, 'type' | 'callId'>): void {
      if (callId === undefined) return
      if (type === 'tool.call.start') count(callId, 'starts')
      if (type === 'tool.call.end') count(callId, 'ends')
    },
    seeRecord(callId: string): void {
      count(callId, 'records')
    },
    unpaired(): UnpairedCalls {
      const named = (fits: (seen: Seen) => boolean) =>
        [...pending].filter(([, seen]) => fits(seen)).map(([callId]) => callId)
      const isSurplus = ({ starts, ends, records }: Seen) => starts !== 1 || ends > 1 || records > 1
      return {
        interrupted: named((seen) => !isSurplus(seen) && seen.ends === 0),
        unrecorded: named((seen) => !isSurplus(seen) && seen.ends === 1),
        surplus: named(isSurplus),
      }
    },
  }
}
