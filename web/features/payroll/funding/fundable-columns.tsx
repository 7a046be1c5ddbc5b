import type { FundableEmployee } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import { FUNDING_TYPES } from '#contract/funding.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { textColumn } from '#web/kit/columns/text.tsx';
import { Money } from '#web/ui/money.tsx';
import type { Column } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';

interface FundableActions {
  onOpen: (employee: FundableEmployee) => void;
  onFund: (employee: FundableEmployee) => void;
}

/** Who can be funded, with what they have and what they were last funded with. */
export function fundableColumns({ onOpen, onFund }: FundableActions): Column<FundableEmployee>[] {
  return [
    personColumn({
      narrow: 'start',
      person: (employee) => employee,
      open: { label: ({ name }) => `Open ${name}`, onOpen },
    }),
    textColumn({
      id: 'department',
      header: 'Department',
      narrow: 'start-second',
      text: ({ department }) => DEPARTMENTS[department],
    }),
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
      header: 'Last funding',
      narrow: 'hidden',
      cell: ({ lastFunding }) =>
        lastFunding === null ? (
          <span className="faint">Never</span>
        ) : (
          <span className="muted num nowrap">
            <Time at={lastFunding.at} as="short" />, {FUNDING_TYPES[lastFunding.type].label}
          </span>
        ),
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      narrow: 'hidden',
      cell: ({ lastFunding }) => lastFunding !== null && <Money amount={lastFunding.amount} />,
    },
    actionsColumn({
      narrow: 'end-second',
      nameOf: ({ name }) => name,
      actions: (employee) => [
        employee.account === null
          ? { label: 'Open Account', onPress: () => onOpen(employee) }
          : { label: 'Fund Employee', kind: 'money', onPress: () => onFund(employee) },
      ],
    }),
  ];
}
