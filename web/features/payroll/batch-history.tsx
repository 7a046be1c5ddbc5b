import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { PayrollBatch, RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { payrollBatchList } from '#contract/lists.ts';
import { formatMoney } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { ACTIONS_COLUMN } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { ListPage } from '#web/kit/list-page.tsx';
import { DEPARTMENT_FILTER, STATUS_FILTER } from '#web/kit/filters.ts';
import { useList, type ListState } from '#web/kit/use-list.ts';
import { useCompany } from '#web/lib/company.ts';
import { formatCount, formatDay } from '#web/lib/format.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Money } from '#web/ui/money.tsx';
import { statusTable } from '#web/ui/status-table.ts';
import { FilterSelect } from '#web/ui/select.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import type { Column } from '#web/ui/table.tsx';
import { ApproverNote, BatchApproval } from './batch-approval.tsx';
import { BatchDialog, type BatchTask, type OpenTask } from './batch-dialog.tsx';
import { WindowRow } from './batch-window.tsx';
import { DEPARTMENT_LABELS } from './words.ts';

const WORDS = {
  label: 'Payroll batches',
  itemNoun: 'batches',
  search: { label: 'Search batches', placeholder: 'Search name, number or employee' },
  none: { title: 'No payroll yet', hint: 'Payrolls you send appear here.' },
  noMatch: 'No batches found',
};

type DaySum = RouteReply<'adminSumPayrollDays'>['days'][number];

const GROUPINGS = [
  { value: 'payday', label: 'Payday' },
  { value: 'nothing', label: 'Nothing' },
] as const;

/** All batches, grouped by the day on which they are paid, newest first. */
export function BatchHistory({ onOpen }: { onOpen: (batchId: string) => void }) {
  const list = useList(payrollBatchList);
  const { group } = useSearch({ from: '/admin/admin/payroll' });
  const navigate = useNavigate({ from: '/admin/payroll' });
  const [folded, setFolded] = useState<readonly string[]>([]);
  const [task, setTask] = useState<BatchTask>();
  const isGrouped = group !== 'nothing';
  const sums = useDaySums(list, isGrouped);
  const toggle = (day: string) =>
    setFolded((days) => (days.includes(day) ? days.filter((one) => one !== day) : [...days, day]));
  const hasActions = list.paged.rows.some(
    ({ approval, window }) => approval !== null || window !== null,
  );
  return (
    <>
      <ListPage
        state={list}
        words={WORDS}
        filters={{ status: STATUS_FILTER, department: DEPARTMENT_FILTER }}
        columns={columnsOf({ onOpen, onTask: setTask }, hasActions, {
          head: (day) => (
            <DayHead
              day={day}
              sum={sums?.get(day)}
              isFolded={folded.includes(day)}
              onFold={() => toggle(day)}
            />
          ),
          sums,
          isGrouped,
        })}
        groups={
          isGrouped ? { of: ({ day }) => day, isFolded: (day) => folded.includes(day) } : undefined
        }
        control={
          <FilterSelect
            label="Group by"
            value={isGrouped ? 'payday' : 'nothing'}
            options={GROUPINGS}
            onChange={(chosen) =>
              void navigate({
                search: ({ group: _, ...view }) => ({
                  ...view,
                  ...(chosen === 'nothing' && { group: chosen }),
                }),
                replace: true,
              })
            }
          />
        }
      />
      <BatchDialog task={task} onClose={() => setTask(undefined)} />
    </>
  );
}

/** Sums of the days of the shown batches, over all pages; undefined until they are read. */
function useDaySums(
  { paged: { rows }, view }: ListState<typeof payrollBatchList>,
  isGrouped: boolean,
): ReadonlyMap<string, DaySum> | undefined {
  const from = rows.at(-1)?.day ?? '';
  const to = rows[0]?.day ?? '';
  const query = apiQuery('adminSumPayrollDays', { query: { ...view, from, to } });
  const { data } = useQuery({ ...query, enabled: isGrouped && rows.length > 0 });
  return data && new Map(data.days.map((sum) => [sum.day, sum]));
}

interface DayHeadProps {
  day: string;
  sum: DaySum | undefined;
  isFolded: boolean;
  onFold: () => void;
}

/** Day over its batches, which folds them: "Fri, Nov 27, 2 batches". */
function DayHead({ day, sum, isFolded, onFold }: DayHeadProps) {
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const isThisYear = today.startsWith(day.slice(0, 4));
  return (
    <>
      <button type="button" className="group-fold" aria-expanded={!isFolded} onClick={onFold}>
        <Icon of={isFolded ? ChevronRight : ChevronDown} size={16} />
        {formatDay(day, 'weekday') + (isThisYear ? '' : `, ${day.slice(0, 4)}`)}
      </button>
      {sum !== undefined && <span className="meta"> {dayWords(sum)}</span>}
    </>
  );
}

/** "2 batches", "1 batch, not a payday, $118.40 reversed" */
function dayWords({ batches, isPayday, reversed }: DaySum): string {
  return [
    batches === 1 ? '1 batch' : `${formatCount(batches)} batches`,
    ...(isPayday === false ? ['not a payday'] : []),
    ...(reversed.minor === '0' ? [] : [`${formatMoney(reversed)} reversed`]),
  ].join(', ');
}

/** Approve, Decline and Stop. The column appears only if a batch on the page offers one of them. */
const actionsOf = (onTask: OpenTask): Column<PayrollBatch> => ({
  ...ACTIONS_COLUMN,
  isPinned: true,
  narrow: 'end-second',
  cell: (batch) => (
    <>
      <BatchApproval batch={batch} onTask={onTask} isRow />
      <WindowRow batch={batch} onTask={onTask} />
    </>
  ),
});

function columnsOf(
  { onOpen, onTask }: { onOpen: (batchId: string) => void; onTask: OpenTask },
  hasActions: boolean,
  days: {
    head: (day: string) => ReactNode;
    sums: ReadonlyMap<string, DaySum> | undefined;
    isGrouped: boolean;
  },
): readonly Column<PayrollBatch>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      isRowHeader: true,
      narrow: 'start',
      group: days.head,
      cell: ({ id, name, number, approval }) => (
        <>
          <RowLink label={`Open ${name}, batch ${number}`} isMarked onPress={() => onOpen(id)}>
            {name}
          </RowLink>
          {approval !== null && (
            <span className="approval__note">
              <ApproverNote approval={approval} />
            </span>
          )}
        </>
      ),
    },
    referenceColumn({
      id: 'number',
      header: 'Batch',
      narrow: 'hidden',
      reference: ({ number }) => number,
    }),
    textColumn({
      id: 'for',
      header: 'For',
      narrow: days.isGrouped ? 'start-second' : 'hidden',
      text: ({ fundedEmployee, department }) =>
        fundedEmployee?.name ?? DEPARTMENT_LABELS[department],
    }),
    textColumn({
      id: 'description',
      header: 'Description',
      narrow: 'hidden',
      isWideOnly: true,
      text: ({ description }) => description,
    }),
    {
      id: 'employees',
      header: 'Employees',
      align: 'right',
      narrow: 'hidden',
      isWideOnly: hasActions && !days.isGrouped,
      cell: ({ employees }) => formatCount(employees),
    },
    timeColumn({
      id: 'date',
      header: 'Date',
      // The line over its group has the day.
      narrow: days.isGrouped ? 'hidden' : 'start-second',
      // Actions need the room of a column: without it they would lie over the amounts.
      isWideOnly: hasActions && days.isGrouped,
      at: ({ createdAt }) => createdAt,
      as: 'date',
      by: 'company',
    }),
    statusColumn({
      narrow: 'end-second',
      status: ({ status, declined, stopped }) => {
        if (stopped !== null) return 'cancelled';
        return declined === null ? status : 'rejected';
      },
      label: ({ status, approval, declined, stopped }) => {
        if (stopped !== null) return 'Stopped';
        if (declined !== null) return 'Declined';
        return approval === null ? statusTable[status].label : 'Needs approval';
      },
    }),
    moneyColumn({
      id: 'total',
      header: 'Total',
      narrow: 'end',
      amount: ({ total }) => total,
      isFaded: ({ status }) => status === 'failed' || status === 'draft',
      group: (day) => {
        const sum = days.sums?.get(day);
        return sum && <Money amount={sum.total} />;
      },
    }),
    ...(hasActions ? [actionsOf(onTask)] : []),
  ];
}
