import { useNavigate } from '@tanstack/react-router';
import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction } from '#web/kit/action.tsx';
import { counted, formatDay } from '#web/lib/format.ts';
import { Money } from '#web/ui/money.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { lotOf, PAYEES } from './lots.ts';
import type { Ready } from './payout-columns.tsx';
import { sumOf } from './sum-of.ts';

interface MakePayoutFileProps {
  chosen: readonly Ready[];
  payouts: RouteReply<'adminGetPayouts'>;
  onClose: () => void;
  onMade: () => void;
}

/** Asks before a payout file is made, with its batches, and then opens it. */
export function MakePayoutFile({ chosen, payouts, onClose, onMade }: MakePayoutFileProps) {
  const navigate = useNavigate();
  const { bankName, bankLast4, onItsWay } = payouts;
  const sum = formatMoney(sumOf(chosen, onItsWay));
  const idsOf = (kind: Ready['kind']) =>
    chosen.filter((one) => one.kind === kind).map(({ id }) => id);
  const batches = [...Map.groupBy(chosen, lotOf).values()];
  return (
    <ConfirmAction
      title="Make a payout file?"
      keep="Not Yet"
      confirm="Make Payout File"
      pending="Making"
      kind="money"
      sent={{ what: 'your file', where: 'in the list of files' }}
      send={(_input, options) =>
        call(
          'adminMakePayoutFile',
          { body: { withdrawalIds: idsOf('withdrawal'), billIds: idsOf('bill') } },
          options,
        )
      }
      topics={['payouts']}
      done={({ number }) => ({ title: 'Payout File Made', message: `File ${number}, ${sum}.` })}
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
            columns={columnsOf(sum)}
            rows={batches}
            rowKey={([first]) => first?.id ?? ''}
          />
          <p>
            Making the file moves nothing yet. The payments stay on hold and wait in the file until
            you mark it as sent.
          </p>
        </>
      }
    >
      {sum} from {bankName} ••{bankLast4}, {counted(chosen.length, 'payment')}.
    </ConfirmAction>
  );
}

function columnsOf(sum: string): readonly Column<Ready[]>[] {
  return [
    {
      id: 'batch',
      header: 'Batch',
      isRowHeader: true,
      cell: ([first]) =>
        first !== undefined && `${PAYEES[first.payees].name}, ${PAYEES[first.payees].entryClass}`,
      total: 'Total',
    },
    {
      id: 'effective',
      header: 'Effective',
      cell: ([first]) => first !== undefined && formatDay(first.effectiveOn, 'short'),
      total: '',
    },
    {
      id: 'entries',
      header: 'Entries',
      align: 'right',
      cell: (batch) => <span className="num">{batch.length}</span>,
      total: '',
    },
    {
      id: 'amount',
      header: 'Amount',
      align: 'right',
      cell(batch) {
        const [first] = batch;
        return first !== undefined && <Money amount={sumOf(batch, first.amount)} />;
      },
      total: <span className="num">{sum}</span>,
    },
  ];
}
