import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Money as Amount } from '#contract/money.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { useMoments } from '#web/ui/time.tsx';
import type { DraftState, DraftWork } from './draft-work.ts';

interface DraftFootProps {
  state: DraftState;
  work: DraftWork;
  /** A field of the form that means nothing. */
  hasWrongField: boolean;
  onClose: () => void;
  total: Amount;
}

/** Saves the draft, and leads to its review. */
export function DraftFoot({ state, work, total, ...props }: DraftFootProps) {
  const { draft } = state.loaded;
  const write = useMoments();
  const why = whyNot(state, props.hasWrongField);
  const navigate = useNavigate();
  const [isReviewing, setReviewing] = useState(false);
  const [isSaving, setSaving] = useState(false);

  // Not while it is saved by itself: a press at that moment would be lost.
  async function save(): Promise<void> {
    setSaving(true);
    if (await work.flush()) props.onClose();
    else setSaving(false);
  }

  async function review(): Promise<void> {
    setReviewing(true);
    if (await work.flush())
      await navigate({ to: '/admin/payroll/review', search: { draft: draft.partOf ?? draft.id } });
    setReviewing(false);
  }

  return (
    <div className="spread preview__foot pv__foot">
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
          pendingLabel="Saving"
          why={why}
          onPress={() => void review()}
        >
          Review Payroll <Money amount={total} />
        </Button>
      </span>
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
