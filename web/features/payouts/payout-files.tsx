import type { RouteReply } from '#contract/api.ts';
import { PAYOUT_FILES_SHOWN } from '#contract/payouts.ts';
import { ACTIONS_COLUMN } from '#web/kit/columns/actions.tsx';
import { formatDay } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Ticks, type TickCount } from '#web/ui/ticks.tsx';
import { Time } from '#web/ui/time.tsx';
import { NumberedPager } from '#web/kit/numbered-pager.tsx';
import './payouts.css';

type File = RouteReply<'adminGetPayouts'>['files'][number];

const TICKS: Record<File['status'], TickCount> = {
  ...{ prepared: 1, downloaded: 2, sent: 3, settled: 4, cancelled: 0 },
};

const COLUMNS: readonly Column<File>[] = [
  {
    id: 'number',
    header: 'File',
    narrow: 'start',
    isRowHeader: true,
    cell: ({ number }) => <TextLink href={`/admin/payouts/${number}`}>{number}</TextLink>,
  },
  {
    id: 'made',
    header: 'Made',
    narrow: 'start-second',
    cell: ({ createdAt }) => <Time at={createdAt} as="shortDateTime" />,
  },
  {
    id: 'effective',
    header: 'Effective',
    narrow: 'hidden',
    cell: ({ effectiveOn }) => effectiveOn.map((day) => formatDay(day, 'short')).join(' and '),
  },
  {
    id: 'entries',
    header: 'Entries',
    align: 'right',
    narrow: 'hidden',
    cell: ({ itemCount }) => <span className="num">{itemCount}</span>,
  },
  {
    id: 'status',
    header: 'Where it is',
    narrow: 'end-second',
    cell: ({ status }) => (
      <span className="payout-word">
        {status !== 'cancelled' && <Ticks done={TICKS[status]} />} <Status status={status} />
      </span>
    ),
  },
  {
    id: 'returned',
    header: 'Came back',
    narrow: 'hidden',
    cell: ({ status, returned }) =>
      returned.count > 0 ? (
        <>
          <Status status="returned" label={`${returned.count} returned`} />{' '}
          <Money amount={returned.total} />
        </>
      ) : (
        status === 'settled' && <span className="meta">None</span>
      ),
  },
  {
    id: 'total',
    header: 'Total',
    align: 'right',
    narrow: 'end',
    cell: ({ total }) => <Money amount={total} />,
  },
  {
    ...ACTIONS_COLUMN,
    narrow: 'hidden',
    cell: ({ number }) => (
      <TextLink href={`/admin/payouts/${number}`} aria-label={`Open file ${number}`}>
        Open
      </TextLink>
    ),
  },
];

interface PayoutFilesProps {
  files: readonly File[];
  /** Number of all files. */
  count: number;
  page: number;
  onGoTo: (page: number) => void;
}

/** A page of the payout files, newest first. */
export function PayoutFiles({ files, count, page, onGoTo }: PayoutFilesProps) {
  return (
    <Section
      title="Files"
      end={<span className="meta">Numbers have no gaps. A cancelled file keeps its own.</span>}
    >
      <Table
        label="Payout files, newest first"
        isDense
        columns={COLUMNS}
        rows={files}
        rowKey={({ id }) => id}
        placeholder={
          files.length === 0 ? (
            <EmptyState title="No payout files yet" hint="A file appears here when you make one." />
          ) : undefined
        }
      />
      <NumberedPager
        {...{ page, onGoTo, pageSize: PAYOUT_FILES_SHOWN }}
        {...{ shown: files.length, total: count, itemNoun: 'files' }}
      />
    </Section>
  );
}
