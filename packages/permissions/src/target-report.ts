import type { PolicyWarning } from '@kgent/contracts'
import type { PolicyProblem } from './validate-rules.ts'

/** What rules say about things that are not there: stops the start where a rule can never match, else a remark. */
export interface TargetReport {
  problems: PolicyProblem[]
  warnings: PolicyWarning[]
}

export function joinReports(reports: readonly TargetReport[]): TargetReport {
  return {
    problems: reports.flatMap(({ problems }) => problems),
    warnings: reports.flatMap(({ warnings }) => warnings),
  }
}
