import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useState } from 'react';
import type { PayrollBatch, PayrollDraft, PayrollPreview } from '#contract/api.ts';
import { WALLET_LABELS, type WalletType } from '#contract/wallets.ts';
import { addressOf, ApiError, call } from '#web/api/client.ts';
import { isDefinitive, isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { ActBar } from '#web/kit/act-bar.tsx';
import { toastFailure } from '#web/kit/action.tsx';
import { ExportLink } from '#web/kit/export-link.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import {
  CheckedWords,
  DifferenceGroups,
  uncheckedWords,
  useAcknowledged,
  type AcknowledgedState,
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
  const preview = useQuery({
    queryKey: previewKey(id, draft.data),
    queryFn: ({ signal }) => call('adminPreviewPayrollDraft', { params: { id } }, { signal }),
    enabled: draft.data?.status === 'open',
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
    retry: false,
  });
  return (
    <LoadedQuery query={draft} what="the draft" lines={8}>
      {(loaded) =>
        loaded.status === 'open' ? (
          <PreviewedDraft draft={loaded} preview={preview} onSent={onSent} />
        ) : (
          <EndedDraft draft={loaded} />
        )
      }
    </LoadedQuery>
  );
}

/** Also the versions of the parts, which others may change. */
function previewKey(id: string, draft: PayrollDraft | undefined) {
  const versions = draft?.wallets.map((wallet) => `${wallet.id} ${wallet.version}`);
  return ['adminPreviewPayrollDraft', id, draft?.version, versions] as const;
}

interface PreviewedDraftProps extends Omit<ReviewProps, 'id'> {
  draft: PayrollDraft;
  preview: UseQueryResult<PayrollPreview>;
}

/** Preview of an open draft. One that cannot be made again leaves the last one on screen, with the note and what was checked. */
function PreviewedDraft({ draft, preview, onSent }: PreviewedDraftProps) {
  const [last, setLast] = useState(preview.data);
  if (preview.data !== undefined && preview.data !== last) setLast(preview.data);
  const shown = preview.data ?? last;
  const { error } = preview;
  const problem =
    error !== null &&
    (isDefinitive(error) ? (
      <RefusedNotice draft={draft} why={errorMessage(error, 'Please try again.')} />
    ) : (
      <QueryError query={preview} what="the preview" />
    ));
  if (shown === undefined) {
    return (
      <>
        <ScreenHead subtitle={draft.name} />
        {problem || <Skeleton lines={8} label="Loading the preview" />}
      </>
    );
  }
  return (
    <>
      {problem}
      <OpenReview
        draft={draft}
        preview={shown}
        whyOld={whyNotNewest(preview)}
        onAgain={() => void preview.refetch()}
        onSent={onSent}
      />
    </>
  );
}

function whyNotNewest({ error, isPlaceholderData }: UseQueryResult): string | undefined {
  if (error !== null) return 'The preview could not be made';
  return isPlaceholderData ? 'Making the preview' : undefined;
}

/** Says why a draft cannot be sent as it is. */
function RefusedNotice({ draft, why }: { draft: PayrollDraft; why: string }) {
  return (
    <Notice tone="critical" role="alert">
      <p>{why}</p>
      <p className="mt-2">
        <BackToAmounts id={draft.id} />
      </p>
    </Notice>
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
  /** Reason why the preview is not that of the newest version. */
  whyOld: string | undefined;
  /** Makes another preview. */
  onAgain: () => void;
}

function OpenReview({ draft, preview, whyOld, onAgain, onSent }: OpenReviewProps) {
  const { id } = draft;
  const { total, employeeCount, alreadyPaid, secondPerson } = preview;
  const isOfSeveral = preview.wallets.length > 0;
  const wallets = isOfSeveral
    ? preview.wallets
    : [{ ...preview, draftId: id, walletType: draft.walletType }];
  const people = isOfSeveral ? employeeCount : preview.payableCount;
  const unusual = wallets.filter(isUnusual);
  const queryClient = useQueryClient();
  const acknowledged = useAcknowledged(wallets);
  // An answer counts for the preview that was shown.
  const [again, setAgain] = useState<string>();
  const [right, setRight] = useState<ReadonlySet<string>>(new Set());
  const isAgain = again === alreadyPaid?.hash;
  const [stale, setStale] = useState<SentBatch | null>();
  const note = useNote(draft, (saved) =>
    // The same people and amounts: the words of a note change no preview.
    queryClient.setQueryData(previewKey(id, saved), preview),
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
    if (whyOld !== undefined) return whyOld;
    const open = passedWords(preview.limits) ?? uncheckedWords(acknowledged, 'send it');
    if (open !== undefined) return open;
    if (alreadyPaid !== null && !isAgain) return CONFIRM_PAID_AGAIN;
    return unusual.every(({ hash }) => right.has(hash)) ? undefined : CONFIRM_TOTAL;
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
        subtitle={`${draft.ownName ?? preview.batchName}, ${DEPARTMENT_LABELS[draft.department]}, ${employeesWords(people)}`}
        label="To be paid"
        total={total}
      />
      <div className="review__notices">
        {stale !== undefined && <StaleNotice sent={stale} />}
        {stale === undefined &&
          wallets.map(
            ({ recentBatch, walletType }) =>
              recentBatch !== null && <SentBefore key={walletType} batch={recentBatch} />,
          )}
        {wallets.map(
          (wallet) =>
            wallet.differences !== null &&
            wallet.skippedCount > 0 && (
              <Notice key={wallet.walletType} tone="caution">
                {skippedWarning(wallet, wallet.walletType)}
              </Notice>
            ),
        )}
        {alreadyPaid !== null && (
          <PaidAgain
            {...alreadyPaid}
            isConfirmed={isAgain}
            onConfirm={(isYes) => setAgain(isYes ? alreadyPaid.hash : undefined)}
          />
        )}
        {unusual.map((wallet) => (
          <UnusualTotal
            key={wallet.walletType}
            preview={wallet}
            isConfirmed={right.has(wallet.hash)}
            onConfirm={(isYes) =>
              setRight((before) => {
                const after = new Set(before);
                if (isYes) after.add(wallet.hash);
                else after.delete(wallet.hash);
                return after;
              })
            }
          />
        ))}
      </div>
      <div className="columns review">
        <div className="review__main">
          {wallets.map((wallet) => (
            <WalletReview
              key={wallet.walletType}
              wallet={wallet}
              acknowledged={acknowledged}
              isOneOfSeveral={isOfSeveral}
            />
          ))}
        </div>
        <aside className="review__side" aria-label="About this payroll">
          <CostSum
            wallets={wallets.map(({ payableCount, ...wallet }) => ({
              ...wallet,
              people: payableCount,
            }))}
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

interface WalletReviewProps {
  wallet: Omit<PayrollPreview, 'wallets'> & { draftId: string; walletType: WalletType };
  acknowledged: AcknowledgedState;
  isOneOfSeveral: boolean;
}

/** One type of wallet: what differs from its last payroll, or who is paid where nothing does. */
function WalletReview({ wallet, acknowledged, isOneOfSeveral }: WalletReviewProps) {
  const { draftId, walletType, hash, differences, payableCount, total } = wallet;
  if (differences === null) {
    const name = isOneOfSeveral ? `Who is paid, ${WALLET_LABELS[walletType]}` : 'Who is paid';
    return (
      <section aria-label={name}>
        {isOneOfSeveral && <h2 className="section-title">{WALLET_LABELS[walletType]}</h2>}
        <p className="muted">Nothing differs from the last payroll, or none was before it.</p>
        <PreviewTables preview={wallet} walletType={walletType} />
      </section>
    );
  }
  return (
    <DifferenceGroups
      differences={differences}
      of={{ draft: draftId }}
      walletType={walletType}
      payroll={{ people: payableCount, total }}
      acknowledged={acknowledged.in(hash)}
      canCheck
      isOneOfSeveral={isOneOfSeveral}
    />
  );
}
