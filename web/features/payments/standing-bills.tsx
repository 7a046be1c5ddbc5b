import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { StandingBill } from '#contract/api.ts';
import { bankingDayOnOrBefore } from '#contract/banking-days.ts';
import { addDays } from '#contract/calendar.ts';
import { STANDING_HOLD_DAYS } from '#contract/bills.ts';
import { negated } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ConfirmAction, questionTo } from '#web/kit/action.tsx';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatDay } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { describeRepeat } from './bill-steps.tsx';
import { confirmFirst, payeeColumn } from './returned-payee.tsx';

/** Bills that are paid every week or month, the next one first. Nothing where there is none. */
export function StandingBills() {
  const query = useQuery(apiQuery('listStandingBills', {}));
  const [stopped, setStopped] = useState<StandingBill>();
  const bills = query.data?.items ?? [];
  return (
    <>
      {query.isError && <QueryError query={query} what="your standing bills" />}
      {bills.length > 0 && (
        <Section title="Standing bills">
          <Table
            label="Standing bills, the next one first"
            columns={columnsOf(setStopped)}
            rows={bills}
          />
        </Section>
      )}
      {stopped !== undefined && (
        <StopStandingBill standing={stopped} onClose={() => setStopped(undefined)} />
      )}
    </>
  );
}

function columnsOf(onStop: (standing: StandingBill) => void): Column<StandingBill>[] {
  return [
    payeeColumn({
      name: ({ payee }) => (
        <>
          {payee.name} <span className="meta num">••{payee.last4}</span>
        </>
      ),
      detail: (standing) => (
        <>
          {describeRepeat(standing)}
          {standing.nextOn !== null && (
            <span className="payee__narrow">
              , next {formatDay(payDayOf(standing, standing.nextOn), 'short')}
            </span>
          )}
        </>
      ),
      note: ({ payee, refusal }) =>
        confirmFirst(payee.returned) ??
        (refusal && (
          <>
            <Status status="pending" label="Waiting" /> {refusal}
          </>
        )),
    }),
    {
      id: 'next',
      header: 'Next',
      narrow: 'hidden',
      cell: (standing) =>
        standing.nextOn !== null && <NextBill day={payDayOf(standing, standing.nextOn)} />,
    },
    moneyColumn({
      narrow: 'end',
      amount: ({ amount }) => negated(amount),
    }),
    actionsColumn({
      narrow: 'end-second',
      nameOf: ({ payee }) => `the standing bill to ${payee.name}`,
      actions: (standing) => [{ label: 'Stop', onPress: () => onStop(standing) }],
    }),
  ];
}

/** The banking day on which a bill for a day is paid. */
function payDayOf({ amount }: StandingBill, day: string): string {
  return bankingDayOnOrBefore(day, amount.currency);
}

/** Asks, then stops it. Shown while it is mounted. */
function StopStandingBill({ standing, onClose }: { standing: StandingBill; onClose: () => void }) {
  const { id, amount, payee } = standing;
  return (
    <ConfirmAction
      {...questionTo('Stop', 'standing bill')}
      send={(_, options) => call('stopStandingBill', { params: { id } }, options)}
      topics={['payments']}
      done={{ title: 'Standing Bill Stopped' }}
      failed="Unable to stop this standing bill"
      sent={{ what: 'your change', where: 'under Standing bills' }}
      onClose={onClose}
    >
      <Money amount={amount} /> to {payee.name} stops. Bills already listed under Scheduled bills
      are still paid unless you cancel them.
    </ConfirmAction>
  );
}

/** The banking day on which the next bill is paid, and the day its amount is held. */
function NextBill({ day }: { day: string }) {
  return (
    <span className="nowrap num">
      {formatDay(day, 'short')}{' '}
      <span className="meta">held {formatDay(addDays(day, -STANDING_HOLD_DAYS), 'short')}</span>
    </span>
  );
}
