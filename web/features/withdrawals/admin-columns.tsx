import type { AdminWithdrawal } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { DEFAULT_WITHDRAWAL_REASON } from '#contract/withdrawals.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { selectionColumn } from '#web/kit/columns/selection.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { timeColumn } from '#web/kit/columns/time.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import type { Column } from '#web/ui/table.tsx';
import { DECISIONS, rowDecisions } from './decisions.ts';
import { URGENCY_LABELS } from './urgency.ts';
import type { Deciding } from './withdrawal-decision.tsx';

interface ColumnHandlers {
  /** "Can be paid from Nov 26, 9:04 AM"; undefined once it may. */
  paidFrom: (withdrawal: AdminWithdrawal) => string | undefined;
  onOpen: (withdrawal: AdminWithdrawal) => void;
  onDecide: (deciding: Deciding) => void;
}

/** "Grace Achieng, $620.00": which row a button acts on, for those who do not see the row. */
function nameOf({ employee, amount }: AdminWithdrawal): string {
  return `${employee.name}, ${formatMoney(amount)}`;
}

/** Withdrawals of all employees, each with what can be decided about it now. */
export function withdrawalColumns({
  paidFrom,
  onOpen,
  onDecide,
}: ColumnHandlers): readonly Column<AdminWithdrawal>[] {
  return [
    selectionColumn(nameOf),
    personColumn({
      narrow: 'start',
      person: ({ employee }) => employee,
      open: { label: (row) => `Open ${nameOf(row)}`, onOpen },
    }),
    {
      id: 'urgency',
      header: 'Urgency',
      narrow: 'hidden',
      isWideOnly: true,
      cell: ({ urgency }) => (
        <span className={urgency === 'high' ? 'strong' : 'muted'}>{URGENCY_LABELS[urgency]}</span>
      ),
    },
    bankColumn({
      narrow: 'hidden',
      isWideOnly: true,
      bank: ({ bankName, bankLast4 }) => ({ name: bankName, last4: bankLast4 }),
    }),
    {
      id: 'reason',
      header: 'Reason',
      narrow: 'hidden',
      isWidestOnly: true,
      cell: ({ reason }) => (
        <Clipped className={reason === DEFAULT_WITHDRAWAL_REASON ? 'faint' : 'muted'}>
          {reason}
        </Clipped>
      ),
    },
    timeColumn({
      narrow: 'start-second',
      at: ({ submittedAt }) => submittedAt,
      as: 'shortDateTime',
    }),
    statusColumn({ narrow: 'end-second', status: ({ status }) => status }),
    moneyColumn({
      narrow: 'end',
      amount: ({ amount }) => amount,
      isFaded: ({ status }) => ['rejected', 'cancelled', 'returned'].includes(status),
    }),
    actionsColumn({
      narrow: 'hidden',
      nameOf,
      actions: (withdrawal) => {
        const decisions = rowDecisions(withdrawal);
        if (decisions.length === 0) {
          const label = withdrawal.status === 'approved' ? paidFrom(withdrawal) : undefined;
          return [{ label: label ?? 'Details', isQuiet: true, onPress: () => onOpen(withdrawal) }];
        }
        return decisions.map((decision) => ({
          ...DECISIONS[decision],
          onPress: () => onDecide({ decision, withdrawal }),
        }));
      },
    }),
  ];
}
