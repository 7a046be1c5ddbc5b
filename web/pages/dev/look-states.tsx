import { Avatar } from '#web/ui/avatar.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';
import { specimen } from './specimen.ts';

const colours = [
  'ground',
  'surface',
  'sunk',
  'rule',
  'rule-strong',
  'ink-3',
  'ink-2',
  'ink',
  'accent',
  'accent-hover',
  'accent-wash',
  'brass',
  'positive',
  'caution',
  'critical',
  'motion',
];

export function ColourStates() {
  return (
    <div className="gallery__swatches">
      {colours.map((name) => (
        <div key={name}>
          <svg aria-hidden="true">
            <rect width="100%" height="100%" rx="5" fill={`var(--${name})`} />
          </svg>
          <p className="meta">{name}</p>
        </div>
      ))}
    </div>
  );
}

const entries = [
  { what: 'Payroll, November 2026', minor: 242640n },
  { what: 'Withdrawal to Cascade Federal ••2208', minor: -111111n },
  { what: 'Reimbursement', minor: 8620n },
];

const entryColumns: Column<(typeof entries)[number]>[] = [
  {
    id: 'what',
    header: 'Description',
    isHeaderHidden: true,
    cell: ({ what }) => what,
    total: 'Total',
  },
  {
    id: 'amount',
    header: 'Amount',
    isHeaderHidden: true,
    align: 'right',
    cell: ({ minor }) => <Money amount={specimen(minor)} signs="always" />,
    total: <Money amount={specimen(140149n)} signs="always" />,
  },
];

export function TypeStates() {
  return (
    <>
      <div className="gallery__type">
        <Balance amount={specimen(1481236n)} />
        <Balance amount={specimen(506236n)} size="small" />
        <p className="page-title">Payroll Management</p>
        <p className="dialog-title">Withdrawal details</p>
        <p className="section-title">Pending Withdrawals</p>
        <p>Body, tables and controls. 14 on 20.</p>
        <p className="meta">Meta and table heads. 12 on 16.</p>
      </div>
      <Table
        label="Entries"
        isDense
        columns={entryColumns}
        rows={entries}
        rowKey={({ what }) => what}
      />
    </>
  );
}

export function IdentityStates() {
  return (
    <p className="gallery__row">
      <Wordmark />
      <Avatar name="Maya Castellanos" />
      <Tag>Primary</Tag>
      <Tag tone="caution">Urgent</Tag>
      <TextLink href="#transactions">See All Transactions</TextLink>
      <Money amount={specimen(-25000n)} isFaded />
    </p>
  );
}
