import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RouteReply, RouteArguments } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction } from '#web/kit/action.tsx';
import { formatDay } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { countedEntries, entriesOf, lotOf, payeesWords, type Lot } from './lots.ts';
import { easternTime, TimeLeft } from './same-day-time.tsx';
import { sumOf } from './sum-of.ts';

/** Payments that go into a file: chosen payments, or everything of a part that is too large to choose from. */
export type Choice = Pick<
  RouteArguments<'adminMakePayoutFile'>['body'],
  'withdrawalIds' | 'billIds' | 'bankAccountIds' | 'all'
>;

interface MakePayoutFileProps {
  lots: readonly Lot[];
  choice: Choice;
  payouts: RouteReply<'adminGetPayouts'>;
  onClose: () => void;
  onMade: () => void;
}

/** Asks before a payout file is made, with its batches, and then opens it. */
export function MakePayoutFile({ lots, choice, payouts, onClose, onMade }: MakePayoutFileProps) {
  const navigate = useNavigate();
  const [speed, setSpeed] = useState<'next' | 'same'>('next');
  const { bankName, bankLast4, onItsWay, sameDay } = payouts;
  const count = lots.reduce((total, lot) => total + entriesOf(lot), 0);
  const sum = formatMoney(
    sumOf(
      lots.map(({ total }) => ({ amount: total })),
      onItsWay,
    ),
  );
  const isOfAccounts = lots.every(
    ({ payees }) => payees === 'accounts' || payees === 'micro_deposits',
  );
  const hasPeople = lots.some(({ payees }) => payees === 'people');
  return (
    <ConfirmAction
      title="Make a payout file?"
      keep="Not Yet"
      confirm="Make Payout File"
      pending="Making"
      kind="money"
      sent={{ what: 'your file', where: 'in the list of files' }}
      send={(_input, options) =>
        call('adminMakePayoutFile', { body: { ...choice, isSameDay: speed === 'same' } }, options)
      }
      topics={['payouts']}
      done={({ number, total }) => ({
        title: 'Payout File Made',
        message: `File ${number}, ${formatMoney(total)}.`,
      })}
      failed="Payout file not made"
      onDone={async ({ number }) => {
        onMade();
        await navigate({ to: '/admin/payouts/$number', params: { number } });
      }}
      onClose={onClose}
      details={
        <>
          <Table
            label="Batches of the file"
            isDense
            columns={columnsOf(sum, count)}
            rows={lots}
            rowKey={lotOf}
          />
          {sameDay !== null && hasPeople && (
            <RadioChoices
              label="Speed"
              name="speed"
              value={speed}
              onChange={setSpeed}
              choices={[
                { value: 'next', label: 'Next banking day', consequence: 'On their dates' },
                {
                  value: 'same',
                  label: 'Same day, for people',
                  consequence: 'Today',
                  consequenceDetail: `Each up to ${formatMoney(sameDay.most)}`,
                },
              ]}
            />
          )}
          {sameDay !== null && hasPeople && speed === 'same' && (
            <p className="meta">
              To the bank before {easternTime(sameDay.until)}. <TimeLeft until={sameDay.until} />.
              Larger payments arrive on the next banking day.
            </p>
          )}
          <p className="payout-note">
            {lots.some(({ payees }) => payees === 'micro_deposits') &&
              'Two amounts of less than $1.00 are drawn for each account that gets micro-deposits, and are added to the sum. '}
            {isOfAccounts
              ? `Making the file moves nothing yet. Give it to ${bankName}, then mark it as sent.`
              : 'Making the file moves nothing yet. The payments stay on hold and wait in the file until you mark it as sent.'}
          </p>
        </>
      }
    >
      {sum} from {bankName} ••{bankLast4}, {countedEntries(lots)}.
    </ConfirmAction>
  );
}

function columnsOf(sum: string, count: number): readonly Column<Lot>[] {
  return [
    {
      id: 'batch',
      header: 'Batch',
      isRowHeader: true,
      cell: ({ payees, total }) => payeesWords(payees, total.currency === 'USD'),
      total: 'Total',
    },
    {
      id: 'effective',
      header: 'Effective',
      cell: ({ effectiveOn }) => formatDay(effectiveOn, 'short'),
      total: '',
    },
    {
      id: 'entries',
      header: 'Entries',
      align: 'right',
      cell: (lot) => <span className="num">{entriesOf(lot)}</span>,
      total: <span className="num">{count}</span>,
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      cell: ({ total }) => <Money amount={total} />,
      total: <span className="num">{sum}</span>,
    },
  ];
}
