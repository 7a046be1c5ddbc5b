import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { amountColumn, payToColumn, referenceColumn, type Payment } from './payout-columns.tsx';

/** A payment that the ledger refused, with the reason and the time of the last try. */
interface Refused extends Payment {
  itemId: string;
  why: string;
  triedAt: string;
}

interface RefusedEntriesProps {
  refused: readonly Refused[];
  /** `Not posted` */
  title: string;
  /** Name of the table. */
  label: string;
  /** Words about what happened to these and to the others. */
  note: string;
}

/** Payments of a file that could not be posted or given back, each with the reason; nothing while there are none. */
export function RefusedEntries({ refused, title, label, note }: RefusedEntriesProps) {
  if (refused.length === 0) return null;
  return (
    <div className="section">
      <Section title={title}>
        <p className="payout-note meta">{note}</p>
        <Table label={label} columns={COLUMNS} rows={refused} rowKey={({ itemId }) => itemId} />
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
