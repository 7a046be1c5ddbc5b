import type { AdminBill } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { bankColumn } from '#web/kit/columns/bank.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { personColumn } from '#web/kit/columns/person.tsx';
import { selectionColumn } from '#web/kit/columns/selection.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { formatDay } from '#web/lib/format.ts';
import type { Column } from '#web/ui/table.tsx';
import { BILL_DECISIONS, billDecisions, type DecidingBill } from './bill-decision.tsx';

interface ColumnHandlers {
  /** "Can be paid from Nov 26, 9:04 AM" or "Payee not confirmed"; undefined once it may. */
  paidFrom: (bill: AdminBill) => string | undefined;
  onOpen: (bill: AdminBill) => void;
  onDecide: (deciding: DecidingBill) => void;
}

/** "Grace Achieng, $70.00": which row a button acts on, for those who do not see the row. */
function nameOf({ employee, amount }: AdminBill): string {
  return `${employee.name}, ${formatMoney(amount)}`;
}

/** Bills of all employees, each with what can be decided about it now. */
export function billColumns({
  paidFrom,
  onOpen,
  onDecide,
}: ColumnHandlers): readonly Column<AdminBill>[] {
  return [
    selectionColumn(nameOf),
    personColumn({
      narrow: 'start',
      person: ({ employee }) => employee,
      open: { label: (row) => `Open ${nameOf(row)}`, onOpen },
    }),
    bankColumn({ header: 'Payee', narrow: 'hidden', bank: ({ payee }) => payee }),
    {
      id: 'payOn',
      header: 'Pays on',
      narrow: 'start-second',
      cell: ({ payOn }) => <span className="muted nowrap">{formatDay(payOn, 'date')}</span>,
    },
    statusColumn({ narrow: 'end-second', status: ({ status }) => status }),
    moneyColumn({
      narrow: 'end',
      amount: ({ amount }) => amount,
      isFaded: ({ status }) => ['rejected', 'cancelled', 'returned'].includes(status),
    }),
    actionsColumn({
      narrow: 'hidden',
      nameOf,
      actions: (bill) => {
        const decisions = billDecisions(bill, { isRow: true });
        const waits = bill.status === 'due' ? paidFrom(bill) : undefined;
        const opens = (label: string) => ({ label, isQuiet: true, onPress: () => onOpen(bill) });
        const decides = decisions.map((decision) => ({
          ...BILL_DECISIONS[decision],
          onPress: () => onDecide({ decision, bill }),
        }));
        if (waits !== undefined) return [...decides, opens(waits)];
        return decides.length === 0 ? [opens('Details')] : decides;
      },
    }),
  ];
}
