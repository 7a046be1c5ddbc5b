import { useMemo, type ReactNode } from 'react';
import type { PayrollBatch, PayrollLine } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { payrollLineList } from '#contract/lists.ts';
import { formatMoney } from '#contract/money.ts';
import { REVERSAL_REASONS, type PayrollLineStatus, reasonWords } from '#contract/payroll.ts';
import { call } from '#web/api/client.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { useList } from '#web/kit/use-list.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { Money } from '#web/ui/money.tsx';
import type { Column } from '#web/ui/table.tsx';
import type { OpenTask } from './batch-dialog.tsx';
import { RECOVERY_STATUS } from './recoveries/recovery-status.ts';
import { pollInterval } from './use-batch.ts';
import { useRetry } from './use-retry.ts';
import { LINE_STATUS_LABELS, employeesWords } from './words.ts';
import './payroll.css';

/**
 * Prefix of the lines' parameters in the address, because the history has parameters of its own.
 */
export const LINES_PREFIX = 'lines';

const WORDS = {
  label: 'Lines of this batch',
  what: 'the lines of this batch',
  itemNoun: 'lines',
  search: { label: 'Search lines', placeholder: 'Search employee' },
  none: { title: 'No lines found', hint: 'This batch has no lines.' },
  noMatch: 'No lines found',
};

const FILTERS = {
  status: { label: 'Status', nameOf: (status: PayrollLineStatus) => LINE_STATUS_LABELS[status] },
};

/** The lines of a batch as the address asks for them. */
export function useBatchLines(batch: PayrollBatch) {
  return useList(payrollLineList, {
    prefix: LINES_PREFIX,
    params: { id: batch.id },
    refetchInterval: pollInterval(batch),
  });
}

interface BatchLinesProps {
  batch: PayrollBatch;
  list: ReturnType<typeof useBatchLines>;
  /** At the end of the toolbar, where the page has the export in its head. */
  end?: ReactNode;
  /** Opens a dialog about a line. Left out while no line is paid. */
  onTask?: OpenTask;
}

/** Each person of a batch: the reference of their payment, or the reason there is none yet. */
export function BatchLines({ batch, list, end, onTask }: BatchLinesProps) {
  const retry = useRetry((id, options) =>
    call('adminRetryPayrollLine', { params: { id } }, options),
  );
  const hasTotal = !list.isFiltered;
  const { mutate } = retry;
  const columns = useMemo(
    () =>
      columnsOf(
        batch,
        hasTotal,
        onTask && {
          reverse: (line) => onTask({ act: 'reverseLine', line }),
          retry: mutate,
          payDifferently: (line) => onTask({ act: 'payLine', line, batch }),
        },
      ),
    [batch, hasTotal, mutate, onTask],
  );
  return (
    <div className="batch__lines">
      <ListPage
        state={list}
        words={WORDS}
        filters={FILTERS}
        columns={columns}
        isExportInHead={end !== undefined}
        end={end}
        hidesSinglePage
      />
    </div>
  );
}

interface LineActs {
  reverse: (line: PayrollLine) => void;
  retry: (lineId: string) => void;
  payDifferently: (line: PayrollLine) => void;
}

/** Columns. If all lines are shown, the table ends with the total of the lines to be paid. */
function columnsOf(
  batch: PayrollBatch,
  hasTotal: boolean,
  acts: LineActs | undefined,
): readonly Column<PayrollLine>[] {
  const hasReasons = batch.skippedCount > 0 || batch.failedCount > 0;
  return [
    {
      id: 'employee',
      header: 'Employee',
      isRowHeader: true,
      narrow: 'start',
      cell: ({ employee: { name, avatarUrl } }) => (
        <span className="admin-employee">
          <Avatar name={name} src={avatarUrl} size="row" isDecorative />
          <Clipped isName>{name}</Clipped>
        </span>
      ),
      ...(hasTotal ? { total: `Total, ${employeesWords(batch.employees)}` } : {}),
    },
    textColumn({
      id: 'department',
      header: 'Department',
      narrow: 'hidden',
      isWideOnly: true,
      text: ({ employee: { department } }) => DEPARTMENTS[department],
    }),
    referenceColumn({
      header: hasReasons ? 'Reference or reason' : 'Reference',
      narrow: 'start-second',
      reference: (line) => referenceOrReason(line, batch),
    }),
    statusColumn({
      narrow: 'end-second',
      status: ({ status }) => status,
      label: ({ status }) =>
        status === 'draft' && batch.status === 'draft' ? 'Not paid' : LINE_STATUS_LABELS[status],
    }),
    moneyColumn({
      narrow: 'end',
      amount: ({ amount }) => amount,
      isFaded: ({ status }) => status !== 'processed',
      ...(hasTotal ? { total: <Money amount={batch.total} /> } : {}),
    }),
    ...(acts === undefined ? [] : [lineActs(acts)]),
  ];
}

/** Retry of a failed line or another way to pay it, and Reverse of a paid one. */
function lineActs({ reverse, retry, payDifferently }: LineActs): Column<PayrollLine> {
  return actionsColumn({
    // A phone's second line has the status.
    narrow: 'labelled',
    nameOf: ({ employee, amount }) => `${employee.name}, ${formatMoney(amount)}`,
    actions: (line) => {
      const { id, status, paidOtherwise } = line;
      if (status === 'failed') {
        if (paidOtherwise !== null) return [];
        return [
          { label: 'Retry', onPress: () => retry(id) },
          { label: 'Pay Differently', onPress: () => payDifferently(line) },
        ];
      }
      return status === 'processed' ? [{ label: 'Reverse', onPress: () => reverse(line) }] : [];
    },
  });
}

/** Reference of the payment, with what was taken back of it, or the reason there is none. */
function referenceOrReason(
  { reference, reason, reversals, recovery, deducted, paidOtherwise }: PayrollLine,
  batch: PayrollBatch,
): string {
  if (reference !== null) {
    return [
      reference,
      ...reversals.map(reversalWords),
      ...(recovery === null ? [] : [recoveryWords(recovery)]),
      ...(deducted.minor === '0' ? [] : [`${formatMoney(deducted)} taken for a recovery`]),
    ].join('. ');
  }
  if (reason === null) return '–';
  const why = reasonWords(reason, batch.walletType);
  return paidOtherwise === null ? why : `${why}. ${paidOtherwiseWords(paidOtherwise)}`;
}

/** "Paid by IF-0051 instead" */
function paidOtherwiseWords({
  reference,
  status,
}: NonNullable<PayrollLine['paidOtherwise']>): string {
  if (status === 'completed') return `Paid by ${reference} instead`;
  return status === 'failed' ? `${reference} instead has failed` : `${reference} instead waits`;
}

/** "Recovery accepted: $1,053.80 of $2,107.60 recovered" */
function recoveryWords({
  status,
  amount,
  recovered,
}: NonNullable<PayrollLine['recovery']>): string {
  const { label } = RECOVERY_STATUS[status];
  return `Recovery ${label.toLowerCase()}: ${formatMoney(recovered)} of ${formatMoney(amount)} recovered`;
}

/** "Paid twice: $118.40 reversed by Renee Albright" */
function reversalWords({ reason, amount, by }: PayrollLine['reversals'][number]): string {
  return `${REVERSAL_REASONS[reason]}: ${formatMoney(amount)} reversed by ${by}`;
}
