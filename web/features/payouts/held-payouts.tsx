import { ACTIONS_COLUMN } from '#web/kit/columns/actions.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { accountColumn, amountColumn, payToColumn, type Held } from './payout-columns.tsx';
import './payouts.css';

const REASONS = {
  stopped: { status: 'failed', label: 'Payouts stopped' },
  frozen: { status: 'failed', label: 'Frozen' },
  unverified: { status: 'pending', label: 'Bank account unverified' },
  change: { status: 'pending', label: 'Change of bank details' },
  format: { status: 'pending', label: 'Other account numbers' },
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
    header: 'What it waits for',
    narrow: 'labelled',
    cell: ({ refusal }) => refusal,
  },
  accountColumn(),
  amountColumn(),
  {
    ...ACTIONS_COLUMN,
    narrow: 'labelled',
    cell: (payment) => {
      const act = actOf(payment);
      return act === null ? (
        <span className="meta">Frees itself</span>
      ) : (
        <span className="payout-word">
          <TextLink href={act.href} aria-label={`${act.label} ${payment.payTo}`}>
            {act.label}
          </TextLink>
        </span>
      );
    },
  },
];

/** Place where the reason is ended; null for one that ends by itself. */
function actOf({ reason, kind, id, employee, bankAccountId, changeFileId }: Held) {
  if (reason === 'cooling') return null;
  if (reason === 'stopped') return { label: 'System Health', href: '/admin/dashboard' };
  if (reason === 'frozen') return { label: 'Review', href: `/admin/employees/${employee.id}` };
  if (reason === 'unverified' && bankAccountId !== null) {
    return { label: 'Open Account', href: `/admin/bank-accounts?account=${bankAccountId}` };
  }
  if (reason === 'change' && changeFileId !== null) {
    return { label: 'Decide', href: `/admin/returns?file=${changeFileId}` };
  }
  return kind === 'withdrawal'
    ? { label: 'Open Withdrawal', href: `/admin/withdrawals?request=${id}` }
    : { label: 'Open Bill', href: `/admin/bills?bill=${id}` };
}

/** Payments that cannot leave now, each with the reason. */
export function HeldPayouts({ held, sum }: { held: readonly Held[]; sum: string }) {
  return (
    <Section title="Held" end={<span className="meta num">{sum}</span>}>
      <div className="payout-held">
        <Table label="Held payments and why" isDense columns={COLUMNS} rows={held} />
      </div>
    </Section>
  );
}
