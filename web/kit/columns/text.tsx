import { DEPARTMENTS, type Department } from '#contract/company.ts';
import { Clipped } from '#web/ui/clipped.tsx';
import type { Column } from '#web/ui/table.tsx';
import type { ColumnPlace } from './column.ts';

interface TextColumn<Row> extends ColumnPlace {
  id: string;
  header: string;
  text: (row: Row) => string;
  /** Weight of the words, if not muted. */
  look?: (row: Row) => 'strong' | 'muted' | 'faint';
}

/** Words that are not what the row is about. Those that people wrote may be long: they are cut. */
export function textColumn<Row>({
  text,
  look = () => 'muted',
  ...place
}: TextColumn<Row>): Column<Row> {
  return { ...place, cell: (row) => <Clipped className={look(row)}>{text(row)}</Clipped> };
}

/** Department of a person. */
export function departmentColumn<Row extends { department: Department }>(): Column<Row> {
  return textColumn({
    id: 'department',
    header: 'Department',
    narrow: 'start-second',
    text: ({ department }) => DEPARTMENTS[department],
  });
}
