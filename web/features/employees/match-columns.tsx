import type { EmployeeImport } from '#contract/api.ts';
import {
  IMPORT_COLUMNS,
  IMPORT_COLUMN_IDS,
  type ImportColumn,
  type ImportMapping,
} from '#contract/employee-import.ts';
import { call } from '#web/api/client.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { Select } from '#web/ui/select.tsx';

/** Choice for a field that no column of the file holds. */
const NONE = 'none';

type Values = Record<ImportColumn, string>;

/** Assigns columns of the file to fields. Open while mounted. */
export function MatchColumns({ one, onClose }: { one: EmployeeImport; onClose: () => void }) {
  const columns = one.header.map((name, index) => ({
    value: String(index),
    label: name === '' ? `Column ${index + 1}` : name,
  }));
  return (
    <TaskDialog
      title="Match Columns"
      initial={eachColumn((column) => valueOf(one.mapping[column], column))}
      check={(values: Values) =>
        Object.fromEntries(
          IMPORT_COLUMN_IDS.filter((column) => values[column] === '').map((column) => [
            column,
            'Choose a column',
          ]),
        )
      }
      send={(values) =>
        call('adminMatchImport', {
          params: { id: one.id },
          body: mappingOf(values),
        })
      }
      topics={['imports']}
      summary="Please choose the columns"
      submit={{ label: 'Check Again', pending: 'Checking the rows' }}
      onClose={onClose}
    >
      {(fields) =>
        IMPORT_COLUMN_IDS.map((column) => {
          const { label, isRequired } = IMPORT_COLUMNS[column];
          return (
            <Select
              key={column}
              label={label}
              isRequired={isRequired}
              placeholder="Choose a column"
              options={
                isRequired ? columns : [{ value: NONE, label: 'Not in the file' }, ...columns]
              }
              {...fields[column]}
            />
          );
        })
      }
    </TaskDialog>
  );
}

function eachColumn<Value>(of: (column: ImportColumn) => Value): Record<ImportColumn, Value> {
  return {
    fullName: of('fullName'),
    lastName: of('lastName'),
    email: of('email'),
    department: of('department'),
    position: of('position'),
  };
}

function valueOf(index: number | null, column: ImportColumn): string {
  if (index !== null) return String(index);
  return IMPORT_COLUMNS[column].isRequired ? '' : NONE;
}

function mappingOf(values: Values): ImportMapping {
  return eachColumn((column) => (/^\d+$/.test(values[column]) ? Number(values[column]) : null));
}
