import type { ReactNode } from 'react';
import type { Money as Amount, SignDisplay } from '#contract/money.ts';
import { Money } from '#web/ui/money.tsx';
import type { Column } from '#web/ui/table.tsx';
import type { ColumnPlace } from './column.ts';

interface MoneyColumn<Row> extends ColumnPlace {
  amount: (row: Row) => Amount;
  /** It did not move: failed, cancelled. */
  isFaded?: (row: Row) => boolean;
  signs?: SignDisplay;
  /** In the last line. */
  total?: ReactNode;
  /** In the line over a group of rows. */
  group?: (key: string) => ReactNode;
}

/** An amount, at the right. */
export function moneyColumn<Row>({
  amount,
  isFaded,
  signs,
  ...place
}: MoneyColumn<Row>): Column<Row> {
  return {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    ...place,
    cell: (row) => <Money amount={amount(row)} signs={signs} isFaded={isFaded?.(row)} />,
  };
}
