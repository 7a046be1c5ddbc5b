import type { AdminWithdrawal } from '#contract/api.ts';
import { withdrawalList } from '#contract/lists.ts';
import { withdrawal } from '#contract/things/withdrawal.ts';
import { DEFAULT_WITHDRAWAL_REASON, type Urgency } from '#contract/withdrawals.ts';
import { defineDesk } from '#web/desk/desk.ts';
import { DeskPage } from '#web/desk/desk-page.tsx';
import { WithdrawalStats } from '#web/features/withdrawals/admin-stats.tsx';
import { URGENCY_LABELS } from '#web/features/withdrawals/urgency.ts';
import { withdrawalRail } from '#web/features/withdrawals/withdrawal-rail.ts';
import { attemptFacts } from '#web/kit/attempt-facts.tsx';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { Time } from '#web/ui/time.tsx';

const bankOf = (row: AdminWithdrawal) => ({ name: row.bankName, last4: row.bankLast4 });

const DESK = defineDesk(withdrawal, withdrawalList, 'adminGetWithdrawal', {
  opened: 'request',
  label: 'Withdrawal requests',
  itemNoun: 'requests',
  search: 'Search employee, bank or reason',
  none: { title: 'No withdrawals yet', hint: 'Employees’ requests appear here.' },
  filters: { urgency: { label: 'Urgency', nameOf: (urgency: Urgency) => URGENCY_LABELS[urgency] } },
  Figures: WithdrawalStats,
  columns: [
    textColumn({
      id: 'urgency',
      header: 'Urgency',
      narrow: 'hidden',
      isWideOnly: true,
      text: ({ urgency }) => URGENCY_LABELS[urgency],
      look: ({ urgency }) => (urgency === 'high' ? 'strong' : 'muted'),
    }),
    bankColumn({ narrow: 'hidden', isWideOnly: true, bank: bankOf }),
    textColumn({
      id: 'reason',
      header: 'Reason',
      narrow: 'hidden',
      isWidestOnly: true,
      text: ({ reason }) => reason,
      look: ({ reason }) => (reason === DEFAULT_WITHDRAWAL_REASON ? 'faint' : 'muted'),
    }),
  ],
  target: { header: 'To', of: bankOf },
  rail: withdrawalRail,
  facts: (one, { to }) => [
    to,
    { label: 'Urgency', value: URGENCY_LABELS[one.urgency] },
    { label: 'Submitted', value: <Time at={one.submittedAt} as="dateTime" /> },
    { label: 'Reason', value: one.reason },
    ...attemptFacts(one, (id) => `/admin/withdrawals?request=${id}`),
  ],
  payer: 'Bank',
  leavesBy: 'startProcessing',
  reveal: 'adminRevealWithdrawals',
});

/** `/admin/withdrawals`; `?request=` opens one. */
export function WithdrawalsPage() {
  return <DeskPage desk={DESK} />;
}
