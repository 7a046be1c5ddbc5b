import type { AdminBankAccount } from '#contract/api.ts';
import { bankAccountList } from '#contract/lists.ts';
import { bankAccount } from '#contract/things/bank-account.ts';
import { defineDesk } from '#web/desk/desk.ts';
import { DeskPage } from '#web/desk/desk-page.tsx';
import {
  accountFacts,
  AccountNotices,
  bankAccountRail,
  BeforeDecision,
  isDoubtful,
  PaidAfterVerifying,
} from '#web/features/bank-accounts/account-facts.tsx';
import { AccountNumber } from '#web/features/bank-accounts/admin-number.tsx';
import { HolderCell } from '#web/features/bank-accounts/holder-check.tsx';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { ageColumn } from '#web/kit/columns/time.tsx';
import { STATUS_FILTER } from '#web/kit/filters.ts';
import { stillCoolingOff } from '#web/lib/payable-from.ts';
import type { Column } from '#web/ui/table.tsx';

const labelOf = ({ bankName, accountNumberLast4 }: AdminBankAccount) =>
  `${bankName} ••${accountNumberLast4}`;

const HOLDER: Column<AdminBankAccount> = {
  id: 'holder',
  header: 'Account holder',
  narrow: 'hidden',
  cell: (account) => <HolderCell account={account} />,
};

const DESK = defineDesk(bankAccount, bankAccountList, 'adminGetBankAccount', {
  opened: 'account',
  words: {
    label: 'Bank accounts',
    itemNoun: 'bank accounts',
    search: { label: 'Search bank accounts', placeholder: 'Search employee or bank' },
    none: {
      title: 'No bank accounts waiting',
      hint: 'Bank accounts appear here until they are verified or rejected.',
    },
    noMatch: 'No bank accounts found',
  },
  filters: { status: STATUS_FILTER },
  columns: (now) => [
    textColumn({ id: 'bank', header: 'Bank', narrow: 'start-second', text: (row) => row.bankName }),
    HOLDER,
    referenceColumn({
      id: 'routing',
      header: 'Routing number',
      narrow: 'hidden',
      reference: (row) => row.routingNumber,
    }),
    {
      id: 'number',
      header: 'Account number',
      narrow: 'hidden',
      cell: (account) => <AccountNumber account={account} />,
    },
    ageColumn({
      narrow: 'hidden',
      isWidestOnly: true,
      at: ({ history, addedAt }) => history[0]?.at ?? addedAt,
      now,
    }),
  ],
  target: {
    header: 'Bank',
    of: ({ bankName: name, accountNumberLast4: last4 }) => ({ name, last4 }),
  },
  bulkColumns: [HOLDER],
  line: labelOf,
  rail: bankAccountRail,
  facts: accountFacts,
  payer: (one) => ({ context: one.context, payableFrom: stillCoolingOff(one) }),
  below: (one) => <AccountNotices account={one} />,
  sentence: (account, act) =>
    act === 'verify' ? (
      <PaidAfterVerifying account={account} />
    ) : (
      <>
        <span className="strong">{account.employee.name}</span>, {labelOf(account)}, in the name of{' '}
        {account.accountHolderName}.
      </>
    ),
  before: {
    verify: (one) => <BeforeDecision account={one} />,
    reject: (one) => <BeforeDecision account={one} />,
  },
  alone: {
    act: 'verify',
    is: isDoubtful,
    because: 'the holder’s name differs or the account is shared',
  },
});

/** `/admin/bank-accounts`; `?account=` opens one. */
export function BankAccountsPage() {
  return (
    <>
      <ScreenHead />
      <DeskPage desk={DESK} />
    </>
  );
}
