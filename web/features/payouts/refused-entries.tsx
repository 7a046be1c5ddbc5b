import type { RouteReply } from '#contract/api.ts';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { amountColumn, payToColumn, referenceColumn } from './payout-columns.tsx';

type File = RouteReply<'adminGetPayoutFile'>;
type Refused = File['refused'][number];

/** Payments of a file that could not be posted, each with the reason; nothing while there are none. */
export function RefusedEntries({ file: { refused, status } }: { file: File }) {
  if (refused.length === 0) return null;
  const done = status === 'settled' ? 'completed' : 'marked as sent';
  return (
    <div className="section">
      <Section title="Not posted">
        <p className="payout-note meta">
          The bank has these payments, and they could not be {done} here. All others are posted.
          Purser tries again each minute; the file waits for them.
        </p>
        <Table
          label="Payments that could not be posted"
          columns={COLUMNS}
          rows={refused}
          rowKey={({ itemId }) => itemId}
        />
      </Section>
    </div>
  );
}

const COLUMNS: readonly Column<Refused>[] = [
  payToColumn<Refused>(),
  referenceColumn<Refused>(),
  { id: 'why', header: 'Reason', narrow: 'start-second', cell: ({ why }) => why },
  {
    id: 'tried',
    header: 'Last try',
    narrow: 'hidden',
    cell: ({ triedAt }) => <Time at={triedAt} as="shortDateTime" />,
  },
  amountColumn<Refused>(),
];
