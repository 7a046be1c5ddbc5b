import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import type { PayrollBatch, RouteReply } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { ActBar } from '#web/kit/act-bar.tsx';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { formatDay } from '#web/lib/format.ts';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { ApproverNote } from '../batch-approval.tsx';
import type { OpenTask } from '../batch-dialog.tsx';
import { BatchLines, useBatchLines } from '../batch-lines.tsx';
import { SendingWindow } from '../batch-window.tsx';
import {
  CheckedWords,
  DifferenceGroups,
  uncheckedWords,
  useAcknowledged,
  type AcknowledgedState,
} from '../differences.tsx';
import { OrderedTotals } from '../department-totals.tsx';
import { togetherFacts } from '../sent-together.tsx';
import { DEPARTMENT_LABELS, employeesWords } from '../words.ts';
import { CompanyLimits, CostSum, passedWords } from './company-limits.tsx';
import { ConfirmPayroll, SendBack, TakeBack } from './confirm-acts.tsx';
import { PayrollLead } from './payroll-lead.tsx';
import { usePendingSteps } from './what-happens.tsx';
import './review.css';

type Reviewed = RouteReply<'adminGetPayrollDifferences'>;

/** True of a payroll that was sent and moves no money yet: it waits for a second person, or can still be stopped. */
export function isPendingPayroll({ status, fundingType }: PayrollBatch): boolean {
  return status === 'pending' && fundingType === null;
}

interface PendingPayrollProps {
  batch: PayrollBatch;
  takesFocus: boolean;
  /** Buttons that lead on. */
  next: ReactNode;
  /** Opens a draft that was made. */
  onDraft: (draftId: string) => void;
  onTask: OpenTask;
}

/**
 * A payroll that waits: for its second person, who checks the same differences as its sender did, or for the moment in
 * which its money moves.
 */
export function PendingPayroll(props: PendingPayrollProps) {
  const { batch, takesFocus, next, onDraft, onTask } = props;
  const { id, approval, walletType, employees, total } = batch;
  const query = useQuery(apiQuery('adminGetPayrollDifferences', { params: { id } }));
  const reviewed = query.data;
  const differences = reviewed?.differences ?? null;
  const acknowledged = useAcknowledged([{ hash: reviewed?.hash, differences }]);
  const title = useRef<HTMLHeadingElement>(null);
  const list = useBatchLines(batch);
  const steps = usePendingSteps(batch, reviewed?.cancelSeconds);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);
  const mayConfirm = approval?.mayApprove === true;
  return (
    <div className="pending">
      <div>{next}</div>
      <PayrollLead
        part={title}
        title={titleOf(batch)}
        subtitle={`${batch.name}, ${DEPARTMENT_LABELS[batch.department]}, ${employeesWords(employees)}`}
        label={mayConfirm ? 'To be paid' : <PendingStatus batch={batch} />}
        total={total}
      />
      <Head batch={batch} onDraft={onDraft} onTask={onTask} />
      <div className="columns review">
        <div className="review__main">
          {mayConfirm && differences !== null ? (
            <DifferenceGroups
              differences={differences}
              of={{ batch: id }}
              walletType={walletType}
              payroll={{ people: employees, total }}
              acknowledged={acknowledged.in(reviewed?.hash)}
              canCheck
            />
          ) : (
            <OrderedTotals batch={batch} />
          )}
          <BatchLines batch={batch} list={list} />
        </div>
        <aside className="review__side" aria-label="About this payroll">
          {mayConfirm && (
            <CostSum
              wallets={[{ people: employees, walletType, total }]}
              total={total}
              deducted={reviewed?.deducted}
            />
          )}
          {mayConfirm && reviewed !== undefined && (
            <CompanyLimits limits={reviewed.limits} total={total} />
          )}
          <Section title="What happens" isRuled>
            <div className="review__rail">
              <DatedRail
                label="Payroll progress"
                layout="stacked"
                moments="shortDateTime"
                steps={steps}
              />
            </div>
          </Section>
          <Section title="Batch" isRuled>
            <Facts isTight facts={factsOf(batch, reviewed)} />
          </Section>
        </aside>
      </div>
      {mayConfirm && reviewed !== undefined && (
        <ConfirmBar batch={batch} reviewed={reviewed} acknowledged={acknowledged} onTask={onTask} />
      )}
    </div>
  );
}

function titleOf({ approval }: PayrollBatch): string {
  if (approval === null) return 'Payroll Sent';
  if (approval.mayApprove) return 'Confirm Payroll';
  const [only, another] = approval.people;
  return only !== undefined && another === undefined
    ? `Waiting for ${only.name}`
    : 'Waiting for confirmation';
}

function PendingStatus({ batch: { approval } }: Pick<PendingPayrollProps, 'batch'>) {
  return (
    <Status status="pending" label={approval === null ? undefined : 'Waiting for confirmation'} />
  );
}

/** Under the title: the request to confirm it, what it waits for, or the time until its money moves. */
function Head({
  batch,
  onDraft,
  onTask,
}: Pick<PendingPayrollProps, 'batch' | 'onDraft' | 'onTask'>) {
  const { approval, window, createdBy, createdAt, note } = batch;
  const write = useMoments();
  const at = write(createdAt, 'shortDateTime');
  if (approval === null) {
    return (
      window !== null && (
        <div className="sheet pending__card">
          <SendingWindow batch={batch} window={window} onTask={onTask} />
        </div>
      )
    );
  }
  const words = note !== '' && <p className="muted" dir="auto">{`“${note}”`}</p>;
  if (approval.mayApprove) {
    return (
      <Notice tone="motion">
        <p>
          <span className="strong">{`${approval.isMine ? 'You sent' : `${createdBy} asks you to confirm`} this payroll.`}</span>{' '}
          {`Sent ${at}.`}
        </p>
        {words}
      </Notice>
    );
  }
  return (
    <div className="spread sheet pending__card pending__waiting">
      <div>
        <p className="strong">{`The other administrators were notified, ${at}.`}</p>
        <p className="muted">
          Nothing has moved. The amounts are closed until somebody confirms it or sends it back.
        </p>
        <p>
          <ApproverNote approval={approval} />
        </p>
        {words}
      </div>
      {approval.isMine ? (
        <TakeBack batch={batch} onDraft={onDraft} />
      ) : (
        <SendBack batch={batch} onTask={onTask} />
      )}
    </div>
  );
}

interface ConfirmBarProps {
  batch: PayrollBatch;
  reviewed: Reviewed;
  acknowledged: AcknowledgedState;
  onTask: OpenTask;
}

function ConfirmBar({ batch, reviewed, acknowledged, onTask }: ConfirmBarProps) {
  return (
    <ActBar label="Confirm" what={<CheckedWords acknowledged={acknowledged} />}>
      <SendBack batch={batch} onTask={onTask} />
      <ConfirmPayroll
        batch={batch}
        why={passedWords(reviewed.limits) ?? uncheckedWords(acknowledged, 'confirm it')}
      />
    </ActBar>
  );
}

function factsOf(batch: PayrollBatch, reviewed: Reviewed | undefined): Fact[] {
  return [
    { label: 'Number', value: batch.number },
    ...togetherFacts(batch),
    ...(batch.payOn === null ? [] : [{ label: 'Pay date', value: formatDay(batch.payOn, 'date') }]),
    { label: 'Pay period', value: batch.payPeriod },
    { label: 'Description', value: batch.description },
    ...checkedFacts(reviewed),
    { label: 'Audit', value: <AuditLink thing="payroll" subject={batch.id} /> },
  ];
}

/** "3 of 3 differences, by Renee Albright and Theo Marchetti" */
function checkedFacts(reviewed: Reviewed | undefined): Fact[] {
  const groups = reviewed?.differences?.groups ?? [];
  if (groups.length === 0) return [];
  const people = new Set(groups.flatMap(({ acknowledged }) => acknowledged.map(({ by }) => by)));
  const all = [...people].filter((name) =>
    groups.every(({ acknowledged }) => acknowledged.some(({ by }) => by === name)),
  );
  const count = `${groups.length} differences`;
  return [
    { label: 'Checked', value: all.length === 0 ? 'Not yet' : `${count}, by ${all.join(' and ')}` },
  ];
}
