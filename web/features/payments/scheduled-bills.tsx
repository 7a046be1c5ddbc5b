import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Bill, Wallet } from '#contract/api.ts';
import { dayIn, daysBetween } from '#contract/calendar.ts';
import { formatMoney, money, negated } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ConfirmAction, questionTo } from '#web/kit/action.tsx';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { useCompany } from '#web/lib/company.ts';
import { formatDay } from '#web/lib/format.ts';
import { isLegal, refusalOf } from '#web/lib/offered-acts.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { confirmFirst, payeeColumn } from './returned-payee.tsx';

interface ScheduledBillsProps {
  wallets: readonly Wallet[];
  onChange: (bill: Bill) => void;
}

/** The bills whose money is held, soonest first. */
export function ScheduledBills({ wallets, onChange }: ScheduledBillsProps) {
  const query = useQuery(apiQuery('listScheduledBills', {}));
  const [cancelled, setCancelled] = useState<Bill>();
  const { timeZone } = useCompany();
  const [today] = useState(() => dayIn(timeZone, new Date()));
  return (
    <LoadedQuery query={query} what="your scheduled bills" lines={3}>
      {({ items, held }) => (
        <Section
          title="Scheduled bills"
          end={
            items.length > 0 && (
              <span className="muted num">
                <Money amount={held} /> held
              </span>
            )
          }
        >
          <Table
            label="Scheduled bills, soonest first"
            columns={columnsOf({ today, onChange, onCancel: setCancelled })}
            rows={items}
            empty={
              <EmptyState
                title="No scheduled bills"
                hint="A bill you schedule waits here until it is paid."
              />
            }
          />
          {cancelled !== undefined && (
            <CancelBill
              bill={cancelled}
              wallet={wallets.find(({ id }) => id === cancelled.walletId)}
              onClose={() => setCancelled(undefined)}
            />
          )}
        </Section>
      )}
    </LoadedQuery>
  );
}

interface ColumnHandlers {
  today: string;
  onChange: (bill: Bill) => void;
  onCancel: (bill: Bill) => void;
}

function columnsOf({ today, onChange, onCancel }: ColumnHandlers): Column<Bill>[] {
  return [
    payeeColumn({
      name: ({ payee }) => payee.name,
      detail: ({ payee, payOn, dueOn }) => (
        <>
          ••{payee.last4}
          {dueOn !== null && `, due ${formatDay(dueOn, 'short')}`}
          <span className="payee__narrow">, pays {formatDay(payOn, 'short')}</span>
        </>
      ),
      note: ({ payee, status }) => (status === 'sent' ? null : confirmFirst(payee.returned)),
    }),
    {
      id: 'payOn',
      header: 'Pays on',
      narrow: 'hidden',
      cell: ({ status, payOn }) =>
        status === 'scheduled' ? (
          <span className="nowrap num">
            {formatDay(payOn, 'short')} <span className="meta">{inDays(today, payOn)}</span>
          </span>
        ) : (
          <Status status={status} />
        ),
    },
    moneyColumn({
      narrow: 'end',
      amount: ({ amount }) => negated(amount),
    }),
    actionsColumn({
      narrow: 'end-second',
      nameOf: ({ payee }) => `the bill to ${payee.name}`,
      actions: (bill) => [
        ...(isLegal(bill, 'change')
          ? [
              {
                label: 'Change',
                isQuiet: true,
                why: refusalOf(bill, 'change'),
                onPress: () => onChange(bill),
              },
            ]
          : []),
        ...(isLegal(bill, 'cancel')
          ? [{ label: 'Cancel', why: refusalOf(bill, 'cancel'), onPress: () => onCancel(bill) }]
          : []),
      ],
    }),
  ];
}

/** "in 10 days" */
function inDays(today: string, day: string): string {
  const days = daysBetween(today, day);
  if (days <= 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}

interface CancelBillProps {
  bill: Bill;
  /** The one it comes from; undefined where it was closed. */
  wallet: Wallet | undefined;
  onClose: () => void;
}

/** Asks, then cancels the bill. Shown while it is mounted. */
function CancelBill({ bill, wallet, onClose }: CancelBillProps) {
  const { id, amount, payee, payOn, walletName } = bill;
  const after =
    wallet === undefined
      ? undefined
      : money(BigInt(wallet.available.minor) + BigInt(amount.minor), amount.currency);
  return (
    <ConfirmAction
      {...questionTo('Cancel', 'bill')}
      send={(_, options) => call('cancelBill', { params: { id } }, options)}
      topics={['payments', 'wallets']}
      done={{ title: 'Bill Cancelled', message: `${formatMoney(amount)} is available again.` }}
      failed="Unable to cancel this bill"
      sent={{ what: 'your cancellation', where: 'under Scheduled bills' }}
      onClose={onClose}
    >
      <Money amount={amount} /> to {payee.name} will not be paid on {formatDay(payOn, 'short')}. It
      returns to {walletName} now
      {after !== undefined && (
        <>
          ; available becomes <Money amount={after} />
        </>
      )}
      .
    </ConfirmAction>
  );
}
