/** One thing to say about a `SKILL.md`: an `error` makes the skill unusable, a `remark` does not. */
export interface SkillFinding {
  severity: 'error' | 'remark'
  message: string
  /** Line of the file, from 1; null where the finding is about the file or folder as such. */
  line: number | null
}

/** A finding as one sentence with its line. */
export function findingText({ message, line }: SkillFinding): string {
  return line === null ? message : `Line ${line}: ${message}`
}

/** A finding that makes the skill unusable. */
export function errorAt(line: number | null, message: string): SkillFinding {
  return { severity: 'error', message, line }
}

/** A finding that an author should mend; the skill stays usable. */
export function remarkAt(line: number | null, message: string): SkillFinding {
  return { severity: 'remark', message, line }
}
