import { useState } from 'react';
import type { PayrollBatch, PayrollDraft, PayrollPreview } from '#contract/api.ts';
import { ApiError, call } from '#web/api/client.ts';
import { isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { SendQuestion } from '../send-payroll.tsx';
import type { DraftState } from './use-draft.ts';

interface DraftFootProps {
  draft: PayrollDraft;
  state: DraftState;
  onSent: (batch: PayrollBatch) => void;
  onClose: () => void;
  total: PayrollDraft['total'];
  wrongCount: number;
}

/** Saves the draft, and reviews and sends it. */
export function DraftFoot({ draft, state, onSent, onClose, total, wrongCount }: DraftFootProps) {
  const write = useMoments();
  const [preview, setPreview] = useState<PayrollPreview>();
  const [isReviewing, setReviewing] = useState(false);
  const send = useMoneyMutation('adminSendPayrollDraft', {
    onSuccess: (batch) => {
      setPreview(undefined);
      onSent(batch);
    },
    onError: (error) => {
      if (isOutcomeUnknown(error)) return;
      setPreview(undefined);
      const message = errorMessage(error, 'Failed to process payroll');
      toast({ title: 'Payroll not sent', message, tone: 'critical' });
    },
  });

  async function review(): Promise<void> {
    setReviewing(true);
    try {
      if (!(await state.saveNow())) return;
      setPreview(await call('adminPreviewPayrollDraft', { params: { id: draft.id } }));
    } catch (error) {
      const message =
        error instanceof ApiError ? error.message : 'The preview could not be made. Try again.';
      toast({ title: 'Payroll not ready', message, tone: 'critical' });
    } finally {
      setReviewing(false);
    }
  }

  return (
    <div className="preview__foot pv__foot">
      <p className="meta num">{savedWords(state, draft, write)} Nothing moves before the review.</p>
      <span className="pv__acts">
        <Button
          isPending={state.isSaving}
          pendingLabel="Saving"
          onPress={() => void state.saveNow().then((isSaved) => isSaved && onClose())}
        >
          Save Draft
        </Button>
        <Button
          kind="money"
          isPending={isReviewing}
          pendingLabel="Reviewing"
          why={whyNot(wrongCount, state)}
          onPress={() => void review()}
        >
          Review Payroll <Money amount={total} />
        </Button>
      </span>
      {preview !== undefined && (
        <SendQuestion
          question={{ order: draft, preview }}
          outcome={send.outcome}
          onClose={() => setPreview(undefined)}
          onConfirm={() =>
            send.mutate({
              params: { id: draft.id },
              body: { previewHash: preview.hash, alreadyPaidHash: preview.alreadyPaid?.hash },
            })
          }
        />
      )}
    </div>
  );
}

function whyNot(wrongCount: number, { conflict }: DraftState): string | undefined {
  if (conflict !== undefined) return 'Choose whose changes to keep first';
  return wrongCount > 0 ? 'Correct the amounts that are marked' : undefined;
}

function savedWords(
  { isSaving, hasPending }: DraftState,
  { changedAt }: PayrollDraft,
  write: ReturnType<typeof useMoments>,
): string {
  if (isSaving) return 'Saving.';
  return hasPending ? 'Not saved yet.' : `Draft saved ${write(changedAt, 'time')}.`;
}
