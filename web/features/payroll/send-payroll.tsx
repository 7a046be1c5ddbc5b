import { useId, useState } from 'react';
import type { PayrollBatch, PayrollPreview } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { formatMoney } from '#contract/money.ts';
import type { Money as Amount } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { ApiError } from '#web/api/client.ts';
import { isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { useCompany } from '#web/lib/company.ts';
import { formatDay } from '#web/lib/format.ts';
import { ExportLink } from '#web/kit/export-link.tsx';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { CONFIRM_PAID_AGAIN, PaidAgain } from './paid-again.tsx';
import { DifferenceGroups, uncheckedWords, useAcknowledged } from './differences.tsx';
import type { PayrollForm, PayrollOrder } from './payroll-form.ts';
import { SaveDraft, StartDraft } from './drafts/start-draft.tsx';
import { PreviewSheet } from './preview-sheet.tsx';
import { skippedWarning } from './preview-tables.tsx';
import { readSentMeanwhile, sentWords } from './sent-batch.ts';
import { isSentMeanwhile, type Stale } from './sent-notices.tsx';
import { SendForm } from './send-form.tsx';
import { UnusualTotal, isUnusual } from './unusual-total.tsx';
import { usePreview } from './use-preview.ts';
import { employeesWords, sendingWords } from './words.ts';
import './payroll.css';

/** The order to confirm, and the preview that the admin saw. */
interface Question<Order = PayrollOrder> {
  order: Order;
  preview: PayrollPreview;
}

interface SendPayrollProps {
  payroll: PayrollForm;
  onSent: (batch: PayrollBatch) => void;
  /** Opens a draft that was made. */
  onDraft: (draftId: string) => void;
  /** Called when the order was kept as a draft, which stays closed. */
  onSaved: () => void;
}

/**
 * Form, preview and confirmation. The hash of the preview is sent, so that only the reviewed
 * payroll is paid.
 */
export function SendPayroll({ payroll, onSent, onDraft, onSaved }: SendPayrollProps) {
  const formId = useId();
  const { order } = payroll;
  const state = usePreview(order);
  const [question, setQuestion] = useState<Question>();
  const [doubt, setDoubt] = useState<Question>();
  const [lastStale, setStale] = useState<Stale>();
  const stale = lastStale?.order === JSON.stringify(order) ? lastStale : undefined;

  const send = useMoneyMutation('adminSendPayroll', {
    onSuccess: (batch) => {
      setQuestion(undefined);
      setStale(undefined);
      payroll.clear();
      onSent(batch);
    },
    onError: (error) => {
      // The question stays open and says so. Pressing again repeats the same request.
      if (isOutcomeUnknown(error)) return;
      setQuestion(undefined);
      if (error instanceof ApiError && error.problem.code === 'already_paid') {
        toast({ title: 'Payroll not sent', message: error.message, tone: 'critical' });
        state.refresh();
        return;
      }
      if (error instanceof ApiError && error.problem.code === 'preview_stale') {
        const sent = readSentMeanwhile(error.problem);
        setStale({ order: JSON.stringify(order), sent });
        // A batch sent since the preview must be reviewed before there is a new preview to confirm.
        if (sent === null) state.refresh();
        return;
      }
      toast({ title: 'Error', message: 'Failed to process payroll', tone: 'critical' });
    },
  });

  function ask(): void {
    if (order === null || state.preview === undefined || isSentMeanwhile(stale)) return;
    if (state.isUpdating || state.error !== null) return;
    const next = { order, preview: state.preview };
    if (isUnusual(next.preview)) setDoubt(next);
    else setQuestion(next);
  }

  return (
    <div className="payroll-columns">
      <SendForm id={formId} payroll={payroll} preview={state.preview} onSubmit={ask} />
      {payroll.isOwn || payroll.isChosen ? (
        <StartDraft payroll={payroll} onDraft={onDraft} />
      ) : (
        <PreviewSheet
          formId={formId}
          order={order}
          state={state}
          stale={stale}
          otherwise={<SaveDraft payroll={payroll} onDraft={onSaved} />}
          onReview={() => {
            setStale(undefined);
            state.refresh();
          }}
        />
      )}
      {doubt !== undefined && (
        <UnusualTotal
          preview={doubt.preview}
          onClose={() => setDoubt(undefined)}
          onConfirm={() => {
            setDoubt(undefined);
            setQuestion(doubt);
          }}
        />
      )}
      {question !== undefined && (
        <SendQuestion
          question={question}
          form={question.order}
          outcome={send.outcome}
          onClose={() => setQuestion(undefined)}
          onConfirm={() =>
            send.mutate({
              body: {
                ...question.order,
                previewHash: question.preview.hash,
                alreadyPaidHash: question.preview.alreadyPaid?.hash,
              },
            })
          }
        />
      )}
    </div>
  );
}

/** What is paid: the same to each, or each person's own amount where `amount` is null. */
type Asked = Pick<PayrollOrder, 'walletType'> & {
  /** Of a draft. */
  id?: string;
  amount: Amount | null;
  payOn?: string | null | undefined;
};

interface SendQuestionProps {
  question: Question<Asked>;
  /** The order of the form; left out for a draft. */
  form?: PayrollOrder;
  /** Address of every line as it would be, of a draft. */
  rehearsal?: string;
  /** Progress of the request. */
  outcome: { isSending: boolean; isUnknown: boolean };
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before a payroll is sent, with what it pays and what was paid to the same people. */
export function SendQuestion({
  question: { order, preview },
  form,
  rehearsal,
  outcome,
  onClose,
  onConfirm,
}: SendQuestionProps) {
  const { total, payableCount, skippedCount, recentBatch } = preview;
  const write = useMoments();
  const [now] = useState(() => new Date());
  const [isAgain, setAgain] = useState(false);
  const { alreadyPaid } = preview;
  const { timeZone } = useCompany();
  const acknowledged = useAcknowledged(preview.hash, preview.differences);
  return (
    <ConfirmDialog
      isOpen
      title="Send this payroll?"
      kind="money"
      keepLabel="Keep Editing"
      confirmLabel={`Send ${formatMoney(total)}`}
      isPending={outcome.isSending}
      pendingLabel="Sending"
      isWide={preview.differences !== null}
      why={
        uncheckedWords(acknowledged) ??
        (alreadyPaid !== null && !isAgain ? CONFIRM_PAID_AGAIN : undefined)
      }
      onClose={onClose}
      onConfirm={onConfirm}
    >
      <p>
        <span className="strong">
          <Money amount={total} />
        </span>{' '}
        to <span className="strong">{employeesWords(payableCount)}</span>,{' '}
        {order.amount === null ? (
          'each their own amount'
        ) : (
          <>
            <Money amount={order.amount} /> each
          </>
        )}
        , into their {WALLET_LABELS[order.walletType]}
        {order.payOn != null && `, on ${formatDay(order.payOn, 'weekday')}`}.
      </p>
      {skippedCount > 0 && <p className="mt-2">{skippedWarning(preview, order.walletType)}</p>}
      {recentBatch !== null && (
        <div className="mt-4">
          <Notice tone="caution">{sentWords(recentBatch, write, now)}</Notice>
        </div>
      )}
      {preview.differences !== null && (
        <DifferenceGroups
          differences={preview.differences}
          of={form === undefined ? { draft: order.id ?? '' } : { order: form }}
          walletType={order.walletType}
          payroll={{ people: payableCount, total }}
          acknowledged={acknowledged}
          canCheck
        />
      )}
      {alreadyPaid !== null && (
        <PaidAgain {...alreadyPaid} isConfirmed={isAgain} onConfirm={setAgain} />
      )}
      <p className="muted mt-2">{sendingWords(preview, order.payOn, dayIn(timeZone, now))}</p>
      {rehearsal !== undefined && (
        <p className="mt-4">
          <ExportLink href={rehearsal} label="Download Rehearsal" />
        </p>
      )}
      <OutcomeNotice {...outcome} what="this payroll" where="under History" />
    </ConfirmDialog>
  );
}
