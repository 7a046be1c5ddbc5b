import type { FileMapping } from '#contract/file-columns.ts';
import type { EventTopic } from '#contract/paths.ts';
import { Select } from '#web/ui/select.tsx';
import { TaskDialog } from './form-dialog.tsx';
import type { FormField } from './form-state.ts';

/** Choice for a field that no column of the file holds. */
const NONE = 'none';

/** A field that a column of a file can be. */
export interface MatchedField<Field extends string> {
  id: Field;
  label: string;
  /** Says that a column has to be chosen. */
  isRequired: boolean;
}

interface MatchColumnsProps<Field extends string> {
  fields: readonly MatchedField<Field>[];
  /** Names of the columns. */
  header: readonly string[];
  mapping: FileMapping<Field>;
  send: (mapping: FileMapping<Field>) => Promise<unknown>;
  topics: readonly EventTopic[];
  onClose: () => void;
}

/** Assigns columns of a file to fields. Open while mounted. */
export function MatchColumns<Field extends string>({
  fields,
  header,
  mapping,
  send,
  topics,
  onClose,
}: MatchColumnsProps<Field>) {
  type Values = Record<Field, string>;
  const columns = header.map((name, index) => ({
    value: String(index),
    label: name === '' ? `Column ${index + 1}` : name,
  }));
  const ofEach = <Value,>(valueOf: (field: MatchedField<Field>) => Value) =>
    Object.fromEntries(fields.map((field) => [field.id, valueOf(field)])) as Record<Field, Value>;
  return (
    <TaskDialog
      title="Match Columns"
      initial={ofEach(({ id, isRequired }) => {
        const index = mapping[id];
        if (index !== null) return String(index);
        return isRequired ? '' : NONE;
      })}
      check={(values: Values) =>
        Object.fromEntries(
          fields.filter(({ id }) => values[id] === '').map(({ id }) => [id, 'Choose a column']),
        ) as Partial<Values>
      }
      send={(values: Values) =>
        send(ofEach(({ id }) => (/^\d+$/.test(values[id]) ? Number(values[id]) : null)))
      }
      topics={topics}
      summary="Please choose the columns"
      submit={{ label: 'Check Again', pending: 'Checking the rows' }}
      onClose={onClose}
    >
      {(given) =>
        fields.map(({ id, label, isRequired }) => (
          <Select
            key={id}
            label={label}
            isRequired={isRequired}
            placeholder="Choose a column"
            options={isRequired ? columns : [{ value: NONE, label: 'Not in the file' }, ...columns]}
            {...(given as unknown as Record<Field, FormField<string>>)[id]}
          />
        ))
      }
    </TaskDialog>
  );
}
