import { codeWords } from '#contract/ach-codes.ts';
import type { RouteReply } from '#contract/api.ts';
import { PAYOUT_FILES_SHOWN } from '#contract/payouts.ts';
import { ACTIONS_COLUMN } from '#web/kit/columns/actions.tsx';
import { EmployeeLink } from '#web/kit/employee-link.tsx';
import { NumberedPager } from '#web/kit/numbered-pager.tsx';
import { formatDay } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Ticks, type TickCount } from '#web/ui/ticks.tsx';
import { Time } from '#web/ui/time.tsx';
import { accountWords } from './return-words.ts';
import './payouts.css';

type File = RouteReply<'adminGetPayouts'>['files'][number];

const TICKS: Record<File['status'], TickCount> = {
  prepared: 1,
  downloaded: 2,
  sent: 3,
  settled: 4,
  cancelled: 0,
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

type CameBack = File['cameBack'][number];

const CAME_BACK: readonly Column<CameBack>[] = [
  {
    id: 'person',
    header: 'Person',
    isHeaderHidden: true,
    narrow: 'start',
    isRowHeader: true,
    cell: ({ employee }) => <EmployeeLink employee={employee} />,
  },
  {
    id: 'code',
    header: 'Code',
    isHeaderHidden: true,
    narrow: 'start-second',
    cell: ({ code }) => (code === null ? 'Entered by hand' : `${code} ${codeWords(code)}`),
  },
  {
    id: 'account',
    header: 'Account',
    isHeaderHidden: true,
    narrow: 'hidden',
    cell: (payment) => (
      <span className="meta num" translate="no">
        {accountWords(payment)}
      </span>
    ),
  },
  {
    id: 'followed',
    header: 'What followed',
    isHeaderHidden: true,
    narrow: 'hidden',
    cell: ({ amount, at }) => (
      <span className="meta">
        {amount.minor === '0' ? 'A prenote' : 'Back in the wallet, notified'}{' '}
        <Time at={at} as="shortDateTime" />
      </span>
    ),
  },
  {
    id: 'amount',
    header: 'Amount',
    isHeaderHidden: true,
    align: 'right',
    narrow: 'end',
    cell: ({ amount }) => (
      <>
        +<Money amount={amount} />
      </>
    ),
  },
];

/** Payments of a file that came back, under its row. */
function cameBackOf({ number, cameBack, returned }: File) {
  if (cameBack.length === 0) return null;
  const more = returned.count - cameBack.length;
  return (
    <>
      <Table
        label={`What came back in file ${number}`}
        isDense
        columns={CAME_BACK}
        rows={cameBack}
      />
      {more > 0 && (
        <p className="table__more">
          <TextLink href={`/admin/payouts/${number}`}>
            {more} more in file {number}
          </TextLink>
        </p>
      )}
    </>
  );
}

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
        below={cameBackOf}
        isFaded={({ status }) => status === 'cancelled'}
        empty={
          <EmptyState title="No payout files yet" hint="A file appears here when you make one." />
        }
      />
      <NumberedPager
        {...{ page, onGoTo, pageSize: PAYOUT_FILES_SHOWN }}
        {...{ shown: files.length, total: count, itemNoun: 'files' }}
      />
    </Section>
  );
}
