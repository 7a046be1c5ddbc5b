import type { FundableEmployee } from '#contract/api.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { departmentColumn } from '#web/kit/columns/text.tsx';
import { Money } from '#web/ui/money.tsx';
import type { Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { paidTypeWords } from '../paid-again.tsx';

interface FundableActions {
  /** Id of the signed-in admin, whom only other admins can fund. */
  viewerId: string | undefined;
  onOpen: (employee: FundableEmployee) => void;
  onFund: (employee: FundableEmployee) => void;
}

/** Columns of the employees who can be funded: their accounts and their last payment. */
export function fundableColumns({
  viewerId,
  onOpen,
  onFund,
}: FundableActions): Column<FundableEmployee>[] {
  return [
    personColumn({
      narrow: 'start',
      person: (employee) => employee,
      open: { label: ({ name }) => `Open ${name}`, onOpen },
    }),
    departmentColumn(),
    {
      id: 'account',
      header: 'Account',
      narrow: 'hidden',
      isWideOnly: true,
      cell: ({ account }) =>
        account === null ? (
          <span className="faint">No open account</span>
        ) : (
          <span className="muted nowrap">
            {account.name} ••{account.last4}
          </span>
        ),
    },
    {
      id: 'available',
      header: 'Available',
      align: 'right',
      narrow: 'end',
      cell: ({ account }) =>
        account === null ? <span className="faint">–</span> : <Money amount={account.available} />,
    },
    {
      id: 'last',
      header: 'Last paid',
      narrow: 'hidden',
      cell: ({ lastPaid }) =>
        lastPaid === null ? (
          <span className="faint">Never</span>
        ) : (
          <span className="muted num nowrap">
            <Time at={lastPaid.at} as="short" by="company" />, {paidTypeWords(lastPaid.type)}
          </span>
        ),
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'hidden',
      cell: ({ lastPaid }) => lastPaid !== null && <Money amount={lastPaid.amount} />,
    },
    actionsColumn({
      narrow: 'end-second',
      nameOf: ({ name }) => name,
      actions: (employee) => {
        if (employee.account === null) {
          return [{ label: 'Open Account', onPress: () => onOpen(employee) }];
        }
        if (employee.id === viewerId) return [];
        return [{ label: 'Fund Employee', kind: 'money', onPress: () => onFund(employee) }];
      },
    }),
  ];
}
