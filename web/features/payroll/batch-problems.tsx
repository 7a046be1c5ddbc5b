import type { PayrollBatch } from '#contract/api.ts';
import { Notice } from '#web/ui/notice.tsx';
import { employeesWords } from './words.ts';

/** Failed lines, and people skipped before sending. */
export function BatchProblems({ batch }: { batch: PayrollBatch }) {
  const { status, failedCount, skippedCount, declined } = batch;
  if (declined !== null) {
    return (
      <Notice tone="critical">
        {`${declined.by} declined it. Nobody was paid. Reason: ${declined.reason}`}
      </Notice>
    );
  }
  if (status === 'failed') {
    return (
      <Notice tone="critical">There was an error processing the payroll. Nobody was paid.</Notice>
    );
  }
  if (failedCount > 0) {
    return (
      <Notice tone="critical">
        {`${employeesWords(failedCount)} could not be paid. Each failed line shows its reason.`}
      </Notice>
    );
  }
  if (skippedCount > 0) {
    return (
      <p className="meta">
        {`${employeesWords(skippedCount)} skipped. Each skipped line shows its reason.`}
      </p>
    );
  }
  return null;
}
