import type { AdminBankAccount } from '#contract/api.ts';
import { bankAccountCan } from '#contract/bank-accounts.ts';
import { can } from '#contract/can.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { referenceColumn } from '#web/kit/columns/reference.tsx';
import { selectionColumn } from '#web/kit/columns/selection.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { ageColumn } from '#web/kit/columns/time.tsx';
import type { Column } from '#web/ui/table.tsx';
import { decisionsFor, DECISIONS, type Deciding } from './admin-decision.tsx';
import { AccountNumber } from './admin-number.tsx';
import { HolderCell } from './holder-check.tsx';

interface ColumnOptions {
  /** The moment that ages are counted from. */
  now: number;
  onOpen: (account: AdminBankAccount) => void;
  onDecide: (deciding: Deciding) => void;
}

/** "Grace Achieng, Cascade Federal ••2208": which row a button acts on, for those who do not see the row. */
function nameOf({ employee, bankName, accountNumberLast4 }: AdminBankAccount): string {
  return `${employee.name}, ${bankName} ••${accountNumberLast4}`;
}

/** Whether it waits to be decided. */
export function isOpen({ status }: AdminBankAccount): boolean {
  return can(bankAccountCan, 'verify', status);
}

/** Bank accounts of all employees, each with what has to be checked and decided. */
export function bankAccountColumns({
  now,
  onOpen,
  onDecide,
}: ColumnOptions): readonly Column<AdminBankAccount>[] {
  return [
    selectionColumn(nameOf),
    personColumn({
      narrow: 'start',
      person: ({ employee }) => employee,
      open: { label: (row) => `Open ${nameOf(row)}`, onOpen },
    }),
    textColumn({
      id: 'bank',
      header: 'Bank',
      narrow: 'start-second',
      text: ({ bankName }) => bankName,
    }),
    {
      id: 'holder',
      header: 'Account holder',
      narrow: 'hidden',
      cell: (account) => <HolderCell account={account} />,
    },
    referenceColumn({
      id: 'routing',
      header: 'Routing number',
      narrow: 'hidden',
      reference: ({ routingNumber }) => routingNumber,
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
    statusColumn({ narrow: 'end', status: ({ status }) => status }),
    actionsColumn({
      narrow: 'end-second',
      nameOf,
      actions: (account) =>
        account.mayVerify
          ? decisionsFor(account).map((decision) => ({
              label: DECISIONS[decision].label,
              onPress: () => onDecide({ decision, account }),
            }))
          : [{ label: 'Details', isQuiet: true, onPress: () => onOpen(account) }],
    }),
  ];
}
