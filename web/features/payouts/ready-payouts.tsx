import { useMemo, useState, type ReactNode } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { ActBar } from '#web/kit/act-bar.tsx';
import { selectionColumn } from '#web/kit/columns/selection.tsx';
import { SelectionContext, useSelection, type Selection } from '#web/kit/use-selection.ts';
import { counted, formatCount, formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Money } from '#web/ui/money.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
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
import { countedEntries, lotOf, lotsOf, PAYEES, type Lot } from './lots.ts';
import type { Part } from './part.ts';
import { PayoutFilters } from './payout-filters.tsx';
import { sumOf } from './sum-of.ts';
import type { Choice } from './make-payout-file.tsx';

interface ReadyPayoutsProps {
  payouts: RouteReply<'adminGetPayouts'>;
  part: Part;
  onPart: (part: Part) => void;
}

/**
 * Payments that can leave today, in lots that each become a batch of a file. All are chosen at first; one that becomes
 * ready later is not, so that nobody pays what they have not seen. Of more than the page shows, all are paid or none.
 */
export function ReadyPayouts({ payouts, part, onPart }: ReadyPayoutsProps) {
  const { onItsWay, hasFiles, ready, lots } = payouts;
  const count = lots.reduce((sum, lot) => sum + lot.count, 0);
  const isWhole = count === ready.length;
  const selection = useSelection(
    ready,
    ({ id }) => id,
    () => hasFiles && isWhole,
    { isAllAtFirst: true },
  );
  // As they were when the question was asked.
  const [asked, setAsked] = useState<{ lots: readonly Lot[]; choice: Choice } | null>(null);
  const chosen = selection.onPage;
  const columns = useMemo(() => columnsOf(lots, hasFiles && isWhole), [lots, hasFiles, isWhole]);
  const chosenLots = isWhole ? lotsOf(chosen) : lots;
  const total = sumOf(
    chosenLots.map((lot) => ({ amount: lot.total })),
    onItsWay,
  );
  const idsOf = (kind: Ready['kind']) =>
    chosen.filter((one) => one.kind === kind).map(({ id }) => id);
  const choice: Choice = isWhole
    ? {
        withdrawalIds: idsOf('withdrawal'),
        billIds: idsOf('bill'),
        bankAccountIds: [...idsOf('prenote'), ...idsOf('micro_deposit')],
        all: null,
      }
    : { withdrawalIds: [], billIds: [], bankAccountIds: [], all: { ...part, count, total } };
  return (
    <Section title="Ready to pay">
      <PayoutFilters payouts={payouts} part={part} onPart={onPart} />
      <SelectionContext value={selection as unknown as Selection<never>}>
        <Table
          label="Ready to pay, by effective date and payee"
          isDense
          columns={columns}
          rows={ready}
          groups={{ of: lotOf, isFolded: () => false }}
          empty={
            payouts.readySum.count > 0 ? (
              <EmptyState title="No payments found" hint="Change the search or the filters." />
            ) : (
              <NothingToPay payouts={payouts} />
            )
          }
        />
      </SelectionContext>
      {hasFiles && ready.length > 0 && (
        <ActBar
          label="Chosen payments"
          what={
            <>
              <span className="strong num" role="status">
                {isWhole
                  ? `${chosen.length} of ${formatCount(count)} selected, ${formatMoney(total)}`
                  : `All ${countedEntries(lots)}, ${formatMoney(total)}`}
              </span>
              {isWhole && chosen.length > 0 && (
                <Button shape="text" onPress={selection.clear}>
                  Clear
                </Button>
              )}
            </>
          }
        >
          <span className="meta">
            {isWhole ? '' : `The first ${ready.length} are shown. `}One file,{' '}
            {chosenLots.length === 1 ? '1 batch' : `${chosenLots.length} batches`}
          </span>
          <Button
            kind="money"
            isDisabled={chosenLots.length === 0}
            onPress={() => setAsked({ lots: chosenLots, choice })}
          >
            Make Payout File{' '}
            {chosenLots.length > 0 && <span className="num">{formatMoney(total)}</span>}
          </Button>
        </ActBar>
      )}
      {asked !== null && (
        <MakePayoutFile
          {...asked}
          payouts={payouts}
          onClose={() => setAsked(null)}
          onMade={selection.clear}
        />
      )}
    </Section>
  );
}

/** Payments elsewhere: all held while payouts are stopped, in a file that waits, not approved yet, or not due yet. */
function NothingToPay({ payouts: { files, coming, held } }: Pick<ReadyPayoutsProps, 'payouts'>) {
  if (held.some(({ reason }) => reason === 'stopped')) {
    return (
      <EmptyState
        title="Payouts are stopped"
        hint="The last verification of the books found a problem. Payments are held until a full verification finds none."
        action={<LinkButton href="/admin/dashboard">Open System Health</LinkButton>}
      />
    );
  }
  const open = files.find(({ status }) => status === 'prepared' || status === 'downloaded');
  if (open !== undefined) {
    const what = open.itemCount === 1 ? '1 payment is' : `${open.itemCount} payments are`;
    return (
      <EmptyState
        title="Nothing to pay"
        hint={`${what} in file ${open.number}, which was not sent yet.`}
        action={
          <LinkButton href={`/admin/payouts/${open.number}`}>Open File {open.number}</LinkButton>
        }
      />
    );
  }
  const { withdrawals, nextBillOn } = coming;
  const next = [
    withdrawals > 0 &&
      `${counted(withdrawals, 'withdrawal')} ${withdrawals === 1 ? 'waits' : 'wait'} for approval`,
    nextBillOn !== null && `the next bill is due on ${formatDay(nextBillOn, 'short')}`,
  ].filter((part) => part !== false);
  const sentence = next.join(', ');
  return (
    <EmptyState
      title="Nothing to pay"
      hint={`Approved withdrawals and due bills appear here.${
        sentence === '' ? '' : ` ${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
      }`}
      {...(withdrawals > 0 && {
        action: <LinkButton href="/admin/withdrawals?status=pending">Open Withdrawals</LinkButton>,
      })}
    />
  );
}
/** Micro-deposits in US dollars, before they are in a file. */
const UNDER = 'Each under $1.00';

const FOR = {
  withdrawal: 'Withdrawal',
  prenote: 'Prenote',
  micro_deposit: 'Two micro-deposits',
} as const;
const SINCE = {
  withdrawal: 'Approved',
  bill: 'Due',
  prenote: 'Added',
  micro_deposit: 'Added',
} as const;

function columnsOf(lots: readonly Lot[], hasSelection: boolean): readonly Column<Ready>[] {
  const columns: Column<Ready>[] = [
    payToColumn({ hasBillOf: false }),
    {
      id: 'for',
      header: 'For',
      narrow: 'hidden',
      cell: ({ kind, employee }) => (
        <span className="muted">{kind === 'bill' ? `Bill of ${employee.name}` : FOR[kind]}</span>
      ),
    },
    accountColumn(),
    referenceColumn(),
    {
      id: 'since',
      header: 'Since',
      narrow: 'end-second',
      cell: ({ kind, since }) => (
        <span className="muted nowrap">
          {SINCE[kind]} <Time at={since} as="shortDateTime" />
        </span>
      ),
    },
    {
      ...amountColumn<Ready>(),
      // Their amounts are drawn with the file.
      cell: ({ kind, amount }) =>
        kind === 'micro_deposit' ? (
          <span className="meta">{UNDER}</span>
        ) : (
          <Money amount={amount} />
        ),
    },
  ];
  const ofLot = (draw: (lot: Lot) => ReactNode) => (key: string) => {
    const lot = lots.find((one) => lotOf(one) === key);
    return lot !== undefined && draw(lot);
  };
  const groups: Record<string, (key: string) => ReactNode> = {
    payTo: ofLot(({ effectiveOn, payees, total }) => (
      <>
        {formatDay(effectiveOn, 'weekday')}
        <span className="payout-lot">
          {PAYEES[payees].to} {total.currency === 'USD' && <Tag>{PAYEES[payees].entryClass}</Tag>}
        </span>
      </>
    )),
    amount: ofLot((lot) => (
      <span className="meta num">
        {lot.payees === 'micro_deposits'
          ? countedEntries([lot])
          : `${countedEntries([lot])}, ${formatMoney(lot.total)}`}
      </span>
    )),
  };
  const grouped = columns.map((column): Column<Ready> => {
    const group = groups[column.id];
    return group === undefined ? column : { ...column, group };
  });
  return hasSelection
    ? [selectionColumn(({ payTo, reference }) => `${payTo}, ${reference}`), ...grouped]
    : grouped;
}
