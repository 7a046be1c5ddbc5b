import { methodName } from '#contract/deposits.ts';
import { depositList } from '#contract/lists.ts';
import { deposit } from '#contract/things/deposit.ts';
import { defineDesk } from '#web/desk/desk.ts';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { DepositStats } from './admin-stats.tsx';
import { CheckImages } from './check-images.tsx';
import { depositFacts, factsBeforeApproval, wayOf } from './deposit-facts.tsx';
import { adminDepositRail } from './deposit-rail.ts';
import './deposit.css';

const WAY = { id: 'deposit', header: 'Deposit', narrow: 'hidden', isWideOnly: true } as const;

/** Deposits of all employees. The dashboard decides the newest by the same declaration. */
export const DEPOSIT_DESK = defineDesk(deposit, depositList, 'adminGetDeposit', {
  opened: 'deposit',
  label: 'Deposit requests',
  search: 'Search employee, description or reference',
  none: {
    title: 'No pending deposits',
    hint: 'Deposits appear here until they are approved or rejected.',
  },
  filters: {
    method: { label: 'Method', nameOf: methodName },
  },
  Figures: DepositStats,
  columns: [
    textColumn({ ...WAY, text: wayOf }),
    referenceColumn({ narrow: 'hidden', isWideOnly: true, reference: (row) => row.reference }),
  ],
  target: { header: 'To', of: ({ walletName: name, walletLast4: last4 }) => ({ name, last4 }) },
  by: (row) => row.methodName,
  rail: adminDepositRail,
  facts: depositFacts,
  below: ({ images }) => <CheckImages images={images} />,
  before: { confirm: factsBeforeApproval, approve: factsBeforeApproval },
});
