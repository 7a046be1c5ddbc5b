import type { UsualPayChange } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { formatDay } from '#web/lib/format.ts';
import { BeforeAfter } from '#web/ui/before-after.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import './usual-pay.css';

type Line = UsualPayChange['lines'][number];
interface Row extends Line {
  change: UsualPayChange;
}

/** All changes of a person's usual pay, a row for each amount, the latest day first. */
export function ChangesOfPay({ changes }: { changes: readonly UsualPayChange[] }) {
  return (
    <Table
      label="Changes of usual pay"
      rows={changes.flatMap((change) => change.lines.map((line) => ({ ...line, change })))}
      rowKey={({ change, walletType }) => `${change.id} ${walletType}`}
      columns={COLUMNS}
    />
  );
}

/** An amount before and after: "$3,060.00 → $3,180.00", "Begun with $150.00". */
export function Amounts({ line: { before, amount } }: { line: Line }) {
  if (before.minor === '0') return <>{`Begun with ${formatMoney(amount)}`}</>;
  return (
    <BeforeAfter
      before={formatMoney(before)}
      after={amount.minor === '0' ? 'None' : formatMoney(amount)}
    />
  );
}

const COLUMNS: readonly Column<Row>[] = [
  {
    id: 'validFrom',
    header: 'Valid from',
    isRowHeader: true,
    narrow: 'start',
    cell: ({ change }) => <span className="pay-day">{formatDay(change.validFrom, 'date')}</span>,
  },
  {
    id: 'wallet',
    header: 'Wallet',
    narrow: 'start-second',
    cell: ({ walletType }) => WALLET_LABELS[walletType],
  },
  {
    id: 'change',
    header: 'Change',
    narrow: 'end',
    cell: (line) => (
      <span className={isUndone(line.change) ? 'pay-amounts faint' : 'pay-amounts'}>
        <Amounts line={line} />
      </span>
    ),
  },
  {
    id: 'changedBy',
    header: 'Changed by',
    narrow: 'labelled',
    cell: ({ change }) => (
      <span className="pay-who">
        {change.changedBy.name}, <Time at={change.changedAt} as="short" />
        <span className="meta pay-reason" dir="auto">
          {change.reason}
        </span>
      </span>
    ),
  },
  {
    id: 'confirmedBy',
    header: 'Confirmed by',
    narrow: 'end-second',
    cell: ({ change }) => <Confirmed change={change} />,
  },
];

function isUndone({ status }: UsualPayChange): boolean {
  return status === 'declined' || status === 'withdrawn';
}

function Confirmed({ change: { status, needsSecond, decided } }: { change: UsualPayChange }) {
  if (status === 'waiting') return <Status status="pending" label="Waiting" />;
  if (!needsSecond || decided === null) return <>Not needed</>;
  const { by, at, reason } = decided;
  const words = { confirmed: '', declined: 'Declined by ', withdrawn: 'Taken back by ' }[status];
  return (
    <span className="pay-who">
      {`${words}${by}`}, <Time at={at} as="short" />
      {reason !== null && (
        <span className="meta pay-reason" dir="auto">
          {reason}
        </span>
      )}
    </span>
  );
}
