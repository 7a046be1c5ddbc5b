import type { RouteReply } from '#contract/api.ts';
import { EmployeeLink } from '#web/kit/employee-link.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { Money } from '#web/ui/money.tsx';
import type { Column } from '#web/ui/table.tsx';

type Payouts = RouteReply<'adminGetPayouts'>;
export type Ready = Payouts['ready'][number];
export type Held = Payouts['held'][number];
/** Facts that payments have in each list. */
export type Payment = Pick<
  Ready,
  'kind' | 'payTo' | 'employee' | 'bankName' | 'last4' | 'reference' | 'amount'
>;

/** The payee. @param hasBillOf names the employee whose bill it is, where no column of its own does */
export function payToColumn<Row extends Payment>({
  hasBillOf = true,
}: { hasBillOf?: boolean } = {}): Column<Row> {
  return {
    id: 'payTo',
    header: 'Pay to',
    narrow: 'start',
    isRowHeader: true,
    cell: ({ kind, payTo, employee }) =>
      kind !== 'bill' ? (
        <EmployeeLink employee={employee} />
      ) : (
        <>
          <span translate="no">{payTo}</span>{' '}
          {hasBillOf && <span className="meta">Bill of {employee.name}</span>}
        </>
      ),
  };
}

export function accountColumn<Row extends Payment>(): Column<Row> {
  return {
    id: 'account',
    header: 'To account',
    narrow: 'start-second',
    cell: ({ bankName, last4 }) => (
      <span className="num" translate="no">
        {bankName === null ? `••${last4}` : <Clipped>{`${bankName} ••${last4}`}</Clipped>}
      </span>
    ),
  };
}

export function referenceColumn<Row extends Payment>(): Column<Row> {
  return {
    id: 'reference',
    header: 'Reference',
    narrow: 'hidden',
    // A prenote and micro-deposits have one once they are in a file.
    cell: ({ kind, reference }) =>
      (kind === 'withdrawal' || kind === 'bill') && (
        <span className="num payout-word" translate="no">
          {reference}
        </span>
      ),
  };
}

export function amountColumn<Row extends Payment>(): Column<Row> {
  return {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    narrow: 'end',
    cell: ({ amount }) => <Money amount={amount} />,
  };
}
