import type { AdminDeposit } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { depositCan } from '#contract/deposits.ts';
import { formatMoney } from '#contract/money.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { selectionColumn } from '#web/kit/columns/selection.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import type { Column } from '#web/ui/table.tsx';
import { DECISIONS, DECISION_NAMES, type Deciding } from './deposit-decision.tsx';

interface ColumnHandlers {
  onOpen: (deposit: AdminDeposit) => void;
  onDecide: (deciding: Deciding) => void;
}

/** "Grace Achieng, $620.00": which row a button acts on, for those who do not see the row. */
function nameOf({ employee, amount }: AdminDeposit): string {
  return `${employee.name}, ${formatMoney(amount)}`;
}

/** "ACH transfer to Salary Wallet ••6093" */
export function wayOf({ methodName, walletName, walletLast4 }: AdminDeposit): string {
  return `${methodName} to ${walletName} ••${walletLast4}`;
}

/** Whether anything can be decided about it. */
export function isOpen({ status }: AdminDeposit): boolean {
  return can(depositCan, 'approve', status);
}

/** Deposits of all employees, each with what can be decided about it now. */
export function depositColumns({
  onOpen,
  onDecide,
}: ColumnHandlers): readonly Column<AdminDeposit>[] {
  return [
    selectionColumn(nameOf),
    personColumn({
      narrow: 'start',
      person: ({ employee }) => employee,
      open: { label: (row) => `Open ${nameOf(row)}`, onOpen },
    }),
    {
      id: 'deposit',
      header: 'Deposit',
      narrow: 'hidden',
      isWideOnly: true,
      cell: (row) => <Clipped className="muted">{wayOf(row)}</Clipped>,
    },
    {
      id: 'reference',
      header: 'Reference',
      narrow: 'hidden',
      isWideOnly: true,
      cell: ({ reference }) => <span className="muted num nowrap">{reference}</span>,
    },
    timeColumn({
      narrow: 'start-second',
      at: ({ submittedAt }) => submittedAt,
      as: 'shortDateTime',
    }),
    statusColumn({
      narrow: 'end-second',
      status: ({ status }) => status,
      isFinal: ({ status }) => status === 'approved',
    }),
    moneyColumn({
      narrow: 'end',
      amount: ({ amount }) => amount,
      isFaded: ({ status }) => status === 'rejected' || status === 'cancelled',
    }),
    actionsColumn({
      narrow: 'hidden',
      nameOf,
      actions: (deposit) => {
        if (!isOpen(deposit)) {
          return [{ label: 'Details', isQuiet: true, onPress: () => onOpen(deposit) }];
        }
        return DECISION_NAMES.map((decision) => ({
          label: DECISIONS[decision].label,
          ...(decision === 'approve' && { kind: 'money' as const }),
          onPress: () => onDecide({ decision, deposit }),
        }));
      },
    }),
  ];
}
