import { Clipped } from '#web/ui/clipped.tsx';
import type { Column } from '#web/ui/table.tsx';
import type { ColumnPlace } from './column.ts';

interface BankColumn<Row> extends Partial<ColumnPlace> {
  header?: string;
  bank: (row: Row) => { name: string; last4: string };
}

/** A bank account by its bank and last digits; a long name is cut, the digits stay. */
export function bankColumn<Row>({
  header = 'Destination bank',
  bank,
  ...place
}: BankColumn<Row>): Column<Row> {
  return {
    id: 'bank',
    header,
    ...place,
    cell: (row) => {
      const { name, last4 } = bank(row);
      return (
        <span className="bank-cell muted">
          <Clipped>{name}</Clipped>
          <span className="bank-cell__digits">••{last4}</span>
        </span>
      );
    },
  };
}
