import { realpath } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { KgentError, type SkillProblem } from '@kgent/contracts'

/** A folder whose sub-folders are skills. */
export interface SkillRoot {
  /** Host path. */
  dir: string
  /** What places in messages begin with. Default: the folder's own name. */
  label?: string
  /** Say nothing when the folder does not exist. Default false: it is listed as a problem. */
  optional?: boolean
}

/** A root that exists, links resolved. */
export interface OpenRoot {
  /** Its place in the order of roots, from 0. */
  rank: number
  dir: string
  label: string
}

/** Resolves the roots; one that is missing, or was given before, is left out and said. */
export async function openRoots(
  roots: readonly SkillRoot[],
): Promise<{ open: OpenRoot[]; problems: SkillProblem[] }> {
  const open: OpenRoot[] = []
  const problems: SkillProblem[] = []
  for (const root of roots) {
    const label = labelOf(root)
    const dir = await realpath(root.dir).catch((thrown: NodeJS.ErrnoException) => thrown)
    if (dir instanceof Error) {
      if (dir.code === 'ENOENT' && root.optional) continue
      const why =
        dir.code === 'ENOENT' ? 'does not exist' : `cannot be opened (${dir.code ?? 'unknown fault'})`
      problems.push({ file: label, reason: `The skills folder ${why}.` })
    } else if (open.some((other) => other.dir === dir)) {
      problems.push({ file: label, reason: 'The same skills folder was given before.' })
    } else {
      open.push({ rank: open.length, dir, label })
    }
  }
  return { open, problems }
}

function labelOf({ dir, label }: SkillRoot): string {
  if (typeof dir !== 'string' || dir === '') {
    throw new KgentError('config_invalid', 'A skill root needs dir, the host path of a folder of skills.')
  }
  return label ?? (basename(resolve(dir)) || 'skills')
}
