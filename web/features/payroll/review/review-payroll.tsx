import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PayrollBatch, PayrollDraft, PayrollPreview } from '#contract/api.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { addressOf, ApiError, call } from '#web/api/client.ts';
import { isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { apiQuery } from '#web/api/query.ts';
import { ActBar } from '#web/kit/act-bar.tsx';
import { toastFailure } from '#web/kit/action.tsx';
import { ExportLink } from '#web/kit/export-link.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import {
  CheckedWords,
  DifferenceGroups,
  uncheckedWords,
  useAcknowledged,
} from '../differences.tsx';
import { EndedDraft } from '../drafts/draft-editor.tsx';
import { CONFIRM_PAID_AGAIN, PaidAgain } from '../paid-again.tsx';
import { PreviewTables, skippedWarning } from '../preview-tables.tsx';
import { readSentMeanwhile, type SentBatch } from '../sent-batch.ts';
import { SentBefore, StaleNotice } from '../sent-notices.tsx';
import { CONFIRM_TOTAL, isUnusual, UnusualTotal } from '../unusual-total.tsx';
import { DEPARTMENT_LABELS, employeesWords } from '../words.ts';
import { CompanyLimits, CostSum, passedWords } from './company-limits.tsx';
import { PayrollLead } from './payroll-lead.tsx';
import { SecondPerson, useNote } from './second-person.tsx';
import { WhatHappens } from './what-happens.tsx';
import './review.css';

interface ReviewProps {
  id: string;
  onSent: (batch: PayrollBatch) => void;
}

/** The last look at a draft: what differs from the last payroll, its limits, who confirms it, and the button that sends it. */
export function ReviewPayroll({ id, onSent }: ReviewProps) {
  const draft = useQuery(apiQuery('adminGetPayrollDraft', { params: { id } }));
  const version = draft.data?.version;
  const preview = useQuery({
    queryKey: previewKey(id, version),
    queryFn: ({ signal }) => call('adminPreviewPayrollDraft', { params: { id } }, { signal }),
    enabled: draft.data?.status === 'open',
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    retry: false,
  });
  if (draft.data !== undefined && draft.data.status !== 'open') {
    return <EndedDraft draft={draft.data} />;
  }
  if (draft.data === undefined || draft.isError) {
    return <LoadedQuery query={draft} what="the draft" lines={8} />;
  }
  if (preview.error instanceof ApiError) {
    return <RefusedReview draft={draft.data} why={preview.error.message} />;
  }
  if (preview.data === undefined) {
    return <LoadedQuery query={preview} what="the preview" lines={8} />;
  }
  return (
    <OpenReview
      draft={draft.data}
      preview={preview.data}
      isOld={preview.isPlaceholderData}
      onAgain={() => void preview.refetch()}
      onSent={onSent}
    />
  );
}

function previewKey(id: string, version: number | undefined) {
  return ['adminPreviewPayrollDraft', id, version] as const;
}

/** Says why a draft cannot be sent as it is. */
function RefusedReview({ draft, why }: { draft: PayrollDraft; why: string }) {
  return (
    <>
      <ScreenHead subtitle={draft.name} />
      <Notice tone="critical" role="alert">
        <p>{why}</p>
        <p className="mt-2">
          <BackToAmounts id={draft.id} />
        </p>
      </Notice>
    </>
  );
}

function BackToAmounts({ id }: { id: string }) {
  return (
    <LinkButton kind="quiet" href={`/admin/payroll?draft=${id}`}>
      Back to Amounts
    </LinkButton>
  );
}

interface OpenReviewProps extends Omit<ReviewProps, 'id'> {
  draft: PayrollDraft;
  preview: PayrollPreview;
  /** True while the preview of the newest version is on its way. */
  isOld: boolean;
  /** Makes another preview. */
  onAgain: () => void;
}

function OpenReview({ draft, preview, isOld, onAgain, onSent }: OpenReviewProps) {
  const { id, walletType } = draft;
  const { total, payableCount, differences, alreadyPaid, secondPerson } = preview;
  const queryClient = useQueryClient();
  const acknowledged = useAcknowledged(preview.hash, differences);
  // An answer counts for the preview that was shown.
  const [again, setAgain] = useState<string>();
  const [right, setRight] = useState<string>();
  const isAgain = again === alreadyPaid?.hash;
  const isRight = right === preview.hash;
  const [stale, setStale] = useState<SentBatch | null>();
  const note = useNote(draft, (saved) =>
    // The same people and amounts: the words of a note change no preview.
    queryClient.setQueryData(previewKey(id, saved.version), preview),
  );
  const send = useMoneyMutation('adminSendPayrollDraft', {
    onSuccess: onSent,
    onError: (error) => {
      if (isOutcomeUnknown(error)) return;
      const code = error instanceof ApiError ? error.problem.code : undefined;
      if (error instanceof ApiError && code === 'preview_stale') {
        setStale(readSentMeanwhile(error.problem));
      } else toastFailure('Payroll not sent', error, 'Failed to process payroll');
      onAgain();
    },
  });

  function whyNot(): string | undefined {
    if (isOld) return 'Making the preview';
    const open = passedWords(preview.limits) ?? uncheckedWords(acknowledged, 'send it');
    if (open !== undefined) return open;
    if (alreadyPaid !== null && !isAgain) return CONFIRM_PAID_AGAIN;
    return isUnusual(preview) && !isRight ? CONFIRM_TOTAL : undefined;
  }

  async function sendIt(): Promise<void> {
    if (!(await note.save())) return;
    const seen = { previewHash: preview.hash, alreadyPaidHash: alreadyPaid?.hash };
    send.mutate({ params: { id }, body: seen });
  }

  return (
    <>
      <PayrollLead
        title="Review Payroll"
        subtitle={`${draft.ownName ?? preview.batchName}, ${DEPARTMENT_LABELS[draft.department]}, ${employeesWords(payableCount)}`}
        label="To be paid"
        total={total}
      />
      <div className="review__notices">
        {stale !== undefined && <StaleNotice sent={stale} />}
        {stale === undefined && preview.recentBatch !== null && (
          <SentBefore batch={preview.recentBatch} />
        )}
        {differences !== null && preview.skippedCount > 0 && (
          <Notice tone="caution">{skippedWarning(preview, walletType)}</Notice>
        )}
        {alreadyPaid !== null && (
          <PaidAgain
            {...alreadyPaid}
            isConfirmed={isAgain}
            onConfirm={(isYes) => setAgain(isYes ? alreadyPaid.hash : undefined)}
          />
        )}
        {isUnusual(preview) && (
          <UnusualTotal
            preview={preview}
            isConfirmed={isRight}
            onConfirm={(isYes) => setRight(isYes ? preview.hash : undefined)}
          />
        )}
      </div>
      <div className="columns review">
        {differences === null ? (
          <section aria-label="Who is paid">
            <p className="muted">Nothing differs from the last payroll, or none was before it.</p>
            <PreviewTables preview={preview} walletType={walletType} />
          </section>
        ) : (
          <DifferenceGroups
            differences={differences}
            of={{ draft: id }}
            walletType={walletType}
            payroll={{ people: payableCount, total }}
            acknowledged={acknowledged}
            canCheck
          />
        )}
        <aside className="review__side" aria-label="About this payroll">
          <CostSum
            people={payableCount}
            wallet={WALLET_LABELS[walletType]}
            total={total}
            deducted={preview.deducted}
          />
          <CompanyLimits limits={preview.limits} secondPerson={secondPerson} total={total} />
          <SecondPerson secondPerson={secondPerson} groups={acknowledged.count} note={note} />
          <WhatHappens draft={draft} preview={preview} />
          <p>
            <ExportLink
              href={addressOf('adminRehearsePayrollDraft', { params: { id } })}
              label="Download Rehearsal"
            />
          </p>
        </aside>
      </div>
      <OutcomeNotice {...send.outcome} what="this payroll" where="under History" />
      <ActBar label="Send this payroll" what={<CheckedWords acknowledged={acknowledged} />}>
        <BackToAmounts id={id} />
        <Button
          kind="money"
          isPending={send.outcome.isSending}
          pendingLabel="Sending"
          why={whyNot()}
          onPress={() => void sendIt()}
        >
          Send Payroll <Money amount={total} />
        </Button>
      </ActBar>
    </>
  );
}
