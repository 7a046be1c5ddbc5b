import type { Column } from '#web/ui/table.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import type { ColumnPlace } from './column.ts';

interface Person {
  name: string;
  employeeId: string | null;
}

interface PersonColumn<Row> extends ColumnPlace {
  person: (row: Row) => Person;
  /** Opens the row; `label` is its accessible name: "Open withdrawal of Maya Castellanos". */
  open?: { label: (row: Row) => string } & (
    | { onOpen: (row: Row) => void }
    | { href: (row: Row) => string }
  );
}

/** Person of the row, with the employee number. It names the row, and opens it where it can be opened. */
export function personColumn<Row>({ person, open, ...place }: PersonColumn<Row>): Column<Row> {
  return {
    id: 'employee',
    header: 'Employee',
    isRowHeader: true,
    ...place,
    cell: (row) => {
      const { name, employeeId } = person(row);
      return (
        <span className="admin-employee">
          {open === undefined ? (
            <Clipped isName>{name}</Clipped>
          ) : (
            <RowLink
              isName
              label={open.label(row)}
              {...('href' in open ? { href: open.href(row) } : { onPress: () => open.onOpen(row) })}
            >
              {name}
            </RowLink>
          )}
          <span className="id" translate="no">
            {employeeId}
          </span>
        </span>
      );
    },
  };
}
