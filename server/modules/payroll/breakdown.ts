import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { readAmountCell } from '#contract/amount-cells.ts';
import type { Notation } from '#contract/amount-cells.ts';
import { decimalAmount, formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { BREAKDOWN_NAME_LENGTH } from '#contract/payroll-file.ts';
import type { PayrollFileField, PayrollFileMapping } from '#contract/payroll-file.ts';
import { plainCell, textCell } from '#server/lib/csv.ts';
import type { CsvColumn } from '#server/lib/csv.ts';
import type { SheetRow } from '#server/lib/sheet-rows.ts';
import { MappedSheet } from '#server/modules/imports/index.ts';
import type { Sheet } from '#server/modules/imports/index.ts';

/**
 * A payroll provider's breakdown of net pay: gross pay, then what is deducted from it, each with the heading of its column
 * and minor units above zero. Text, because JSON numbers of the database are not exact in JavaScript.
 */
export type Breakdown = readonly (readonly [name: string, minor: string])[];

/** A field of a file of amounts; `deduction 7` is the column with that number, counted from 0. */
export type AmountsField = PayrollFileField | `deduction ${number}`;

/**
 * A file of amounts with its columns.
 *
 * @param labels names of the fields, for errors in a column that the file has not
 */
export function amountsSheet(
  sheet: Sheet,
  { deductions, ...fields }: PayrollFileMapping,
  labels: Readonly<Record<PayrollFileField, string>>,
): MappedSheet<AmountsField> {
  const names = deductions.map((index) => [`deduction ${index}`, index] as const);
  const of = <Value>(named: Record<PayrollFileField, Value>, values: readonly [string, Value][]) =>
    ({ ...named, ...Object.fromEntries(values) }) as Record<AmountsField, Value>;
  return new MappedSheet(
    sheet,
    of<number | null>(
      fields,
      names.map(([name, index]) => [name, index]),
    ),
    of(
      labels,
      names.map(([name]) => [name, name]),
    ),
  );
}

interface ReadRow {
  cells: MappedSheet<AmountsField>;
  row: SheetRow;
  header: readonly string[];
  mapping: PayrollFileMapping;
  notation: Notation;
  currency: Currency;
  /** Minor units of the net pay; null where it cannot be read. */
  minor: bigint | null;
  note: (field: AmountsField, message: string) => void;
}

/**
 * The breakdown of a row of a file, and an error for each of its cells that cannot be read, and where gross pay less
 * deductions is not the net pay to the cent.
 *
 * @returns null where the file, or the row, has none
 */
export function readBreakdown(read: ReadRow): Breakdown | null {
  const { cells, row, header, mapping, notation, currency, minor, note } = read;
  if (mapping.gross === null) return null;
  let isUnread = false;
  const amountOf = (field: AmountsField): bigint => {
    const isZeroRead = field !== 'gross';
    const found = readAmountCell(cells.cellOf(row, field), { notation, currency }, isZeroRead);
    if (found === null || typeof found === 'bigint') return found ?? 0n;
    isUnread = true;
    note(field, found.problem);
    return 0n;
  };
  const grossMinor = amountOf('gross');
  const deducted = mapping.deductions.flatMap((index) => {
    const part = amountOf(`deduction ${index}`);
    return part === 0n ? [] : [[nameOf(header, index), part] as const];
  });
  if (isUnread || minor === null) return null;
  if (grossMinor === 0n) {
    if (deducted.length > 0) note('gross', 'Empty, but the row has deductions.');
    return null;
  }
  const netMinor = deducted.reduce((rest, [, part]) => rest - part, grossMinor);
  if (netMinor !== minor) {
    const made = formatMoney(money(netMinor, currency));
    note('amount', `Gross less deductions makes ${made}, not this amount.`);
    return null;
  }
  const parts = [[nameOf(header, mapping.gross), grossMinor] as const, ...deducted];
  return parts.map(([name, part]) => [name, part.toString()]);
}

/** Heading of a column as a payslip shows it: without control and invisible characters, and not longer than a line. */
function nameOf(header: readonly string[], index: number): string {
  const name = (header[index] ?? '')
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return name === ''
    ? `Column ${index + 1}`
    : Array.from(name).slice(0, BREAKDOWN_NAME_LENGTH).join('');
}

/** Sums of the breakdowns of some people, and how many have one. */
export function sumAll(people: readonly { breakdown: Breakdown | null }[], currency: Currency) {
  const sums = people.flatMap(({ breakdown }) => (breakdown === null ? [] : [sumsOf(breakdown)]));
  const add = (of: 'grossMinor' | 'deductedMinor') =>
    money(
      sums.reduce((sum, one) => sum + one[of], 0n),
      currency,
    );
  return { employees: sums.length, gross: add('grossMinor'), deductions: add('deductedMinor') };
}

/** Gross pay and the sum of deductions, in minor units. */
function sumsOf([gross, ...deducted]: Breakdown): {
  grossMinor: bigint;
  deductedMinor: bigint;
} {
  return {
    grossMinor: BigInt(gross?.[1] ?? 0),
    deductedMinor: deducted.reduce((sum, [, minor]) => sum + BigInt(minor), 0n),
  };
}

/** SQL of a person's breakdown in a draft, where it still agrees with their amount; null where it does not. */
export function agreeingBreakdown(person: string): RawBuilder<Breakdown | null> {
  const column = (name: string) => sql.ref(`${person}.${name}`);
  return sql`CASE WHEN breakdown_net(${column('breakdown')}) = ${column('amount_minor')}
                  THEN ${column('breakdown')} END`;
}

/** Columns of an export for the breakdown of a line: gross pay, the sum of deductions, and each of them in words. */
export function breakdownColumns<
  Row extends { breakdown: Breakdown | null },
  Scope,
>(): readonly CsvColumn<Row, Scope>[] {
  return [
    {
      header: 'Gross',
      cell: ({ breakdown }) =>
        plainCell(breakdown === null ? '' : decimalAmount(sumsOf(breakdown).grossMinor)),
    },
    {
      header: 'Deductions',
      cell: ({ breakdown }) =>
        plainCell(breakdown === null ? '' : decimalAmount(sumsOf(breakdown).deductedMinor)),
    },
    {
      header: 'Breakdown',
      cell: ({ breakdown }) =>
        textCell(
          (breakdown ?? [])
            .map(([name, minor]) => `${name} ${decimalAmount(BigInt(minor))}`)
            .join('; '),
        ),
    },
  ];
}
