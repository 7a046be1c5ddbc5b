import type { PayeeGroup, PayoutKind } from '#contract/payouts.ts';
import { dayIn } from '#contract/calendar.ts';
import { decimalAmount } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import type { CsvFile } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { momentColumns } from '#server/lib/csv-moments.ts';
import { BYTE_ORDER_MARK, csvLine, plainCell, textCell } from '#server/lib/csv.ts';
import type { CsvColumn } from '#server/lib/csv.ts';
import { AppError } from '#server/lib/errors.ts';
import { fileNumber } from '#server/lib/file-number.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { readPayables } from './payable.ts';
import { fileOf, Lots } from './ready.ts';
import type { Payable } from './payable.ts';
import type { Part } from './ready.ts';
import { selectEntries } from './entries.ts';

type Clocked = Pick<Services, 'clock'>;
type Zone = { timeZone: string };
type Entry = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number];

/** Facts that payments have in both files. */
interface Shown {
  payees: PayeeGroup;
  effectiveOn: string;
  payTo: string;
  employeeName: string;
  employeeNumber: string | null;
  kind: PayoutKind;
  bankName: string | null;
  last4: string;
  reference: string;
}

const PAYEES: Readonly<Record<PayeeGroup, string>> = {
  people: 'People',
  businesses: 'Businesses',
  accounts: 'Bank accounts',
  micro_deposits: 'Bank accounts',
};
const KINDS: Readonly<Record<PayoutKind, string>> = {
  withdrawal: 'Withdrawal',
  bill: 'Bill',
  prenote: 'Prenote',
  micro_deposit: 'Micro-deposit',
};

/** Columns of a payment; those that only one of the files has stand around them. */
function columnsOf<Row>(shownOf: (row: Row) => Shown): CsvColumn<Row, Zone>[] {
  const cell = (write: (shown: Shown) => string) => (row: Row) => textCell(write(shownOf(row)));
  return [
    { header: 'Effective', cell: cell(({ effectiveOn }) => effectiveOn) },
    { header: 'To', cell: cell(({ payees }) => PAYEES[payees]) },
    { header: 'Pay to', cell: cell(({ payTo }) => payTo) },
    { header: 'For', cell: cell(({ kind }) => KINDS[kind]) },
    { header: 'Employee', cell: cell(({ employeeName }) => employeeName) },
    { header: 'Employee ID', cell: cell(({ employeeNumber }) => employeeNumber ?? '') },
    {
      header: 'To account',
      cell: cell(({ bankName, last4 }) => `${bankName === null ? '' : `${bankName} `}••${last4}`),
    },
    { header: 'Reference', cell: cell(({ reference }) => reference) },
  ];
}

const READY: readonly CsvColumn<Payable, Zone>[] = [
  ...columnsOf<Payable>((payable) => payable),
  // Time of the approval; of a bill the time at which it became due.
  ...momentColumns<Payable, Zone>('Since', ({ since }) => since),
  { header: 'Amount', cell: ({ amountMinor }) => plainCell(decimalAmount(amountMinor)) },
];

const ENTRIES: readonly CsvColumn<Entry, Zone>[] = [
  { header: 'Batch', cell: ({ batchNumber }) => plainCell(String(batchNumber)) },
  ...columnsOf<Entry>(({ ownerName, ...entry }) => ({ ...entry, employeeName: ownerName })),
  { header: 'Trace number', cell: ({ traceNumber }) => textCell(traceNumber) },
  { header: 'Status', cell: ({ status }) => plainCell(status) },
  { header: 'Amount', cell: ({ amountMinor }) => plainCell(decimalAmount(amountMinor)) },
];

/** The payments of a part that can leave now, in the order of the page, which has the first of them. */
export async function exportPayouts(
  db: Db,
  services: Clocked,
  by: CommandContext,
  part: Part,
): Promise<CsvFile> {
  const settings = await readSettings(db);
  const lots = new Lots(() => ({ lines: new Array<string>() }));
  const isAsked = fileOf(part);
  for await (const chunk of readPayables(db, services, { by, settings })) {
    // Lines take a tenth of the memory of what they are written from.
    for (const payable of chunk.filter(isAsked)) {
      lots.of(payable).lines.push(lineOf(READY, payable, settings));
    }
  }
  const lines = lots.inOrder().flatMap((lot) => lot.lines);
  const today = dayIn(settings.timeZone, services.clock.now());
  return csvFile(`payouts-${today}`, READY, chunksOf(lines));
}

/**
 * The payments of a payout file, in its order, with the last digits of their accounts.
 *
 * @throws {AppError} `payout_file_not_found`
 */
export async function exportPayoutFile(db: Db, id: string): Promise<CsvFile> {
  const file = await db
    .selectFrom('payoutFile')
    .select('number')
    .where('id', '=', id)
    .executeTakeFirst();
  if (file === undefined) throw new AppError('payout_file_not_found');
  const name = `payout-file-${fileNumber(file.number)}`;
  return csvFile(name, ENTRIES, entriesOf(db, id, await readSettings(db)));
}

function* chunksOf(lines: readonly string[]): Generator<string[]> {
  const { chunkRows } = LIMITS.exports;
  for (let from = 0; from < lines.length; from += chunkRows) {
    yield lines.slice(from, from + chunkRows);
  }
}

async function* entriesOf(db: Db, fileId: string, zone: Zone): AsyncGenerator<string[]> {
  const { chunkRows } = LIMITS.exports;
  let after = '';
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one chunk after another
    const entries = await selectEntries(db, fileId)
      .where('item.traceNumber', '>', after)
      .limit(chunkRows)
      .execute();
    yield entries.map((entry) => lineOf(ENTRIES, entry, zone));
    if (entries.length < chunkRows) return;
    after = entries.at(-1)?.traceNumber ?? after;
  }
}

function lineOf<Row>(columns: readonly CsvColumn<Row, Zone>[], row: Row, zone: Zone): string {
  return csvLine(columns.map(({ cell }) => cell(row, zone)));
}

function csvFile(
  name: string,
  columns: readonly { header: string }[],
  batches: Iterable<string[]> | AsyncIterable<string[]>,
): CsvFile {
  let rows = 0;
  async function* chunks(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine(columns.map(({ header }) => plainCell(header)));
    for await (const lines of batches) {
      rows += lines.length;
      yield lines.join('');
    }
  }
  return { name: `${name}.csv`, chunks: chunks(), rows: () => rows };
}
