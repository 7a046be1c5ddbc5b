import type { StatusName } from '#web/ui/status-table.ts';
import { Status } from '#web/ui/status.tsx';
import type { Column } from '#web/ui/table.tsx';
import type { ColumnPlace } from './column.ts';

interface StatusColumn<Row> extends ColumnPlace {
  status: (row: Row) => StatusName;
  /** Another word than the table of statuses has. */
  label?: (row: Row) => string;
  isFinal?: (row: Row) => boolean;
}

/** Status of a row: glyph and word. */
export function statusColumn<Row>({
  status,
  label,
  isFinal,
  ...place
}: StatusColumn<Row>): Column<Row> {
  return {
    id: 'status',
    header: 'Status',
    ...place,
    cell: (row) => <Status status={status(row)} label={label?.(row)} isFinal={isFinal?.(row)} />,
  };
}
