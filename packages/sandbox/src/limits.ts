/** Bounds of what one operation reads, writes or returns. Every one that was hit is said in the result. */
export interface SandboxLimits {
  /** Bytes of one read window. Default 256 KiB. */
  maxReadBytes: number
  /** Lines of one read window. Default 2,000. */
  maxReadLines: number
  /** Characters of a line in a read window. Default 2,000. */
  maxLineChars: number
  /** Bytes of a file that is written or edited. Default 10 MiB. */
  maxWriteBytes: number
  /** Entries of a listing. Default 1,000. */
  maxListEntries: number
  /** Matches of a search. Default 500. */
  maxGrepMatches: number
  /** Characters of a matching line. Default 500. */
  maxGrepLineChars: number
  /** Time of a search in milliseconds. Default 10,000. */
  grepTimeoutMs: number
}

export const DEFAULT_SANDBOX_LIMITS: Readonly<SandboxLimits> = Object.freeze({
  maxReadBytes: 256 * 1024,
  maxReadLines: 2_000,
  maxLineChars: 2_000,
  maxWriteBytes: 10 * 1024 * 1024,
  maxListEntries: 1_000,
  maxGrepMatches: 500,
  maxGrepLineChars: 500,
  grepTimeoutMs: 10_000,
})
