import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { accountColumn, amountColumn, payToColumn, type Held } from './payout-columns.tsx';

const REASONS = {
  frozen: { status: 'failed', label: 'Frozen' },
  unverified: { status: 'pending', label: 'Account unverified' },
  cooling: { status: 'pending', label: 'Cooling-off' },
  other: { status: 'pending', label: 'Held' },
} as const;

const COLUMNS: readonly Column<Held>[] = [
  payToColumn(),
  {
    id: 'reason',
    header: 'Reason',
    narrow: 'end-second',
    cell: ({ reason }) => <Status {...REASONS[reason]} />,
  },
  {
    id: 'waits',
    header: 'Why',
    narrow: 'labelled',
    cell: ({ refusal }) => refusal,
  },
  accountColumn(),
  amountColumn(),
];

/** Payments that cannot leave now, each with the reason. */
export function HeldPayouts({ held, sum }: { held: readonly Held[]; sum: string }) {
  return (
    <Section title="Held" end={<span className="meta num">{sum}</span>}>
      <Table
        label="Held payments and why"
        isDense
        columns={COLUMNS}
        rows={held}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}
