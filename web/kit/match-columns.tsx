import type { FileMapping } from '#contract/file-columns.ts';
import type { EventTopic } from '#contract/live-topics.ts';
import { Select } from '#web/ui/select.tsx';
import { CheckChoices } from './check-choices.tsx';
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
  /** True where several columns could be it: somebody has to choose one, or none. */
  hasRivals?: boolean;
}

/** Columns of which any number can be chosen. */
interface SeveralColumns<Field extends string> {
  label: string;
  /** They are asked for where this field has a column. */
  with: Field;
  /** Numbers of columns, counted from 0. */
  chosen: readonly number[];
}

interface MatchColumnsProps<Field extends string> {
  fields: readonly MatchedField<Field>[];
  /** Names of the columns. */
  header: readonly string[];
  mapping: FileMapping<Field>;
  several?: SeveralColumns<Field>;
  /** `several`: the columns chosen there, without those that are a field as well. */
  send: (mapping: FileMapping<Field>, several: number[]) => Promise<unknown>;
  topics: readonly EventTopic[];
  onClose: () => void;
}

/** Name of a column, with its number where it has none or another one is called the same. */
function columnLabel(header: readonly string[], index: number, name: string): string {
  if (name === '') return `Column ${index + 1}`;
  const isOnly = header.indexOf(name) === header.lastIndexOf(name);
  return isOnly ? name : `${name} (column ${index + 1})`;
}

/** Assigns columns of a file to fields. Open while mounted. */
export function MatchColumns<Field extends string>({
  fields,
  header,
  mapping,
  several,
  send,
  topics,
  onClose,
}: MatchColumnsProps<Field>) {
  type Values = Record<Field, string> & { several: string[] };
  const columns = header.map((name, index) => ({
    value: String(index),
    label: columnLabel(header, index, name),
  }));
  const ofEach = <Value,>(valueOf: (field: MatchedField<Field>) => Value) =>
    Object.fromEntries(fields.map((field) => [field.id, valueOf(field)])) as Record<Field, Value>;
  const isTaken = (values: Record<Field, string>, column: string) =>
    fields.some(({ id }) => values[id] === column);
  return (
    <TaskDialog
      title="Match Columns"
      initial={{
        ...ofEach(({ id, isRequired, hasRivals = false }) => {
          const index = mapping[id];
          if (index !== null) return String(index);
          return isRequired || hasRivals ? '' : NONE;
        }),
        several: several?.chosen.map(String) ?? [],
      }}
      check={(values: Values) =>
        Object.fromEntries(
          fields.filter(({ id }) => values[id] === '').map(({ id }) => [id, 'Choose a column']),
        ) as Partial<Values>
      }
      send={(values: Values) => {
        const isAsked = several !== undefined && values[several.with] !== NONE;
        return send(
          ofEach(({ id }) => (/^\d+$/.test(values[id]) ? Number(values[id]) : null)),
          isAsked ? values.several.filter((one) => !isTaken(values, one)).map(Number) : [],
        );
      }}
      topics={topics}
      summary="Please choose the columns"
      submit={{ label: 'Check Again', pending: 'Checking the rows' }}
      onClose={onClose}
    >
      {(given) => {
        const ofField = given as unknown as Record<Field, FormField<string>>;
        const values = ofEach(({ id }) => ofField[id].value);
        return (
          <>
            {fields.map(({ id, label, isRequired }) => (
              <Select
                key={id}
                label={label}
                isRequired={isRequired}
                placeholder="Choose a column"
                options={
                  isRequired ? columns : [{ value: NONE, label: 'Not in the file' }, ...columns]
                }
                {...ofField[id]}
              />
            ))}
            {several !== undefined && values[several.with] !== NONE && (
              <CheckChoices
                label={several.label}
                isRequired={false}
                choices={columns.filter(({ value }) => !isTaken(values, value))}
                {...(given as unknown as { several: FormField<string[]> }).several}
              />
            )}
          </>
        );
      }}
    </TaskDialog>
  );
}
