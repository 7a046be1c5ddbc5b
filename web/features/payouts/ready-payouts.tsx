import { useMemo, useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { ActBar } from '#web/kit/act-bar.tsx';
import { selectionColumn } from '#web/kit/columns/selection.tsx';
import { SelectionContext, useSelection, type Selection } from '#web/kit/use-selection.ts';
import { counted, formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import { MakePayoutFile } from './make-payout-file.tsx';
import {
  accountColumn,
  amountColumn,
  payToColumn,
  referenceColumn,
  type Ready,
} from './payout-columns.tsx';
import { lotOf, PAYEES } from './lots.ts';
import { sumOf } from './sum-of.ts';

interface ReadyPayoutsProps {
  payouts: RouteReply<'adminGetPayouts'>;
}

/**
 * Payments that can leave today, in lots that each become a batch of a file. All are chosen at first; one that becomes
 * ready later is not, so that nobody pays what they have not seen.
 */
export function ReadyPayouts({ payouts }: ReadyPayoutsProps) {
  const { onItsWay, hasFiles } = payouts;
  const ready = payouts.ready.toSorted((a, b) => lotOf(a).localeCompare(lotOf(b)));
  const selection = useSelection(
    ready,
    ({ id }) => id,
    () => hasFiles,
    { isAllAtFirst: true },
  );
  // As they were when the question was asked.
  const [asked, setAsked] = useState<readonly Ready[] | null>(null);
  const chosen = selection.onPage;
  const columns = useMemo(() => columnsOf(ready, hasFiles), [ready, hasFiles]);
  const lots = new Set(chosen.map(lotOf)).size;
  const sum = formatMoney(sumOf(chosen, onItsWay));
  return (
    <Section title="Ready to pay">
      <SelectionContext value={selection as unknown as Selection<never>}>
        <Table
          label="Ready to pay, by effective date and payee"
          isDense
          columns={columns}
          rows={ready}
          rowKey={({ id }) => id}
          groups={{ of: lotOf, isFolded: () => false }}
          placeholder={
            ready.length === 0 ? (
              <EmptyState
                title="Nothing to pay"
                hint="Approved withdrawals and due bills appear here."
              />
            ) : undefined
          }
        />
      </SelectionContext>
      {hasFiles && ready.length > 0 && (
        <ActBar
          label="Chosen payments"
          what={
            <span className="strong num" role="status">
              {`${chosen.length} of ${counted(ready.length, 'payment')}, ${sum}`}
            </span>
          }
        >
          <span className="meta">One file, {lots === 1 ? '1 batch' : `${lots} batches`}</span>
          <Button kind="money" isDisabled={chosen.length === 0} onPress={() => setAsked(chosen)}>
            Make Payout File
          </Button>
        </ActBar>
      )}
      {asked !== null && (
        <MakePayoutFile
          chosen={asked}
          payouts={payouts}
          onClose={() => setAsked(null)}
          onMade={selection.clear}
        />
      )}
    </Section>
  );
}

function columnsOf(ready: readonly Ready[], hasFiles: boolean): readonly Column<Ready>[] {
  const columns: Column<Ready>[] = [
    payToColumn(),
    accountColumn(),
    referenceColumn(),
    {
      id: 'since',
      header: 'Since',
      narrow: 'hidden',
      cell: ({ kind, since }) => (
        <>
          {kind === 'withdrawal' ? 'Approved' : 'Due'} <Time at={since} as="shortDateTime" />
        </>
      ),
    },
    amountColumn(),
  ];
  const first = (key: string) => ready.find((row) => lotOf(row) === key);
  const grouped = columns.map((column): Column<Ready> => {
    if (column.id === 'payTo') {
      return {
        ...column,
        group(key) {
          const lot = first(key);
          return (
            lot !== undefined && (
              <>
                <span className="strong">{formatDay(lot.effectiveOn, 'weekday')}</span>{' '}
                {PAYEES[lot.payees].to} <Tag>{PAYEES[lot.payees].entryClass}</Tag>
              </>
            )
          );
        },
      };
    }
    if (column.id !== 'amount') return column;
    return {
      ...column,
      group(key) {
        const lot = ready.filter((row) => lotOf(row) === key);
        const like = lot[0]?.amount;
        return like !== undefined && formatMoney(sumOf(lot, like));
      },
    };
  });
  return hasFiles
    ? [selectionColumn(({ payTo, reference }) => `${payTo}, ${reference}`), ...grouped]
    : grouped;
}
