import type { Column } from '#web/ui/table.tsx';
import type { ColumnPlace } from './column.ts';

interface ReferenceColumn<Row> extends ColumnPlace {
  reference: (row: Row) => string;
}

/** Name of a row on paper: a reference, a number. */
export function referenceColumn<Row>({ reference, ...place }: ReferenceColumn<Row>): Column<Row> {
  return {
    id: 'reference',
    header: 'Reference',
    ...place,
    cell: (row) => (
      <span className="id" translate="no">
        {reference(row)}
      </span>
    ),
  };
}
