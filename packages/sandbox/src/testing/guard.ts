import assert from 'node:assert/strict'
import type { CaseTree } from './case-tree.ts'
import type { Answer, SandboxUnderTest } from './sandbox-driver.ts'

const MAX_MESSAGE = 4_000
/** Longer than any bounded answer of the cases. */
const MAX_ANSWER = 1_100_000
const ANSWER_WITHIN_MS = 30_000
const RAW_ERROR =
  /Cannot read propert|is not a function|undefined \(reading|must be of type|argument must|is not iterable|ERR_[A-Z_]+|\n\s+at .*:\d+/

/** Asks a sandbox and holds every answer against what holds for all of them: nothing from outside, no host path, bounded, clear. */
export class Guard {
  readonly #sandbox: SandboxUnderTest
  readonly #tree: CaseTree

  constructor(sandbox: SandboxUnderTest, tree: CaseTree) {
    this.#sandbox = sandbox
    this.#tree = tree
  }

  read(path: string) {
    return this.#ask(`read ${path}`, () => this.#sandbox.readFile(path))
  }

  write(path: string, content = 'written by the agent\n') {
    return this.#ask(`write ${path}`, () => this.#sandbox.writeFile(path, content))
  }

  list(path: string, options: { recursive?: boolean } = {}) {
    return this.#ask(`list ${path}`, () => this.#sandbox.listFiles(path, options))
  }

  grep(pattern: string, options: { path?: string; glob?: string } = {}) {
    const { path = 'workspace', glob = '' } = options
    return this.#ask(`search ${pattern} in ${path} ${glob}`, () =>
      this.#sandbox.grepFiles(pattern, { ...options, path }),
    )
  }

  async refusesToRead(...paths: string[]): Promise<void> {
    for (const path of paths) refused(await this.read(path), `read ${path}`)
  }

  async refusesToWrite(...paths: string[]): Promise<void> {
    for (const path of paths) refused(await this.write(path), `write ${path}`)
  }

  async refusesToList(...paths: string[]): Promise<void> {
    for (const path of paths) refused(await this.list(path), `list ${path}`)
  }

  /** The text that must be readable. */
  async reads(path: string): Promise<string> {
    return given(await this.read(path), `read ${path}`).text
  }

  async writes(path: string, content: string): Promise<void> {
    given(await this.write(path, content), `write ${path}`)
  }

  /** The paths that must be listed. */
  async lists(path: string, options: { recursive?: boolean } = {}): Promise<string[]> {
    return given(await this.list(path, options), `list ${path}`).entries.map((entry) => entry.path)
  }

  /** The paths in which something must be found. */
  async finds(pattern: string, options: { path?: string; glob?: string } = {}): Promise<string[]> {
    return given(await this.grep(pattern, options), `search ${pattern}`).matches.map((match) => match.path)
  }

  async #ask<T>(asked: string, operation: () => Promise<Answer<T>>): Promise<Answer<T>> {
    const answer = await answered(operation, brief(asked))
    const text = JSON.stringify(answer)
    assert.ok(!text.includes(this.#tree.canary), `${brief(asked)}: the answer holds content from outside`)
    if (!asked.includes(this.#tree.base))
      assert.ok(!text.includes(this.#tree.base), `${brief(asked)}: the answer holds a path of the host`)
    assert.ok(text.length <= MAX_ANSWER, `${brief(asked)}: the answer has ${text.length} characters`)
    if (!answer.ok) clear(answer.error.message, brief(asked))
    return answer
  }
}

/** A refusal that must be. */
export function refused(answer: Answer<unknown>, asked: string): void {
  assert.ok(!answer.ok, `${brief(asked)} must be refused, and was answered`)
}

/** The value of an answer that must be one. */
export function given<T>(answer: Answer<T>, asked: string): T {
  if (answer.ok) return answer.value
  assert.fail(`${brief(asked)} failed: ${answer.error.code}: ${answer.error.message}`)
}

async function answered<T>(operation: () => Promise<Answer<T>>, asked: string): Promise<Answer<T>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new assert.AssertionError({ message: `${asked}: no answer` })),
      ANSWER_WITHIN_MS,
    )
  })
  try {
    return await Promise.race([operation(), late])
  } catch (thrown) {
    if (thrown instanceof assert.AssertionError) throw thrown
    assert.fail(`${asked}: threw instead of answering: ${thrown}`)
  } finally {
    clearTimeout(timer)
  }
}

function clear(message: string, asked: string): void {
  assert.ok(message.length >= 5, `${asked}: the error says nothing: ${JSON.stringify(message)}`)
  assert.ok(message.length <= MAX_MESSAGE, `${asked}: the error has ${message.length} characters`)
  assert.doesNotMatch(message, RAW_ERROR, `${asked}: the error is an exception's own text`)
}

function brief(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
}
