import { NachaFault } from './fault.ts';
import type { Columns } from './fault.ts';

/** Length of each record (NACHA Operating Rules, Appendix Three). */
export const RECORD_LENGTH = 94;

type FieldKind = 'text' | 'digits' | 'count' | 'amount' | 'blank' | 'fixed';

interface Field<Value> {
  kind: FieldKind;
  width: number;
  /** Text of a `fixed` field. */
  text?: string;
  /** Type of the value; never set. */
  value?: Value;
}

/** Printable ASCII, at the left of its field and filled up with spaces. */
export const text = (width: number): Field<string> => ({ kind: 'text', width });
/** Exactly this many digits, such as those of a trace number. */
export const digits = (width: number): Field<string> => ({ kind: 'digits', width });
/** A number, filled up with zeros. */
export const count = (width: number): Field<number> => ({ kind: 'count', width });
/** Minor units, or a sum of routing numbers, filled up with zeros. */
export const amount = (width: number): Field<bigint> => ({ kind: 'amount', width });
/** Spaces when written; unread. */
export const blank = (width: number): Field<undefined> => ({ kind: 'blank', width });
/** The same characters in each record. */
export const fixed = (characters: string): Field<undefined> => ({
  kind: 'fixed',
  width: characters.length,
  text: characters,
});

type Fields = Readonly<Record<string, Field<unknown>>>;

/** Values of the fields that have one. */
export type Values<F extends Fields> = {
  [Name in keyof F as F[Name] extends Field<undefined> ? never : Name]: F[Name] extends Field<
    infer Value
  >
    ? Value
    : never;
};

export interface Layout<F extends Fields> {
  write: (values: Values<F>) => string;
  read: (record: string, number: number) => Values<F>;
  /** Columns of a field, counted from 1, as a fault names them. */
  columns: (name: keyof F & string) => Columns;
}

/**
 * A record as its fields in their order: the one place that says which column is what, for writing and reading.
 *
 * @throws {Error} if the fields are not 94 characters together
 */
export function layout<F extends Fields>(fields: F): Layout<F> {
  let at = 0;
  const placed = Object.entries(fields).map(([name, field]) => {
    const from = at;
    at += field.width;
    return { name, field, from, to: at };
  });
  if (at !== RECORD_LENGTH) throw new Error(`A record has ${at} characters.`);
  const columnsOf = new Map(placed.map(({ name, from, to }) => [name, { from: from + 1, to }]));
  return {
    columns: (name) => columnsOf.get(name) ?? { from: 1, to: RECORD_LENGTH },
    write(values) {
      const given = values as Readonly<Record<string, unknown>>;
      return placed.map(({ name, field }) => written(name, field, given[name])).join('');
    },
    read(record, number) {
      const values: Record<string, unknown> = {};
      for (const { name, field, from, to } of placed) {
        const found = record.slice(from, to);
        if (field.kind === 'fixed' && found !== field.text) {
          throw new NachaFault(number, { from: from + 1, to }, `“${field.text}” is expected`);
        }
        if (NUMERIC.has(field.kind) && !/^\d+$/.test(found)) {
          throw new NachaFault(
            number,
            { from: from + 1, to },
            `${field.width} digits are expected`,
          );
        }
        if (field.kind !== 'fixed' && field.kind !== 'blank') values[name] = valueOf(field, found);
      }
      return values as Values<F>;
    },
  };
}

const NUMERIC: ReadonlySet<FieldKind> = new Set(['digits', 'count', 'amount']);

function valueOf({ kind }: Field<unknown>, found: string): unknown {
  if (kind === 'count') return Number(found);
  if (kind === 'amount') return BigInt(found);
  return kind === 'text' ? found.trimEnd() : found;
}

function written(name: string, { kind, width, text: constant }: Field<unknown>, value: unknown) {
  if (kind === 'fixed') return constant ?? '';
  if (kind === 'blank') return ' '.repeat(width);
  const words = String(value);
  const isRight = kind === 'text' ? /^[\x20-\x7E]*$/.test(words) : /^\d+$/.test(words);
  // Never cut: a figure without its first digit would be another amount.
  if (!isRight || words.length > width || (kind === 'digits' && words.length !== width)) {
    throw new RangeError(`${name} does not fit ${width} characters`);
  }
  return kind === 'text' ? words.padEnd(width) : words.padStart(width, '0');
}
