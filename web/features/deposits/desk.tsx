import type { AdminDeposit } from '#contract/api.ts';
import { DEPOSIT_METHODS, type DepositMethodId } from '#contract/deposits.ts';
import { depositList } from '#contract/lists.ts';
import { deposit } from '#contract/things/deposit.ts';
import { defineDesk } from '#web/desk/desk.ts';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { STATUS_FILTER } from '#web/kit/filters.ts';
import { Money } from '#web/ui/money.tsx';
import { DepositStats } from './admin-stats.tsx';
import { CheckImages } from './check-images.tsx';
import { BeforeApproval, depositFacts, wayOf } from './deposit-facts.tsx';
import { adminDepositRail } from './deposit-rail.ts';
import './deposit.css';

/** Deposits of all employees. The dashboard decides the newest by the same declaration. */
export const DEPOSIT_DESK = defineDesk(deposit, depositList, 'adminGetDeposit', {
  opened: 'deposit',
  words: {
    label: 'Deposit requests',
    itemNoun: 'deposits',
    search: { label: 'Search deposits', placeholder: 'Search employee, description or reference' },
    none: {
      title: 'No pending deposits',
      hint: 'Deposits appear here until they are approved or rejected.',
    },
    noMatch: 'No deposits found',
  },
  filters: {
    status: STATUS_FILTER,
    method: { label: 'Method', nameOf: (method: DepositMethodId) => DEPOSIT_METHODS[method].name },
  },
  Figures: DepositStats,
  columns: [
    textColumn({
      id: 'deposit',
      header: 'Deposit',
      narrow: 'hidden',
      isWideOnly: true,
      text: wayOf,
    }),
    referenceColumn({ narrow: 'hidden', isWideOnly: true, reference: (row) => row.reference }),
    timeColumn({ narrow: 'start-second', at: (row) => row.submittedAt, as: 'shortDateTime' }),
  ],
  target: { header: 'To', of: ({ walletName: name, walletLast4: last4 }) => ({ name, last4 }) },
  line: wayOf,
  rail: adminDepositRail,
  facts: depositFacts,
  below: ({ images }) => <CheckImages images={images} />,
  sentence: ({ amount, methodName, walletName, employee }: AdminDeposit) => (
    <>
      <Money amount={amount} /> by {methodName} to {walletName} of{' '}
      <span className="strong">{employee.name}</span>.
    </>
  ),
  before: { approve: (one) => <BeforeApproval deposit={one} /> },
});
