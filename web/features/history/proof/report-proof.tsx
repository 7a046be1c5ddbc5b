import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import type { ProofReport } from './report.ts';

/** Sends a failed check to the admins. Their answer appears with the transaction. */
export function ReportProof({ report }: { report: ProofReport | null }) {
  const queryClient = useQueryClient();
  const task = useMutation({
    mutationFn: ({ event, body }: ProofReport) =>
      call('askQuestion', { params: { id: event }, body }),
    onSuccess: () => markStale(queryClient, 'questions'),
  });
  if (report === null) return null;
  if (task.isSuccess) {
    return (
      <p role="status">
        Reported. The answer appears in the details of the transaction, and you are notified.
      </p>
    );
  }
  return (
    <>
      {task.error !== null && (
        <p role="alert">{errorMessage(task.error, 'It was not reported. Please try again.')}</p>
      )}
      <Button
        isPending={task.isPending}
        pendingLabel="Reporting"
        onPress={() => task.mutate(report)}
      >
        Report this
      </Button>
    </>
  );
}
