import { useState } from 'react';
import type { RouteInput, RouteReply } from '#contract/api.ts';
import { MAX_AMOUNT_MINOR, parseAmount } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import {
  DAY_ORDERS,
  STATEMENT_FILE_FIELDS,
  STATEMENT_FILE_LABELS,
} from '#contract/statement-file.ts';
import type { StatementFileField } from '#contract/statement-file.ts';
import { useCompany } from '#web/lib/company.ts';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select, type SelectOption } from '#web/ui/select.tsx';
import { Table } from '#web/ui/table.tsx';

type Csv = NonNullable<RouteReply<'adminCheckStatement'>['csv']>;

/** Way in which a CSV file is read. */
export type Reading = NonNullable<RouteInput<'adminCheckStatement'>['query']>;

const LEFT_OUT = 'none';
const DAY_ORDER_WORDS = { mdy: 'MM/DD/YYYY', dmy: 'DD/MM/YYYY', ymd: 'YYYY-MM-DD' };
const NOTATION_WORDS = { dot: '1,234.56', comma: '1.234,56' };

const COLUMN_OPTIONS: readonly SelectOption<StatementFileField | typeof LEFT_OUT>[] = [
  { value: LEFT_OUT, label: 'Left out' },
  ...STATEMENT_FILE_FIELDS.map((value) => ({ value, label: STATEMENT_FILE_LABELS[value] })),
];

interface StatementColumnsProps {
  /** Newest reply about the file, which may have been read in another way than it is now. */
  csv: Csv;
  /** Errors of the file as it is read now. */
  problems: Csv['problems'];
  reading: Reading;
  onChange: (reading: Reading) => void;
}

/** Columns of a CSV file with what each is, and how the file writes days and amounts. */
export function StatementColumns({ csv, problems, reading, onChange }: StatementColumnsProps) {
  const { currency } = useCompany();
  const [closing, setClosing] = useState('');
  const { header, samples, missing, problemCount } = csv;
  const { dayOrder = csv.dayOrder, notation = csv.notation } = reading;
  const isChosen = STATEMENT_FILE_FIELDS.some((field) => reading[field] !== undefined);
  const columnOf = (field: StatementFileField) =>
    (isChosen ? reading[field] : csv.columns[field]) ?? null;
  const chosen = Object.fromEntries(
    STATEMENT_FILE_FIELDS.map((field) => [field, columnOf(field)]).filter(
      ([, index]) => index !== null,
    ),
  ) as Partial<Record<StatementFileField, number>>;
  const rest = {
    ...(reading.dayOrder !== undefined && { dayOrder: reading.dayOrder }),
    ...(reading.notation !== undefined && { notation: reading.notation }),
    ...(reading.closing !== undefined && { closing: reading.closing }),
  };
  const fieldOf = (index: number) =>
    STATEMENT_FILE_FIELDS.find((field) => columnOf(field) === index) ?? LEFT_OUT;
  const assign = (index: number, field: StatementFileField | typeof LEFT_OUT) => {
    const kept = Object.fromEntries(
      Object.entries(chosen).filter(([name, at]) => at !== index && name !== field),
    );
    onChange({ ...rest, ...kept, ...(field !== LEFT_OUT && { [field]: index }) });
  };
  const [first] = problems;
  return (
    <>
      {first !== undefined && (
        <Notice tone="critical" role="alert">
          <p className="strong">
            Line {first.row}, column {first.column}: “{first.value}”. {first.message}
          </p>
          <p>
            {problemCount === 1 ? 'One cell' : `${problemCount} cells`} cannot be read. Choose how
            this file writes it, or replace it. Nothing was imported.
          </p>
        </Notice>
      )}
      <Table
        label="Columns of the file"
        isDense
        rows={header.map((name, index) => ({ name, index }))}
        rowKey={({ index }) => String(index)}
        columns={[
          {
            id: 'column',
            header: 'Column',
            isRowHeader: true,
            narrow: 'start',
            cell: ({ name, index }) => name || `Column ${index + 1}`,
          },
          {
            id: 'sample',
            header: 'First line',
            narrow: 'hidden',
            cell: ({ index }) => samples[0]?.[index] || <span className="meta">Empty</span>,
          },
          {
            id: 'is',
            header: 'Is',
            narrow: 'end',
            cell: ({ name, index }) => (
              <div className="bank-field">
                <Select
                  label={`Column ${name || index + 1} is`}
                  name={`column-${index}`}
                  value={fieldOf(index)}
                  onChange={(field) => assign(index, field)}
                  options={COLUMN_OPTIONS}
                />
              </div>
            ),
          },
        ]}
      />
      <div className="form mt-3">
        <Select
          label="Days are written as"
          name="dayOrder"
          value={dayOrder ?? ''}
          placeholder="Choose"
          onChange={(order) => onChange({ ...rest, ...chosen, dayOrder: order })}
          options={DAY_ORDERS.map((value) => ({ value, label: DAY_ORDER_WORDS[value] }))}
        />
        <Select
          label="Amounts are written as"
          name="notation"
          value={notation}
          onChange={(way) => onChange({ ...rest, ...chosen, notation: way })}
          options={(['dot', 'comma'] as const).map((value) => ({
            value,
            label: NOTATION_WORDS[value],
          }))}
        />
        {(missing.includes('Closing balance') || reading.closing !== undefined) && (
          <MoneyField
            label="Closing balance"
            name="closing"
            size="standard"
            hint="The file has no balances. Type the one at its end."
            currency={currency}
            value={closing}
            error={
              closing !== '' && readBalance(closing, currency) === null
                ? 'Enter an amount, such as 1,250.00 or -80.00'
                : undefined
            }
            onChange={setClosing}
            onBlur={() => {
              const typed = readBalance(closing, currency)?.toString();
              const { closing: checked, ...others } = rest;
              // Nothing is imported by a balance that is no longer in the field.
              if (typed === checked) return;
              onChange({ ...others, ...chosen, ...(typed !== undefined && { closing: typed }) });
            }}
          />
        )}
        <p className="meta">
          Kept for the next CSV of this account. OFX and camt.053 need no columns.
        </p>
      </div>
    </>
  );
}

/** Minor units of a typed balance, which is below zero on an overdrawn account; null for what is no amount. */
function readBalance(typed: string, currency: Currency): bigint | null {
  const [, sign = '', amount = ''] = /^\s*([-\u2212]?)(.*)$/.exec(typed) ?? [];
  const minor = parseAmount(amount, currency);
  if (minor === null || minor > MAX_AMOUNT_MINOR) return null;
  return sign === '' ? minor : -minor;
}
