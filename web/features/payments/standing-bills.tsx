import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { StandingBill } from '#contract/api.ts';
import { bankingDayOnOrBefore } from '#contract/banking-days.ts';
import { STANDING_HOLD_DAYS } from '#contract/bills.ts';
import { addDays } from '#contract/calendar.ts';
import { markStale } from '#web/api/live.ts';
import { isOutcomeUnknown, useMoneyMutation } from '#web/api/money-mutation.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { OutcomeNotice } from '#web/kit/outcome-notice.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatDay } from '#web/lib/format.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { describeRepeat } from './bill-review.tsx';
import { CONFIRM_FIRST, ReturnWords } from './returned-payee.tsx';

/** What is paid every week or month, the next one first. Nothing where there is none. */
export function StandingBills() {
  const query = useQuery(apiQuery('listStandingBills', {}));
  const [stopped, setStopped] = useState<StandingBill>();
  if (query.isError) return <QueryError query={query} what="your standing bills" />;
  if (query.data === undefined || query.data.items.length === 0) return null;
  return (
    <Section title="Standing bills">
      <Table
        label="Standing bills, the next one first"
        columns={columnsOf(setStopped)}
        rows={query.data.items}
        rowKey={({ id }) => id}
      />
      {stopped !== undefined && (
        <StopStandingBill standing={stopped} onClose={() => setStopped(undefined)} />
      )}
    </Section>
  );
}

function columnsOf(onStop: (standing: StandingBill) => void): Column<StandingBill>[] {
  return [
    {
      id: 'payee',
      header: 'Payee',
      isRowHeader: true,
      narrow: 'start',
      cell: (standing) => (
        <span className="payee">
          <span>
            {standing.payee.name} <span className="meta num">••{standing.payee.last4}</span>
          </span>
          <span className="meta num">
            {describeRepeat(standing)}
            {standing.nextOn !== null && (
              <span className="payee__narrow">
                , next {formatDay(bankingDayOnOrBefore(standing.nextOn), 'short')}
              </span>
            )}
          </span>
          {standing.payee.returned !== null && (
            <span className="meta payee__note">
              <Status status="returned" label="Waiting" />{' '}
              <ReturnWords returned={standing.payee.returned} />. {CONFIRM_FIRST}
            </span>
          )}
          {standing.payee.returned === null && standing.refusal !== null && (
            <span className="meta payee__note">
              <Status status="pending" label="Waiting" /> {standing.refusal}
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'next',
      header: 'Next',
      narrow: 'hidden',
      cell: ({ nextOn }) => nextOn !== null && <NextBill day={bankingDayOnOrBefore(nextOn)} />,
    },
    moneyColumn({
      narrow: 'end',
      amount: ({ amount }) => ({ ...amount, minor: `-${amount.minor}` }),
    }),
    actionsColumn({
      narrow: 'end-second',
      nameOf: ({ payee }) => `the standing bill to ${payee.name}`,
      actions: (standing) => [{ label: 'Stop', onPress: () => onStop(standing) }],
    }),
  ];
}

/** Asks, then stops it. Shown while it is mounted. */
function StopStandingBill({ standing, onClose }: { standing: StandingBill; onClose: () => void }) {
  const queryClient = useQueryClient();
  const stop = useMoneyMutation('stopStandingBill', {
    onSuccess: () => {
      markStale(queryClient, 'payments');
      toast({ title: 'Standing Bill Stopped', tone: 'positive' });
      onClose();
    },
    onError: (error) => {
      markStale(queryClient, 'payments');
      // The question stays and says so: pressing again repeats the same request.
      if (isOutcomeUnknown(error)) return;
      const message = errorMessage(error, 'Please look again.');
      toast({ title: 'Unable to stop this standing bill', message, tone: 'critical' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Stop this standing bill?"
      isOpen
      onClose={onClose}
      onConfirm={() => stop.mutate({ params: { id: standing.id } })}
      keepLabel="Keep Standing Bill"
      confirmLabel="Stop Standing Bill"
      isPending={stop.isPending}
      pendingLabel="Stopping"
    >
      <p>
        <Money amount={standing.amount} /> to {standing.payee.name} stops. Bills already listed
        under Scheduled bills are still paid unless you cancel them.
      </p>
      <OutcomeNotice {...stop.outcome} what="your change" where="under Standing bills" />
    </ConfirmDialog>
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
