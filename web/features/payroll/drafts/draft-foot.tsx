import { useState } from 'react';
import type { Money as Amount } from '#contract/money.ts';
import type { PayrollBatch, PayrollPreview } from '#contract/api.ts';
import { addressOf, ApiError, call } from '#web/api/client.ts';
import { isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { SendQuestion } from '../send-payroll.tsx';
import { UnusualTotal, isUnusual } from '../unusual-total.tsx';
import type { DraftState, DraftWork } from './draft-work.ts';

interface DraftFootProps {
  state: DraftState;
  work: DraftWork;
  /** A field of the form that means nothing. */
  hasWrongField: boolean;
  onSent: (batch: PayrollBatch) => void;
  onClose: () => void;
  total: Amount;
}

/** Saves the draft, and reviews and sends it. */
export function DraftFoot({ state, work, total, ...props }: DraftFootProps) {
  const { draft } = state.loaded;
  const write = useMoments();
  const why = whyNot(state, props.hasWrongField);
  const [doubt, setDoubt] = useState<PayrollPreview>();
  const [preview, setPreview] = useState<PayrollPreview>();
  const [isReviewing, setReviewing] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const send = useMoneyMutation('adminSendPayrollDraft', {
    onSuccess: (batch) => {
      setPreview(undefined);
      props.onSent(batch);
    },
    onError: (error) => {
      if (isOutcomeUnknown(error)) return;
      setPreview(undefined);
      const message = errorMessage(error, 'Failed to process payroll');
      toast({ title: 'Payroll not sent', message, tone: 'critical' });
    },
  });

  // Not while it is saved by itself: a press at that moment would be lost.
  async function save(): Promise<void> {
    setSaving(true);
    if (await work.flush()) props.onClose();
    else setSaving(false);
  }

  async function review(): Promise<void> {
    setReviewing(true);
    try {
      if (!(await work.flush())) return;
      const made = await call('adminPreviewPayrollDraft', { params: { id: draft.id } });
      if (isUnusual(made)) setDoubt(made);
      else setPreview(made);
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
      <p className="meta num">{savedWords(state, write)} Nothing moves before the review.</p>
      <span className="pv__acts">
        <Button
          isPending={isSaving}
          pendingLabel="Saving"
          isDisabled={why !== undefined}
          onPress={() => void save()}
        >
          Save Draft
        </Button>
        <Button
          kind="money"
          isPending={isReviewing}
          pendingLabel="Reviewing"
          why={why}
          onPress={() => void review()}
        >
          Review Payroll <Money amount={total} />
        </Button>
      </span>
      {doubt !== undefined && (
        <UnusualTotal
          preview={doubt}
          hasOwnAmounts={draft.hasOwnAmounts}
          onClose={() => setDoubt(undefined)}
          onConfirm={() => {
            setPreview(doubt);
            setDoubt(undefined);
          }}
        />
      )}
      {preview !== undefined && (
        <SendQuestion
          question={{ order: draft, preview }}
          rehearsal={addressOf('adminRehearsePayrollDraft', { params: { id: draft.id } })}
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

function whyNot({ conflict, wrong }: DraftState, hasWrongField: boolean): string | undefined {
  if (conflict !== undefined) return 'Choose whose changes to keep first';
  if (wrong.size > 0) return 'Correct the amounts that are marked';
  return hasWrongField ? 'Correct the fields that are marked' : undefined;
}

function savedWords(
  { status, hasUnsaved, loaded: { draft } }: DraftState,
  write: ReturnType<typeof useMoments>,
): string {
  if (status === 'saving') return 'Saving.';
  return hasUnsaved ? 'Not saved yet.' : `Draft saved ${write(draft.changedAt, 'time')}.`;
}
