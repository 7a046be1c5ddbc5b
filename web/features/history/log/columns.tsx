import { isVoid, TRANSACTION_TYPE_LABELS } from '#contract/activity.ts';
import type { LoggedTransaction } from '#contract/api.ts';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import type { Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';

/** Columns of the log: what happened, and to which employee's money. */
export const transactionColumns: readonly Column<LoggedTransaction>[] = [
  timeColumn({
    id: 'date',
    header: 'Date',
    narrow: 'start-second',
    at: ({ at }) => at,
    as: 'dateTime',
  }),
  personColumn({
    narrow: 'start',
    person: ({ employee }) => employee,
    open: {
      label: ({ employee, reference }) => `Open ${reference}, ${employee.name}`,
      href: ({ id }) => `/admin/transactions/${id}`,
    },
  }),
  {
    id: 'type',
    header: 'Type',
    narrow: 'hidden',
    cell: ({ type }) => <Tag>{TRANSACTION_TYPE_LABELS[type]}</Tag>,
  },
  textColumn({
    id: 'description',
    header: 'Description',
    narrow: 'hidden',
    text: ({ description }) => description,
  }),
  referenceColumn({ narrow: 'hidden', reference: ({ reference }) => reference }),
  statusColumn({ narrow: 'end-second', status: ({ status }) => status }),
  moneyColumn({
    narrow: 'end',
    amount: ({ amount }) => amount,
    isFaded: ({ status }) => isVoid(status),
    signs: 'always',
  }),
];
