import { withdrawalList } from '#contract/lists.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { DEFAULT_WITHDRAWAL_REASON, type Urgency } from '#contract/withdrawals.ts';
import { defineDesk } from '#web/desk/desk.ts';
import { DeskPage } from '#web/desk/desk-page.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { WithdrawalStats } from '#web/features/withdrawals/admin-stats.tsx';
import { URGENCY_LABELS } from '#web/features/withdrawals/urgency.ts';
import { withdrawalRail } from '#web/features/withdrawals/withdrawal-rail.ts';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { STATUS_FILTER } from '#web/kit/filters.ts';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import { Money } from '#web/ui/money.tsx';
import { Time } from '#web/ui/time.tsx';

const bankOf = ({ bankName: name, bankLast4: last4 }: { bankName: string; bankLast4: string }) => ({
  name,
  last4,
});

const DESK = defineDesk(withdrawal, withdrawalList, 'adminGetWithdrawal', {
  opened: 'request',
  reveal: 'adminRevealWithdrawals',
  leavesBy: 'startProcessing',
  words: {
    label: 'Withdrawal requests',
    itemNoun: 'requests',
    search: { label: 'Search withdrawals', placeholder: 'Search employee, bank or reason' },
    none: { title: 'No withdrawals yet', hint: 'Employees’ requests appear here.' },
    noMatch: 'No withdrawals found',
  },
  filters: {
    status: STATUS_FILTER,
    urgency: { label: 'Urgency', nameOf: (urgency: Urgency) => URGENCY_LABELS[urgency] },
  },
  Figures: WithdrawalStats,
  columns: [
    {
      id: 'urgency',
      header: 'Urgency',
      narrow: 'hidden',
      isWideOnly: true,
      cell: ({ urgency }) => (
        <span className={urgency === 'high' ? 'strong' : 'muted'}>{URGENCY_LABELS[urgency]}</span>
      ),
    },
    bankColumn({ narrow: 'hidden', isWideOnly: true, bank: bankOf }),
    {
      id: 'reason',
      header: 'Reason',
      narrow: 'hidden',
      isWidestOnly: true,
      cell: ({ reason }) => (
        <Clipped className={reason === DEFAULT_WITHDRAWAL_REASON ? 'faint' : 'muted'}>
          {reason}
        </Clipped>
      ),
    },
    timeColumn({ narrow: 'start-second', at: (row) => row.submittedAt, as: 'shortDateTime' }),
  ],
  target: { header: 'To', of: bankOf },
  line: ({ walletName, bankName, bankLast4 }) => `${walletName} to ${bankName} ••${bankLast4}`,
  rail: withdrawalRail,
  facts: (one, { bankDetails }) => [
    { label: 'From', value: `${one.walletName} ••${one.walletLast4}` },
    {
      label: 'To',
      value: (
        <>
          {`${one.bankName} ••${one.bankLast4} `}
          {bankDetails}
        </>
      ),
    },
    { label: 'Urgency', value: URGENCY_LABELS[one.urgency] },
    { label: 'Submitted', value: <Time at={one.submittedAt} as="dateTime" /> },
    { label: 'Reason', value: one.reason },
  ],
  payer: (one) => ({
    context: one.context,
    payableFrom: one.expected === null ? null : stillCoolingOff(one),
  }),
  sentence: ({ amount, employee, bankName, bankLast4 }) => (
    <>
      <Money amount={amount} /> from <span className="strong">{employee.name}</span> to {bankName}{' '}
      ••{bankLast4}.
    </>
  ),
});

/** `/admin/withdrawals`; `?request=` opens one. */
export function WithdrawalsPage() {
  return (
    <>
      <ScreenHead />
      <DeskPage desk={DESK} />
    </>
  );
}
