import { useEffect, useRef, type ReactNode } from 'react';
import type { PayrollBatch } from '#contract/api.ts';
import { PAYSLIPS_IN_ARCHIVE } from '#contract/account-documents.ts';
import { formatMoney, money } from '#contract/money.ts';
import { addressOf, call } from '#web/api/client.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { ExportLink } from '#web/kit/export-link.tsx';
import { counted, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';
import { Time } from '#web/ui/time.tsx';
import type { OpenTask } from './batch-dialog.tsx';
import { BatchLines, useBatchLines } from './batch-lines.tsx';
import { BatchProblems } from './batch-problems.tsx';
import { batchRail } from './batch-rail.ts';
import { DepartmentTotals } from './department-totals.tsx';
import { copyOfBatch, useNewDraft } from './drafts/use-new-draft.ts';
import { useRetry } from './use-retry.ts';
import { togetherFacts } from './sent-together.tsx';
import { DEPARTMENT_LABELS, employeesWords } from './words.ts';
import './payroll.css';

interface DecidedBatchProps {
  batch: PayrollBatch;
  takesFocus: boolean;
  /** Buttons that lead on. */
  next: ReactNode;
  /** Opens a draft that was made. */
  onDraft: (draftId: string) => void;
  onTask: OpenTask;
}

/** A batch whose lines were all paid or have failed: its sums, its lines, and what can be done about them. */
export function DecidedBatch({ batch, takesFocus, next, onDraft, onTask }: DecidedBatchProps) {
  const list = useBatchLines(batch);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (takesFocus) title.current?.focus();
  }, [takesFocus]);
  return (
    <div className="decided">
      <div>{next}</div>
      <div className="decided__head">
        <div>
          <h2 className="section-title" tabIndex={-1} ref={title}>
            {batch.name}
          </h2>
          <p className="muted">
            {`Batch ${batch.number}, ${DEPARTMENT_LABELS[batch.department]}. ${batch.description}`}
          </p>
        </div>
        <div className="batch__actions">
          <ExportLink href={list.exportHref} label="Export CSV" />
          <PayslipLinks batch={batch} />
          {batch.fundingType === null && <CopyToDraft batch={batch} onDraft={onDraft} />}
        </div>
      </div>
      <DatedRail label="Payroll progress" layout="lying" steps={batchRail(batch)} />
      <BatchSums batch={batch} />
      <BatchProblems batch={batch} />
      <div className="columns decided__columns">
        <BatchLines
          batch={batch}
          list={list}
          end={<BatchActs batch={batch} onTask={onTask} />}
          onTask={onTask}
        />
        <aside className="decided__aside" aria-label="About this batch">
          <PaidTotals batch={batch} />
          <section>
            <h3 className="field__label">How it was made</h3>
            <Facts isTight facts={factsOf(batch)} />
          </section>
        </aside>
      </div>
    </div>
  );
}

/** Prepares a payroll of the same people and amounts. */
function CopyToDraft({ batch, onDraft }: Pick<DecidedBatchProps, 'batch' | 'onDraft'>) {
  const copy = useNewDraft(onDraft);
  return (
    <Button
      isPending={copy.isPending}
      pendingLabel="Copying"
      onPress={() => copy.mutate(copyOfBatch(batch))}
    >
      Copy to Draft
    </Button>
  );
}

/** Archives of the payslips: one, or several of a large payroll. */
function PayslipLinks({ batch }: { batch: PayrollBatch }) {
  if (batch.paidCount === 0) return null;
  const parts = Math.ceil(batch.employees / PAYSLIPS_IN_ARCHIVE);
  return Array.from({ length: parts }, (_, index) => (
    <ExportLink
      key={index}
      href={addressOf('adminDownloadPayslips', {
        params: { id: batch.id },
        query: { part: index + 1 },
      })}
      label={parts === 1 ? 'Payslips (PDF)' : `Payslips (PDF) ${index + 1} of ${parts}`}
    />
  ));
}

/** Paid + Failed + Reversed = Total. */
function BatchSums({ batch }: { batch: PayrollBatch }) {
  const { total, reversedTotal, failedTotal, reversedCount } = batch;
  const { employees, paidCount, failedCount, paidOtherwise } = batch;
  const retried = failedCount - paidOtherwise.lines;
  return (
    <Stats>
      <Stat
        label="Paid"
        value={<Money amount={paidNow(batch)} />}
        note={employeesWords(paidCount - reversedCount)}
      />
      <Stat
        label="Failed"
        value={<Money amount={failedTotal ?? money(0n, total.currency)} />}
        note={[
          counted(failedCount, 'line'),
          ...(paidOtherwise.lines > 0 ? [`${paidOtherwise.lines} paid differently`] : []),
          ...(retried > 0 ? ['can be retried'] : []),
        ].join(', ')}
      />
      <Stat
        label="Reversed"
        value={<Money amount={reversedTotal} />}
        note={counted(reversedCount, 'line')}
      />
      <Stat
        label="Total"
        value={<Money amount={total} />}
        note={`${counted(employees, 'line')}, as confirmed`}
      />
    </Stats>
  );
}

function BatchActs({ batch, onTask }: Pick<DecidedBatchProps, 'batch' | 'onTask'>) {
  const retry = useRetry((id, options) => call('adminRetryPayroll', { params: { id } }, options));
  return (
    <>
      {batch.paidCount > batch.reversedCount && (
        <Button onPress={() => onTask({ act: 'reverseAll', batch })}>Reverse Payroll</Button>
      )}
      {batch.failedTotal !== null && batch.failedCount > batch.paidOtherwise.lines && (
        <Button
          kind="money"
          isPending={retry.isPending}
          pendingLabel="Retrying"
          onPress={() => retry.mutate(batch.id)}
        >
          {`Retry Failed Lines ${formatMoney(retriedOf(batch, batch.failedTotal))}`}
        </Button>
      )}
    </>
  );
}

/** Sums by department of what is paid now. */
function PaidTotals({ batch }: { batch: PayrollBatch }) {
  const { id, employees, paidCount, reversedCount } = batch;
  return (
    <section>
      <h3 className="field__label">Totals by department</h3>
      <DepartmentTotals
        batchId={id}
        count={{
          header: 'Paid',
          cell: (row) => paidOf(row.paidCount, row.lines),
          total: paidOf(paidCount - reversedCount, employees),
        }}
        amount={{
          cell: ({ paid }) => <Money amount={paid} />,
          total: <Money amount={paidNow(batch)} />,
        }}
      />
    </section>
  );
}

/** Sum of the lines that are paid and were not taken back. */
function paidNow({ paidTotal, reversedTotal, total }: PayrollBatch) {
  return money(BigInt(paidTotal.minor) - BigInt(reversedTotal.minor), total.currency);
}

/** "8", or "11 of 12" where not all were paid. */
function paidOf(paid: number, lines: number): string {
  return paid === lines ? formatCount(lines) : `${formatCount(paid)} of ${formatCount(lines)}`;
}

function factsOf(batch: PayrollBatch): Fact[] {
  return [
    {
      label: 'Amounts',
      value:
        batch.amount === null ? (
          'Each person’s own amount'
        ) : (
          <>
            <Money amount={batch.amount} /> per employee
          </>
        ),
    },
    { label: 'Pay period', value: batch.payPeriod },
    ...togetherFacts(batch),
    {
      label: 'Sent by',
      value: (
        <>
          {batch.createdBy}
          <br />
          <Time at={batch.createdAt} as="dateTime" />
        </>
      ),
    },
    ...(batch.approvedBy === null ? [] : [{ label: 'Confirmed by', value: batch.approvedBy }]),
    { label: 'Audit', value: <AuditLink thing="payroll" subject={batch.id} /> },
  ];
}

/** Sum of the failed lines that a retry would pay. */
function retriedOf({ paidOtherwise }: PayrollBatch, failed: PayrollBatch['total']) {
  return money(BigInt(failed.minor) - BigInt(paidOtherwise.total.minor), failed.currency);
}
