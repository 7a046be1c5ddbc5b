import type { Column } from '#web/ui/table.tsx';

/** Properties of a shared column that a list chooses, apart from its content. */
export interface ColumnPlace {
  /** The column's own unless given; where a list sorts by it, the name of the sort. */
  id?: string;
  header?: string;
  /** Place of the cell on a phone, see {@link Column}. */
  narrow: NonNullable<Column<never>['narrow']>;
  /** Left out where there is little room, see {@link Column}. */
  isWideOnly?: boolean;
  isWidestOnly?: boolean;
}
