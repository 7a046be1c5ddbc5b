import type { EmployeeImport, ImportRow } from '#contract/api.ts';
import {
  IMPORT_COLUMNS,
  type ImportColumn,
  type ImportRowStatus,
} from '#contract/employee-import.ts';
import type { StatusName } from '#web/ui/status-table.ts';
import { Status } from '#web/ui/status.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import type { Column } from '#web/ui/table.tsx';

export const ROW_LABELS: Record<ImportRowStatus, string> = {
  error: 'To fix',
  duplicate: 'Left out',
  ready: 'New employee',
  imported: 'Imported',
  failed: 'Not imported',
};

const LOOKS: Record<ImportRowStatus, StatusName> = {
  error: 'rejected',
  duplicate: 'skipped',
  ready: 'draft',
  imported: 'completed',
  failed: 'failed',
};

/** Columns of an import's rows: the person, and the result or the problem to fix. */
export function importColumns({ status, mapping }: EmployeeImport): Column<ImportRow>[] {
  return [
    {
      id: 'row',
      header: 'Row',
      narrow: 'end',
      cell: ({ row }) => (
        <span className="id" translate="no">
          {row}
        </span>
      ),
    },
    {
      id: 'fullName',
      header: IMPORT_COLUMNS.fullName.label,
      isRowHeader: true,
      narrow: 'start',
      cell: (row) => <ImportedCell row={row} column="fullName" />,
    },
    {
      id: 'email',
      header: IMPORT_COLUMNS.email.label,
      narrow: 'hidden',
      cell: (row) => <ImportedCell row={row} column="email" />,
    },
    ...(['department', ...(mapping.position === null ? [] : (['position'] as const))] as const).map(
      (column) => ({
        id: column,
        header: IMPORT_COLUMNS[column].label,
        narrow: 'hidden' as const,
        cell: (row: ImportRow) => <ImportedCell row={row} column={column} />,
      }),
    ),
    {
      id: 'outcome',
      header: 'Outcome',
      narrow: 'start-second',
      cell: (row) => (
        <span className="import__outcome">
          <Status
            status={LOOKS[row.status]}
            label={
              row.status === 'ready' && status !== 'checked' ? 'Waiting' : ROW_LABELS[row.status]
            }
          />
          <Reason row={row} />
        </span>
      ),
    },
  ];
}

/** Text from the file, marked if it is invalid. */
function ImportedCell({
  row,
  column,
}: {
  row: ImportRow;
  column: Exclude<ImportColumn, 'lastName'>;
}) {
  const isWrong =
    row.status === 'error' && row.problems.some((problem) => problem.column === column);
  if (!isWrong) {
    return <Clipped className={column === 'fullName' ? undefined : 'muted'}>{row[column]}</Clipped>;
  }
  return <Clipped className="import__wrong">{row[column] === '' ? 'Empty' : row[column]}</Clipped>;
}

function Reason({ row: { problems, person } }: { row: ImportRow }) {
  const words = problems.map(({ message }) => message).join('. ');
  if (person === null) return <span className="import__why">{words}</span>;
  return (
    <span className="import__why">
      {words !== '' && `${words}, `}
      <TextLink href={`/admin/employees/${person.id}`}>{person.employeeId ?? 'Show'}</TextLink>
    </span>
  );
}
