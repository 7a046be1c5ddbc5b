import { bankAccountList } from '#contract/lists.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import { defineDesk } from '#web/desk/desk.ts';
import { DeskPage } from '#web/desk/desk-page.tsx';
import {
  accountFacts,
  AccountNotices,
  bankAccountRail,
  isDoubtful,
  PaidAfterVerifying,
} from '#web/features/bank-accounts/account-facts.tsx';
import { AccountNumber } from '#web/features/bank-accounts/admin-number.tsx';
import { HolderCell } from '#web/features/bank-accounts/holder-check.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';

const HOLDER = { id: 'holder', header: 'Account holder', narrow: 'hidden' } as const;
const ROUTING = { id: 'routing', header: 'Routing number', narrow: 'hidden' } as const;
const NUMBER = { id: 'number', header: 'Account number', narrow: 'hidden' } as const;

const DESK = defineDesk(bankAccount, bankAccountList, 'adminGetBankAccount', {
  opened: 'account',
  search: 'Search employee or bank',
  none: {
    title: 'No bank accounts waiting',
    hint: 'Bank accounts appear here until they are verified or rejected.',
  },
  columns: [
    textColumn({ id: 'bank', header: 'Bank', narrow: 'start-second', text: (row) => row.bankName }),
    { ...HOLDER, cell: (account) => <HolderCell account={account} /> },
    referenceColumn({ ...ROUTING, reference: (row) => row.routingNumber }),
    { ...NUMBER, cell: (account) => <AccountNumber account={account} /> },
  ],
  time: { at: ({ history, addedAt }) => history[0]?.at ?? addedAt, as: 'age' },
  target: { header: 'Bank', of: (row) => ({ name: row.bankName, last4: row.accountNumberLast4 }) },
  bulkColumns: [HOLDER.id],
  rail: bankAccountRail,
  facts: accountFacts,
  payer: 'Bank',
  below: (one) => <AccountNotices account={one} />,
  sentence: { verify: (account) => <PaidAfterVerifying account={account} /> },
  before: { verify: accountFacts, reject: accountFacts },
  needsReason: ({ check }) => check?.nameMatch === 'different',
  alone: {
    act: 'verify',
    is: isDoubtful,
    because: 'the holder’s name differs or the account is shared',
  },
});

/** `/admin/bank-accounts`; `?account=` opens one. */
export function BankAccountsPage() {
  return <DeskPage desk={DESK} />;
}
