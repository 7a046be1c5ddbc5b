import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteInput, RouteReply } from '#contract/api.ts';
import { STATEMENT_MAX_BYTES } from '#contract/company-bank.ts';
import { MAX_AMOUNT_MINOR, parseAmount } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import {
  DAY_ORDERS,
  STATEMENT_FILE_FIELDS,
  STATEMENT_FILE_LABELS,
} from '#contract/statement-file.ts';
import type { StatementFileField } from '#contract/statement-file.ts';
import { readAgain } from '#web/api/live.ts';
import { uploadFile } from '#web/api/upload.ts';
import { fileSize } from '#web/kit/file-size.ts';
import { useCheckedUpload } from '#web/kit/use-checked-upload.ts';
import { useCompany } from '#web/lib/company.ts';
import { counted, formatDayRange } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FileDrop } from '#web/ui/file-drop.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select, type SelectOption } from '#web/ui/select.tsx';
import { Table } from '#web/ui/table.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { leftOutWords } from './bank-words.ts';
import type { CompanyBank } from './bank-words.ts';

type Check = RouteReply<'adminCheckStatement'>;
type Csv = NonNullable<Check['csv']>;
type Reading = NonNullable<RouteInput<'adminCheckStatement'>['query']>;

/** File types that the file chooser offers first. The server checks the content. */
const STATEMENT_FILES = '.csv,.ofx,.qfx,.qbo,.xml,.txt';
const RULE = 'CSV, OFX or camt.053, up to 10 MB';

/** Place where a statement is chosen or dropped. */
export function StatementDrop({
  problem,
  onChoose,
}: {
  problem?: string | undefined;
  onChoose: (file: File) => void;
}) {
  return (
    <FileDrop
      name="statement"
      label="Statement"
      wanted="file"
      accept={STATEMENT_FILES}
      rule={RULE}
      error={problem}
      onChoose={onChoose}
    />
  );
}

interface ImportStatementProps {
  accounts: CompanyBank['accounts'];
  /** A file that was dropped on the screen. */
  file?: File | undefined;
  onClose: () => void;
  onImported: () => void;
}

/** Checks a statement, has its columns chosen where it is CSV, and imports it. Open while mounted. */
export function ImportStatement({
  accounts,
  file: dropped,
  onClose,
  onImported,
}: ImportStatementProps) {
  const queryClient = useQueryClient();
  const [accountId, setAccountId] = useState(accounts[0]?.id ?? '');
  const [reading, setReading] = useState<Reading>({});
  const upload = useCheckedUpload({
    mostBytes: STATEMENT_MAX_BYTES,
    tooLarge: 'statement_too_large',
    check: (of, { id, query }: { id: string; query: Reading }) =>
      uploadFile('adminCheckStatement', { params: { id }, query }, of, () => undefined),
    send: (of, hash) =>
      uploadFile(
        'adminImportStatement',
        { params: { id: accountId }, query: { ...reading, fileName: of.name, hash } },
        of,
        () => undefined,
      ),
    onSent: async ({ lines, known, matched, notBooked }) => {
      await readAgain(queryClient, ['company-bank']);
      toast({
        title: 'Statement Imported',
        message: `${counted(lines, 'line')}, ${matched} matched automatically${known === 0 ? '' : `, ${known} known already`}${notBooked === 0 ? '' : `, ${notBooked} left out because not booked`}.`,
        tone: 'positive',
      });
      onImported();
    },
  });
  const { file, reply, isChecking } = upload;
  const checkAgain = (of: File, id: string, query: Reading) => {
    setReading(query);
    upload.checkAgain(of, { id, query });
  };
  const choose = (chosen: File) => {
    setReading({});
    return upload.choose(chosen, { id: accountId, query: {} });
  };
  const [isTaken, setIsTaken] = useState(false);
  if (dropped !== undefined && !isTaken) {
    setIsTaken(true);
    void choose(dropped);
  }

  const checked = upload.checked?.hash === '' ? undefined : upload.checked;
  return (
    <Dialog
      title="Import statement"
      onClose={onClose}
      actions={
        <>
          <Button slot="close">Cancel</Button>
          <Button
            kind="solid"
            isPending={upload.isSending}
            pendingLabel="Importing"
            why={checked ? undefined : isChecking ? 'It is being checked.' : whyNot(file, reply)}
            onPress={upload.send}
          >
            {reply === undefined ? 'Import' : `Import ${counted(reply.lines, 'Line')}`}
          </Button>
        </>
      }
    >
      {accounts.length > 1 && (
        <Select
          label="Account"
          name="account"
          value={accountId}
          onChange={(id) => {
            setAccountId(id);
            if (file !== undefined) checkAgain(file, id, reading);
          }}
          options={accounts.map(({ id, bankName, label, last4 }) => ({
            value: id,
            label: `${bankName}, ${label} ••${last4}`,
          }))}
        />
      )}
      {upload.problem !== undefined && (
        <Notice tone="critical" role="alert">
          <p className="strong">{upload.problem}</p>
        </Notice>
      )}
      {file === undefined ? (
        <StatementDrop problem={upload.tooLarge} onChoose={(chosen) => void choose(chosen)} />
      ) : (
        <div className="bank-file">
          <div>
            <p className="strong">{file.name}</p>
            <p className="meta num">{aboutFile(file, reply)}</p>
          </div>
          <Button onPress={upload.drop}>Replace</Button>
        </div>
      )}
      {file !== undefined && upload.latest !== undefined && upload.latest.csv !== null && (
        <Columns
          csv={upload.latest.csv}
          problems={reply?.csv?.problems ?? []}
          reading={reading}
          onChange={(query) => checkAgain(file, accountId, query)}
        />
      )}
      {checked && checked.notBooked.length > 0 && (
        <Notice tone="caution">
          <p>{leftOutWords(checked.notBooked)}</p>
        </Notice>
      )}
      {checked && (
        <Tally
          check={checked}
          isFirst={accounts.find(({ id }) => id === accountId)?.closing === null}
        />
      )}
    </Dialog>
  );
}

function whyNot(file: File | undefined, reply: Check | undefined): string {
  if (file === undefined) return 'Choose a statement first.';
  if (reply === undefined) return 'This file cannot be imported.';
  const [missing] = reply.csv?.missing ?? [];
  if (missing === 'Closing balance') return 'Type the closing balance first.';
  if (missing !== undefined) return `Choose ${missing} first.`;
  const [problem] = reply.csv?.problems ?? [];
  return problem === undefined
    ? 'It is being checked.'
    : `Correct the column ${problem.column} first.`;
}

function aboutFile({ size }: File, reply: Check | undefined): string {
  const words = reply && [
    { camt053: 'camt.053', ofx: 'OFX', csv: 'CSV' }[reply.format],
    counted(reply.lines + reply.known, 'line'),
    ...(reply.period === null ? [] : [formatDayRange(reply.period.from, reply.period.to)]),
  ];
  return [...(words ?? []), fileSize(size)].join(', ');
}

const LEFT_OUT = 'none';
const DAY_ORDER_WORDS = { mdy: 'MM/DD/YYYY', dmy: 'DD/MM/YYYY', ymd: 'YYYY-MM-DD' };
const NOTATION_WORDS = { dot: '1,234.56', comma: '1.234,56' };

const COLUMN_OPTIONS: readonly SelectOption<StatementFileField | typeof LEFT_OUT>[] = [
  { value: LEFT_OUT, label: 'Left out' },
  ...STATEMENT_FILE_FIELDS.map((value) => ({ value, label: STATEMENT_FILE_LABELS[value] })),
];

interface ColumnsProps {
  /** Newest reply about the file, which may have been read in another way than it is now. */
  csv: Csv;
  /** Errors of the file as it is read now. */
  problems: Csv['problems'];
  reading: Reading;
  onChange: (reading: Reading) => void;
}

/** Columns of a CSV file with what each is, and how the file writes days and amounts. */
function Columns({ csv, problems, reading, onChange }: ColumnsProps) {
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

function Tally({
  check: { opening, closing, sum, lines, known },
  isFirst,
}: {
  check: Check;
  isFirst: boolean;
}) {
  const of = known === 0 ? 'none of them known already' : `${known} more are known already`;
  return (
    <dl className="bank-tally">
      <div>
        <dt>{isFirst ? 'Opening' : 'Opening, as the last statement closed'}</dt>
        <dd>{opening && <Money amount={opening} />}</dd>
      </div>
      <div>
        <dt>
          {counted(lines, 'line')}, {of}
        </dt>
        <dd>
          <Money amount={sum} signs="always" />
        </dd>
      </div>
      <div>
        <dt>Closing</dt>
        <dd>{closing && <Money amount={closing} />}</dd>
      </div>
    </dl>
  );
}
