import { FINDINGS_PER_CHECK } from './check.ts';
import type { Finding } from './check.ts';

/** One fault. */
export interface Problem extends Finding {
  /** Name of the check that found it. */
  check: string;
}

export type Report = (check: string, finding: Finding) => void;

/** Collects findings, at most 20 of each check, which is as much as a person reads. */
export function gatherProblems(): { problems: Problem[]; report: Report } {
  const problems: Problem[] = [];
  return {
    problems,
    report(check, finding) {
      const found = problems.filter((problem) => problem.check === check).length;
      if (found < FINDINGS_PER_CHECK) problems.push({ check, ...finding });
    },
  };
}
