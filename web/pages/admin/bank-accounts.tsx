import type { AdminBankAccount } from '#contract/api.ts';
import {
  ACCOUNT_FORMAT_OF,
  ACCOUNTS,
  factLabel,
  type AccountFormat,
} from '#contract/account-formats.ts';
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
import { useCompany } from '#web/lib/company.ts';

const HOLDER = { id: 'holder', header: 'Account holder', narrow: 'hidden' } as const;
const ROUTING = { id: 'routing', narrow: 'hidden' } as const;
const NUMBER = { id: 'number', narrow: 'hidden' } as const;

/** The desk of a company whose accounts have this format. An account of another one has its numbers under these heads. */
function deskOf(format: AccountFormat) {
  const { routing, number } = ACCOUNTS[format];
  return defineDesk(bankAccount, bankAccountList, 'adminGetBankAccount', {
    opened: 'account',
    search: 'Search employee or bank',
    none: {
      title: 'No bank accounts waiting',
      hint: 'Bank accounts appear here until they are verified or rejected.',
    },
    columns: [
      textColumn({
        id: 'bank',
        header: 'Bank',
        narrow: 'start-second',
        text: (row) => row.bankName,
      }),
      { ...HOLDER, cell: (account) => <HolderCell account={account} /> },
      ...(routing === null
        ? []
        : [
            referenceColumn({
              ...ROUTING,
              header: factLabel(routing),
              reference: (row: AdminBankAccount) =>
                format === 'aba' ? row.routingNumber : routing.shown(row.routingNumber),
            }),
          ]),
      {
        ...NUMBER,
        header: factLabel(number),
        cell: (account) => <AccountNumber account={account} />,
      },
    ],
    time: { at: ({ history, addedAt }) => history[0]?.at ?? addedAt, as: 'age' },
    target: {
      header: 'Bank',
      of: (row) => ({ name: row.bankName, last4: row.accountNumberLast4 }),
    },
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
}

const DESKS = {
  aba: deskOf('aba'),
  sort_code: deskOf('sort_code'),
  iban: deskOf('iban'),
} as const satisfies Record<AccountFormat, unknown>;

/** `/admin/bank-accounts`; `?account=` opens one. */
export function BankAccountsPage() {
  const { currency } = useCompany();
  return <DeskPage desk={DESKS[ACCOUNT_FORMAT_OF[currency]]} />;
}
