/** What an operation answers: its value, or why not. It never rejects. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } }

/** The operations that the cases ask for. A kgent `Sandbox` has them all; for others a few lines of translation do. */
export interface SandboxUnderTest {
  readFile(path: string): Promise<Answer<{ readonly text: string }>>
  writeFile(path: string, content: string): Promise<Answer<unknown>>
  listFiles(
    path: string,
    options?: { recursive?: boolean },
  ): Promise<Answer<{ readonly entries: readonly { readonly path: string }[]; readonly truncated: boolean }>>
  grepFiles(
    pattern: string,
    options: { path?: string; glob?: string },
  ): Promise<
    Answer<{
      readonly matches: readonly { readonly path: string; readonly text: string }[]
      readonly truncated: boolean
    }>
  >
  close(): void | Promise<void>
}

/** The folders and bounds that a case wants. It can be given to `createSandbox` as it is. */
export interface SandboxSpec {
  /** `workspace` and `deliverables` (rw), `reference` (ro). */
  mounts: { name: string; dir: string; mode: 'ro' | 'rw' }[]
  limits: {
    maxReadBytes: number
    maxWriteBytes: number
    maxListEntries: number
    maxGrepMatches: number
    grepTimeoutMs: number
  }
}

/** What an implementation may lack. A case that needs what is set to false does not apply. Default: true, each. */
export interface SandboxCapabilities {
  /** Search takes regular expressions. */
  regex: boolean
  /** Mounts can be read-only. */
  readOnlyMounts: boolean
  /** Files with a second name are not read in a writable mount. */
  hardLinks: boolean
  /** A swap between looking and opening is excluded. */
  raceFree: boolean
}

/** An implementation, as the cases need it. */
export interface SandboxDriver {
  create(spec: SandboxSpec): SandboxUnderTest | Promise<SandboxUnderTest>
  capabilities?: Partial<SandboxCapabilities>
  /**
   * Address of a module (`file:///…/driver.mjs`) that exports the same `create`, for cases that need writers in processes of
   * their own. It must load in plain Node. Without it those cases do not apply.
   */
  module?: string
}

/** One thing that a sandbox must get right, for any test runner. */
export interface SandboxCase {
  /** Stable, for looking it up: `sandbox/links/dangling-write`. */
  readonly id: string
  /** A sentence about behaviour. */
  readonly name: string
  /** Why it cannot hold here: the implementation says so, or the machine lacks what the case is made of. */
  readonly notApplicable: string | null
  /** Rejects with an assertion that says what is wrong. */
  run(): Promise<void>
}

export interface SandboxCaseOptions {
  /** Tries of each race. Default 1,000. */
  tries?: number
  /** Kills of a writer. Default 5. */
  kills?: number
  /** Sizes of a hostile disk (200,000 entries, 20,000 files, 200 MB in a line) instead of a tenth. Default false. */
  full?: boolean
}
