import type { Company } from './company.ts';

/** Refusals of a payroll with these lines, by the limits of the company now. */
export function passedLimits({ oracle }: Company, lines: readonly { minor: bigint }[]) {
  const { payrollLineLimit, payrollBatchLimit } = oracle.rules;
  const total = lines.reduce((sum, { minor }) => sum + minor, 0n);
  return [
    lines.some(({ minor }) => minor > payrollLineLimit) && 'payroll_line_limit',
    total > payrollBatchLimit && 'payroll_batch_limit',
  ];
}

/** True if the reply is one of these refusals. @throws Error for another reply where there are some */
export function isRefused(reply: unknown, refusals: readonly (string | false)[]): boolean {
  const expected = refusals.filter((code) => code !== false);
  if (expected.length === 0) return false;
  const { code } = reply as { code?: string };
  if (code !== undefined && expected.includes(code)) return true;
  throw new Error(`expected ${expected.join(' or ')}: ${JSON.stringify(reply)}`);
}
