import { useId } from 'react';
import { money } from '#contract/money.ts';
import { SaveDraft, StartDraft } from './drafts/start-draft.tsx';
import { useNewDraft } from './drafts/use-new-draft.ts';
import type { PayrollForm } from './payroll-form.ts';
import { PreviewSheet } from './preview-sheet.tsx';
import { SendForm } from './send-form.tsx';
import { usePreview } from './use-preview.ts';
import './payroll.css';

interface SendPayrollProps {
  payroll: PayrollForm;
  /** Opens a draft that was made. */
  onDraft: (draftId: string) => void;
  /** Opens the review of a draft that was made. */
  onReview: (draftId: string) => void;
  /** Called when the order was kept as a draft, which stays closed. */
  onSaved: () => void;
}

/** Form and preview. The order is kept as a draft, which is then reviewed and sent. */
export function SendPayroll({ payroll, onDraft, onReview, onSaved }: SendPayrollProps) {
  const formId = useId();
  const { order, ordered, amountMinor, currency } = payroll;
  const state = usePreview(order);
  const keep = useNewDraft((id) => {
    payroll.clear();
    onReview(id);
  });

  function review(): void {
    if (ordered === null || amountMinor === null || state.preview === undefined) return;
    if (state.isUpdating || state.error !== null) return;
    keep.mutate({ ...ordered, hasOwnAmounts: false, amount: money(amountMinor, currency) });
  }

  return (
    <div className="payroll-columns">
      <SendForm id={formId} payroll={payroll} preview={state.preview} onSubmit={review} />
      {payroll.isOwn || payroll.isChosen ? (
        <StartDraft payroll={payroll} onDraft={onDraft} />
      ) : (
        <PreviewSheet
          formId={formId}
          order={order}
          state={state}
          isPending={keep.isPending}
          otherwise={<SaveDraft payroll={payroll} onDraft={onSaved} />}
        />
      )}
    </div>
  );
}
