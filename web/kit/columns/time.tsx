import { formatAge, type Calendar, type MomentLook } from '#web/lib/format.ts';
import type { Column } from '#web/ui/table.tsx';
import { Time, useMoments } from '#web/ui/time.tsx';
import type { ColumnPlace } from './column.ts';

interface TimeColumn<Row> extends ColumnPlace {
  at: (row: Row) => string;
  as: MomentLook;
  /** As in {@link Time}. */
  by?: Calendar;
}

/** The moment at which something happened, written as {@link Time} does. */
export function timeColumn<Row>({ at, as, by, ...place }: TimeColumn<Row>): Column<Row> {
  return {
    id: 'submitted',
    header: 'Submitted',
    ...place,
    cell: (row) => <Time className="muted num nowrap" at={at(row)} as={as} by={by} />,
  };
}

interface AgeColumn<Row> extends ColumnPlace {
  at: (row: Row) => string;
  /** The moment that ages are counted from: when the rows came. */
  now: number;
}

/** Time since something happened; the moment itself shows on pointing at it. */
export function ageColumn<Row>({ at, now, ...place }: AgeColumn<Row>): Column<Row> {
  return {
    id: 'submitted',
    header: 'Submitted',
    ...place,
    cell: (row) => <Age at={at(row)} now={now} />,
  };
}

function Age({ at, now }: { at: string; now: number }) {
  const write = useMoments();
  return (
    <time className="muted nowrap" dateTime={at} title={write(at, 'dateTime')}>
      {formatAge(at, now, 'Less than an hour ago')}
    </time>
  );
}
