import type { Column } from '#web/ui/table.tsx';

/** What a list says of a shared column besides what is in it. */
export interface ColumnPlace {
  /** The column's own unless given; where a list sorts by it, the name of the sort. */
  id?: string;
  header?: string;
  /** Where the cell goes on a phone, see {@link Column}. */
  narrow: NonNullable<Column<never>['narrow']>;
  /** Left out where there is little room, see {@link Column}. */
  isWideOnly?: boolean;
  isWidestOnly?: boolean;
}
