import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { PayrollForm, PayrollOrder } from './payroll-form.ts';
import { DEPARTMENT_LABELS } from './words.ts';

type DuePayroll = NonNullable<RouteReply<'adminGetPayrollStats'>['due']>;
type DueOrder = DuePayroll['orders'][number];

/** Notice that a payday is near, with the part of the usual amount that was already sent. */
export function DueNotice({ payroll }: { payroll: PayrollForm }) {
  const { data } = useQuery(apiQuery('adminGetPayrollStats', {}));
  const [isOpen, setOpen] = useState(false);
  if (data === undefined || data.due === null) return null;
  const { on, orders, prepared } = data.due;
  const sent = orders.filter(({ isSent }) => isSent).length;
  return (
    <div className="due-notice">
      <Notice tone="caution">
        <span className="strong">Payroll is due on {formatDay(on, 'weekday')}.</span>{' '}
        {sent === 0
          ? 'None has been sent yet.'
          : `${sent} of ${orders.length} that are usually paid were sent.`}{' '}
        {prepared.map(({ id, name }) => (
          <TextLink key={id} href={`/admin/payroll?draft=${id}`}>{`Review ${name}`}</TextLink>
        ))}
        {orders.length > 0 && prepared.length === 0 && (
          <Button kind="quiet" shape="text" onPress={() => setOpen(true)}>
            Fill In Last Payroll
          </Button>
        )}
      </Notice>
      <Dialog
        title={`Payroll due on ${formatDay(on, 'weekday')}`}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <p className="muted">
          Fill the form with the last payroll. Nothing is sent until you confirm the preview.
        </p>
        <ul className="act-rows mt-4">
          {orders.map((order) => (
            <OrderRow
              key={`${order.walletType} ${order.department}`}
              order={order}
              onChoose={(chosen) => {
                payroll.fill(chosen);
                setOpen(false);
              }}
            />
          ))}
        </ul>
      </Dialog>
    </div>
  );
}

/** Values for the form, which pays the same amount to each; null for other orders. */
function formOf({ department, amount, walletType, description }: DueOrder): PayrollOrder | null {
  if (department === 'chosen' || amount === null) return null;
  return { walletType, department, amount, description };
}

interface OrderRowProps {
  order: DueOrder;
  onChoose: (order: PayrollOrder) => void;
}

function OrderRow({ order, onChoose }: OrderRowProps) {
  const { walletType, department, amount, isSent } = order;
  const form = formOf(order);
  const what = `${WALLET_LABELS[walletType]}, ${DEPARTMENT_LABELS[department]}`;
  return (
    <li>
      <span>
        {what}
        <span className="meta num due-orders__amount">
          {amount === null ? 'Each person’s own amount' : `${formatMoney(amount)} each`}
        </span>
      </span>
      {isSent ? (
        <span className="meta">Sent</span>
      ) : (
        form !== null && (
          <Button shape="text" aria-label={`Fill In ${what}`} onPress={() => onChoose(form)}>
            Fill In
          </Button>
        )
      )}
    </li>
  );
}
