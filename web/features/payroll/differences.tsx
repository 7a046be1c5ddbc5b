import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PayrollPreview } from '#contract/api.ts';
import type { Money as Amount } from '#contract/money.ts';
import type { PayrollDifference } from '#contract/payroll.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { formatCount, formatDay, percentChange } from '#web/lib/format.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Money } from '#web/ui/money.tsx';
import { Table } from '#web/ui/table.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { DifferingPeople } from './differing-people.tsx';
import type { DifferencesOf, Group } from './differing-people.tsx';
import { groupWords } from './words.ts';
import './payroll.css';

export type Differences = NonNullable<PayrollPreview['differences']>;
type Acknowledged = Group['acknowledged'];

/** Differences that are acknowledged together: a preview, or those of a payroll of several types of wallet. */
interface Reviewed {
  hash: string | undefined;
  differences: Differences | null;
}

interface Pressed {
  hash: string;
  group: PayrollDifference;
  isAcknowledged: boolean;
}

const keyOf = (hash: string | undefined, group: PayrollDifference) => `${hash ?? ''} ${group}`;

/**
 * The groups of previews that were acknowledged, as the server last said, and their number that the caller has yet to
 * acknowledge.
 */
export function useAcknowledged(reviewed: readonly Reviewed[]) {
  /** The server's last replies, by preview and group: nothing of another preview counts. */
  const [replies, setReplies] = useState<Readonly<Record<string, Acknowledged>>>({});
  /** Checks that were pressed and are on their way. */
  const [pressed, setPressed] = useState<Readonly<Record<string, boolean>>>({});
  const acknowledge = useAction({
    send: (body: Pressed, options) => call('adminAcknowledgePayroll', { body }, options),
    failed: 'Not checked',
    onDone: ({ acknowledged }, { hash, group }) =>
      setReplies((all) => ({ ...all, [keyOf(hash, group)]: acknowledged })),
    onSettled: () => setPressed({}),
  });
  const of = (hash: string | undefined, group: Group) =>
    replies[keyOf(hash, group.group)] ?? group.acknowledged;
  const isMine = (acknowledged: Acknowledged) => acknowledged.some((one) => one.isMine);
  const all = reviewed.flatMap(({ hash, differences }) =>
    (differences?.groups ?? []).map((group) => of(hash, group)),
  );
  return {
    /** The checks of one preview. */
    in: (hash: string | undefined) => ({
      of: (group: Group) => of(hash, group),
      isChecked: (group: Group) => pressed[keyOf(hash, group.group)] ?? isMine(of(hash, group)),
      set: (group: PayrollDifference, isAcknowledged: boolean) => {
        setPressed((before) => ({ ...before, [keyOf(hash, group)]: isAcknowledged }));
        acknowledge.mutate({ hash: hash ?? '', group, isAcknowledged });
      },
    }),
    count: all.length,
    left: all.filter((acknowledged) => !isMine(acknowledged)).length,
  };
}

export type AcknowledgedState = ReturnType<typeof useAcknowledged>;

/** "Check the other 2 differences to send it."; undefined where all are checked. */
export function uncheckedWords(
  { count, left }: AcknowledgedState,
  act: 'send it' | 'confirm it',
): string | undefined {
  if (left === 0) return undefined;
  const which = left < count ? 'the other' : 'the';
  return `Check ${which} ${left === 1 ? 'difference' : `${left} differences`} to ${act}.`;
}

/** "2 of 4 checked" */
export function CheckedWords({ acknowledged }: { acknowledged: AcknowledgedState }) {
  const { count, left } = acknowledged;
  return (
    <span className="strong num" role="status">
      {count === 0 ? 'No differences to check' : `${count - left} of ${count} checked`}
    </span>
  );
}

interface DifferencesProps {
  differences: Differences;
  of: DifferencesOf;
  walletType: WalletType;
  /** The payroll that is compared. */
  payroll: { people: number; total: Amount };
  acknowledged: ReturnType<AcknowledgedState['in']>;
  /** True if the caller can check them here. */
  canCheck: boolean;
  /** True if the screen has those of other types of wallet as well. */
  isOneOfSeveral?: boolean;
}

/** Differences to the last payroll, group by group, each with its check and its people. */
export function DifferenceGroups({ differences, canCheck, ...props }: DifferencesProps) {
  const { acknowledged, of, walletType, payroll, isOneOfSeveral = false } = props;
  const { lastOn, percent, groups, last } = differences;
  const day = formatDay(lastOn, 'weekday');
  const name = isOneOfSeveral ? `Differences, ${WALLET_LABELS[walletType]}` : 'Differences';
  return (
    <section className="differs" aria-label={name}>
      <h2 className="section-title">
        {isOneOfSeveral
          ? `${WALLET_LABELS[walletType]}, different from ${day}`
          : `Different from ${day}`}
      </h2>
      {groups.map((group) => {
        const isTotal = group.group === 'total';
        const change = percentChange(BigInt(last.total.minor), BigInt(payroll.total.minor));
        const words = groupWords(group.group, percent);
        const title = isTotal
          ? [words, change].filter(Boolean).join(' ')
          : `${words} (${formatCount(group.people)})`;
        return (
          <div className="differs__group" key={group.group}>
            <div className="spread differs__head">
              <div className="differs__check">
                {canCheck ? (
                  <Checkbox
                    name={`check-${walletType}-${group.group}`}
                    label={title}
                    isChecked={acknowledged.isChecked(group)}
                    onChange={(isChecked) => acknowledged.set(group.group, isChecked)}
                  />
                ) : (
                  <span className="strong">{title}</span>
                )}
                <CheckedBy acknowledged={acknowledged.of(group)} />
              </div>
              <span className="strong num">
                <Money amount={group.total} signs="always" />
              </span>
            </div>
            {isTotal ? (
              <Bridge differences={differences} payroll={payroll} of={of} walletType={walletType} />
            ) : (
              <DifferingPeople group={group} of={of} walletType={walletType} lastOn={lastOn} />
            )}
          </div>
        );
      })}
    </section>
  );
}

/** "Checked by you, 9:52 AM, and by Renee Albright, 9:49 AM" */
function CheckedBy({ acknowledged }: { acknowledged: Acknowledged }) {
  const write = useMoments();
  if (acknowledged.length === 0) return <span className="meta">Not checked yet</span>;
  const people = acknowledged
    .toSorted((one, other) => Number(other.isMine) - Number(one.isMine))
    .map(({ by, at, isMine }) => `by ${isMine ? 'you' : by}, ${write(at, 'time')}`);
  return <span className="meta num">{`Checked ${people.join(', and ')}`}</span>;
}

const SMALLER = 'Smaller changes';

interface BridgeRow {
  what: string;
  people: number;
  amount: Amount;
  isSum: boolean;
}

/** The last total, what changed it, and this total. */
function Bridge({
  differences,
  payroll,
  of,
  walletType,
}: Pick<DifferencesProps, 'differences' | 'payroll' | 'of' | 'walletType'>) {
  const { lastOn, percent, groups, smaller, last } = differences;
  const [isShown, setShown] = useState(false);
  const changes = groups
    .filter(({ group }) => group !== 'total')
    .map(({ group, people, total }) => ({
      what: groupWords(group, percent),
      people,
      amount: total,
    }));
  const rows: BridgeRow[] = [
    {
      what: `Last payroll, ${formatDay(lastOn, 'weekday')}`,
      people: last.people,
      amount: last.total,
      isSum: true,
    },
    ...changes.map((change) => ({ ...change, isSum: false })),
    ...(smaller.people > 0
      ? [{ what: SMALLER, people: smaller.people, amount: smaller.total, isSum: false }]
      : []),
  ];
  const people = (count: number) => (count === 1 ? '1 person' : `${formatCount(count)} people`);
  return (
    <>
      <Table
        label="Total"
        isDense
        rows={rows}
        rowKey={({ what }) => what}
        columns={[
          {
            id: 'what',
            header: 'From last time to now',
            isRowHeader: true,
            narrow: 'start',
            cell: ({ what }) =>
              what === SMALLER ? (
                <>
                  {what}{' '}
                  <Button
                    shape="text"
                    aria-expanded={isShown}
                    aria-label={`${isShown ? 'Hide' : 'Show'} smaller changes`}
                    onPress={() => setShown(!isShown)}
                  >
                    {isShown ? 'Hide' : 'Show'}
                  </Button>
                </>
              ) : (
                what
              ),
            total: 'This payroll',
          },
          {
            id: 'people',
            header: 'People',
            narrow: 'start-second',
            cell: (row) => <span className="muted num">{people(row.people)}</span>,
            total: people(payroll.people),
          },
          {
            id: 'amount',
            header: 'Amount',
            align: 'right',
            narrow: 'end',
            cell: ({ amount, isSum }) => (
              <Money amount={amount} signs={isSum ? undefined : 'always'} />
            ),
            total: <Money amount={payroll.total} />,
          },
        ]}
      />
      {isShown && (
        <SmallerChanges people={smaller.people} of={of} walletType={walletType} lastOn={lastOn} />
      )}
    </>
  );
}

interface SmallerChangesProps extends Pick<DifferencesProps, 'of' | 'walletType'> {
  people: number;
  lastOn: string;
}

/** People whose pay changed by no more than the company's percent, read when they are asked for. */
function SmallerChanges({ people, of, ...props }: SmallerChangesProps) {
  const body = { of, group: 'smaller', after: 0 } as const;
  const query = useQuery({
    queryKey: ['adminListPayrollDifferences', body],
    queryFn: ({ signal }) => call('adminListPayrollDifferences', { body }, { signal }),
  });
  return (
    <LoadedQuery query={query} what="the smaller changes" lines={3}>
      {({ rows }) => (
        <DifferingPeople group={{ group: 'smaller', people, rows }} of={of} {...props} />
      )}
    </LoadedQuery>
  );
}
