import type { Finding } from './check.ts';

/** One thing that is wrong. */
export interface Problem extends Finding {
  /** Which check found it. */
  check: string;
}

export type Report = (check: string, finding: Finding) => void;

export const FINDINGS_PER_CHECK = 20;

/** Gathers what is found, and of each check as much as a person reads. */
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
