import { useQuery } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { PayrollForm } from './payroll-form.ts';
import { DEPARTMENT_LABELS } from './words.ts';

/** That a payday is near, and what is usually paid: sent already, or to fill the form with. */
export function DueNotice({ payroll }: { payroll: PayrollForm }) {
  const { data } = useQuery(apiQuery('adminGetPayrollStats', {}));
  if (data === undefined || data.due === null) return null;
  const { on, orders } = data.due;
  return (
    <div className="mb-4">
      <Notice tone="caution">
        <span className="strong">Payroll is due on {formatDay(on, 'weekday')}.</span>{' '}
        {orders.length === 0 ? 'None was sent yet.' : 'This was paid last:'}
        {orders.length > 0 && (
          <ul className="due-orders">
            {orders.map((order) => (
              <DueOrder key={`${order.walletType} ${order.department}`} {...{ order, payroll }} />
            ))}
          </ul>
        )}
      </Notice>
    </div>
  );
}

interface DueOrderProps {
  order: NonNullable<RouteReply<'adminGetPayrollStats'>['due']>['orders'][number];
  payroll: PayrollForm;
}

function DueOrder({ order, payroll }: DueOrderProps) {
  const { walletType, department, amount, isSent } = order;
  const what = `${WALLET_LABELS[walletType]}, ${DEPARTMENT_LABELS[department]}`;
  return (
    <li>
      <span>
        {what}: {formatMoney(amount)} each
      </span>
      {isSent ? (
        <span className="meta">Sent</span>
      ) : (
        <Button shape="text" aria-label={`Fill In ${what}`} onPress={() => payroll.fill(order)}>
          Fill In
        </Button>
      )}
    </li>
  );
}
