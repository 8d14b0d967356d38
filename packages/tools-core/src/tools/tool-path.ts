import { z } from 'zod'

const MAX_PATH_CHARS = 4_096

/** A path field as every file tool takes it. The sandbox judges the path; only its size is bounded here. */
export function toolPath(what: string) {
  return z
    .string()
    .min(1, 'must not be empty: name a path such as workspace/notes.md')
    .max(MAX_PATH_CHARS, `must have at most ${MAX_PATH_CHARS} characters`)
    .describe(`${what}, as <folder>/<path>, e.g. workspace/notes.md; without a folder it is below workspace/`)
}
