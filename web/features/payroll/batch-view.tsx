import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import type { PayrollBatch } from '#contract/api.ts';
import type { PayrollStatus } from '#contract/payroll.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Button } from '#web/ui/button.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { ApproverNote, BatchApproval } from './batch-approval.tsx';
import { BATCH_DECISIONS, BatchDialog, type BatchTask, type OpenTask } from './batch-dialog.tsx';
import { BatchLines, useBatchLines } from './batch-lines.tsx';
import { BatchProblems } from './batch-problems.tsx';
import { batchRail, isDecided, isMoving } from './batch-rail.ts';
import { DecidedBatch } from './decided-batch.tsx';
import { isPendingPayroll, PendingPayroll } from './review/pending-payroll.tsx';
import { useBatch } from './use-batch.ts';
import { DEPARTMENT_LABELS } from './words.ts';
import './payroll.css';

interface BatchViewProps {
  id: string;
  /** True if an action on this page opened the view. Focus then moves to its title. */
  takesFocus: boolean;
  /** Actions offered after the batch is finished, next to retrying lines. */
  next: ReactNode;
  /** Opens a draft that was made. */
  onDraft: (draftId: string) => void;
}

/** One batch: its steps, facts, progress and lines. Updates live while it is being paid. */
export function BatchView(props: BatchViewProps) {
  const [task, setTask] = useState<BatchTask>();
  return (
    <>
      <Batch {...props} onTask={setTask} />
      <BatchDialog task={task} onClose={() => setTask(undefined)} />
    </>
  );
}

type ShownProps = BatchViewProps & { onTask: OpenTask };

function Batch({ id, ...shown }: ShownProps) {
  const query = useBatch(id);
  return (
    <LoadedQuery query={query} what="the batch" lines={8}>
      {(batch) => <ShownBatch batch={batch} {...shown} />}
    </LoadedQuery>
  );
}

function ShownBatch({
  batch,
  onDraft,
  ...sheet
}: Omit<ShownProps, 'id'> & { batch: PayrollBatch }) {
  if (isDecided(batch)) return <DecidedBatch batch={batch} onDraft={onDraft} {...sheet} />;
  if (isPendingPayroll(batch)) return <PendingPayroll batch={batch} onDraft={onDraft} {...sheet} />;
  return (
    <div className="payroll-columns">
      <section className="batch__facts" aria-labelledby={`batch-${batch.number}`}>
        <h2 className="section-title" id={`batch-${batch.number}`}>
          {batch.name}
        </h2>
        <DatedRail label="Payroll progress" layout="narrow" steps={batchRail(batch)} />
        <Facts isTight facts={factsOf(batch)} />
      </section>
      <BatchSheet batch={batch} {...sheet} />
    </div>
  );
}

function factsOf(batch: PayrollBatch): Fact[] {
  return [
    { label: 'Batch number', value: batch.number },
    { label: 'Wallet', value: WALLET_LABELS[batch.walletType] },
    { label: 'Department', value: DEPARTMENT_LABELS[batch.department] },
    {
      label: 'Amount',
      value: (
        <>
          {batch.amount === null ? (
            'Each person’s own amount'
          ) : (
            <>
              <Money amount={batch.amount} /> per employee
            </>
          )}
        </>
      ),
    },
    { label: 'Description', value: batch.description },
    { label: 'Pay period', value: batch.payPeriod },
    {
      label: 'Audit',
      value: <AuditLink thing="payroll" subject={batch.id} />,
    },
  ];
}

const TITLES: Record<PayrollStatus, string> = {
  draft: 'Not sent',
  pending: 'Not sent yet',
  processing: 'Sending payroll',
  completed: 'Payroll sent',
  failed: 'Payroll Processing Failed',
};

function titleOf({ status, approval, declined, stopped, discardedAt }: PayrollBatch): string {
  if (discardedAt !== null) return 'Discarded';
  if (stopped !== null) return 'Stopped';
  if (approval !== null) return 'Waiting for approval';
  return declined === null ? TITLES[status] : 'Declined';
}

function progressOf({ paidCount, employees }: PayrollBatch): string {
  return `${paidCount} of ${employees} paid`;
}

type BatchSheetProps = Omit<ShownProps, 'id' | 'onDraft'> & { batch: PayrollBatch };

function BatchSheet({ batch, takesFocus, next, onTask }: BatchSheetProps) {
  const list = useBatchLines(batch);
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);

  const isDraft = batch.status === 'draft';
  const isPaying = batch.approval === null && !isDraft;
  return (
    <section className="sheet" aria-labelledby={titleId}>
      <div className="batch__top">
        <div className="spread batch__line">
          <h2 className="section-title" id={titleId} tabIndex={-1} ref={title}>
            {titleOf(batch)}
          </h2>
          <span className="num muted" role="status">
            {isPaying ? progressOf(batch) : 'Nobody has been paid'}
          </span>
        </div>
        {isPaying && <Progress batch={batch} />}
        <ApproverNote approval={batch.approval} />
        <BatchProblems batch={batch} />
      </div>
      <BatchLines batch={batch} list={list} />
      <div className="spread preview__foot">
        <p className="meta">
          {!isDraft
            ? 'Each employee is paid once. If a line fails, the rest still go through and you can retry that line.'
            : 'Nobody was paid. To pay these employees, send its draft or another payroll.'}
        </p>
        <BatchActions batch={batch} next={next} onTask={onTask} />
      </div>
    </section>
  );
}

/** Number of people paid, and the share of the total. */
function Progress({ batch }: { batch: PayrollBatch }) {
  const { employees, paidCount, paidTotal, total } = batch;
  return (
    <>
      <ProgressBar
        label="Employees paid"
        value={paidCount}
        max={employees}
        valueText={progressOf(batch)}
      />
      <p className="spread batch__line num">
        <span>
          <Money amount={paidTotal} /> sent
        </span>
        <span className="muted">
          <Money amount={total} /> total
        </span>
      </p>
    </>
  );
}

function BatchActions({ batch, next, onTask }: Omit<BatchSheetProps, 'takesFocus'>) {
  if (batch.approval !== null) return <BatchApproval batch={batch} onTask={onTask} />;
  if (isMoving(batch.status)) {
    return (
      <Button kind="money" isPending pendingLabel="Sending">
        Sending
      </Button>
    );
  }
  return (
    <div className="batch__actions">
      {batch.draftId !== null && (
        <LinkButton kind="solid" href={`/admin/payroll?draft=${batch.draftId}`}>
          Open Draft
        </LinkButton>
      )}
      {batch.status === 'draft' && batch.fundingType !== null && batch.discardedAt === null && (
        <Button kind="danger" onPress={() => onTask({ act: 'discard', batch })}>
          {BATCH_DECISIONS.discard.label}
        </Button>
      )}
      {next}
    </div>
  );
}
