import { sql } from 'kysely';
import type { PayrollDraft, PayrollFileCheck, RouteArguments, RouteReply } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { formatMoney, money } from '#contract/money.ts';
import { payrollDraft } from '#contract/things/payroll-draft.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db, Reader, Tx } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError, invariant } from '#server/lib/errors.ts';
import { fileNameOf, rememberColumns } from '#server/modules/imports/index.ts';
import type { Sheet } from '#server/modules/imports/index.ts';
import { journal } from '#server/modules/journal/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { byWalletType } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';
import { chooseForAbsent } from './absent-people.ts';
import { readAmountsFile } from './amounts-file.ts';
import type { CheckedAmounts, FilledDraft } from './amounts-file.ts';
import { columnsOf, isChosen, purposeOf } from './file-columns.ts';
import { rowsWithErrors } from './file-errors.ts';
import { putAmounts } from './fill-in.ts';
import { lockPayroll } from './lock-draft.ts';
import { getPayrollDraft } from './rows.ts';
import { checkVersion } from './save-draft.ts';
import { checkWallets } from './wallets-file.ts';
import type { CheckedWallet } from './wallets-file.ts';

type Clocked = Pick<Services, 'clock'>;
type Reading = RouteArguments<'adminCheckPayrollFile'>['query'];

interface Order<Query> {
  id: string;
  query: Query;
  body: UploadBody;
}

/**
 * Checks a CSV file of amounts against a draft. Nothing is filled in. Columns that the request chooses are remembered for
 * files with the same headings.
 *
 * @throws {AppError} `payroll_draft_not_found`, `payroll_draft_not_open`, `amount_invalid` where the company has another
 *   currency than the draft, `invalid_request` for a column that the file has not, and what is wrong with the file
 */
export async function checkPayrollFile(
  db: Db,
  services: Clocked,
  by: CommandContext,
  order: Order<Reading>,
): Promise<PayrollFileCheck> {
  return (await checkFile(db, services, by, order)).check;
}

/**
 * Rows of a CSV file of amounts that have errors, with all reasons, as CSV.
 *
 * @throws {AppError} as `checkPayrollFile`
 */
export async function listPayrollFileErrors(
  db: Db,
  services: Clocked,
  by: CommandContext,
  order: Order<Reading>,
): Promise<RouteReply<'adminListPayrollFileErrors'>> {
  const { sheet, problems } = await checkFile(db, services, by, order);
  return rowsWithErrors(sheet, problems);
}

async function checkFile(
  db: Db,
  { clock }: Clocked,
  by: CommandContext,
  { id, query, body }: Order<Reading>,
): Promise<Pick<CheckedAmounts, 'check' | 'problems'> & { sheet: Sheet }> {
  const drafts = await findOpen(db, id);
  const draft = invariant(drafts[0], 'a file fills in a draft');
  const settings = await readSettings(db);
  if (draft.currency !== settings.currency) throw new AppError('amount_invalid');
  const sheet = await readAmountsFile(body, draft);
  const { header } = sheet;
  const columns = await columnsOf(db, drafts, header, query);
  const { mapping } = columns;
  const now = clock.now();
  const file = { sheet, ...columns, leftOut: query.leftOut, today: dayIn(settings.timeZone, now) };
  const checked = await checkWallets(db, drafts, settings, file);
  if (isChosen(query) && checked.check.missing.length === 0) {
    const chosen = { mapping, by: by.actor.id, at: now };
    await withTx(db, (tx) => rememberColumns(tx, { purpose: purposeOf(drafts), header }, chosen));
  }
  return { ...checked, sheet };
}

/**
 * An open draft and its open parts, the draft first.
 *
 * @throws {AppError} `payroll_draft_not_found`, `payroll_draft_not_open`
 */
async function findOpen(reader: Reader, id: string): Promise<FilledDraft[]> {
  const drafts = await reader
    .selectFrom('payrollDraft')
    .select(['id', 'status', 'walletType', 'department', 'currency', 'version', 'payOn'])
    .where((eb) =>
      eb.or([eb('id', '=', id), eb.and([eb('partOf', '=', id), eb('status', '=', 'open')])]),
    )
    .orderBy((eb) => eb('id', '<>', id))
    .orderBy(byWalletType('wallet_type'))
    .execute();
  const [draft] = drafts;
  if (draft?.id !== id) throw new AppError('payroll_draft_not_found');
  const { status } = draft;
  if (status !== 'open') throw new AppError('payroll_draft_not_open', { status });
  return drafts;
}

/**
 * Puts the amounts of a file in place of those of a draft: all of them, or none. The file is checked again, against the
 * locked draft: it has no error, its sum is the control total, and its people and amounts are those that were seen. Whom
 * it does not name is not in the payroll, unless the last payroll paid them and the request chooses so.
 *
 * @throws {AppError} as `checkPayrollFile`, and `payroll_draft_changed`, `payroll_file_columns`, `payroll_file_errors`,
 *   `payroll_file_nobody`, `payroll_file_absent`, `payroll_file_total`, `conflict` where other people or amounts were seen
 */
export async function fillInPayrollFile(
  db: Db,
  { clock }: Clocked,
  by: CommandContext,
  { id, query, body }: Order<RouteArguments<'adminFillInPayrollFile'>['query']>,
): Promise<PayrollDraft> {
  const [found] = await findOpen(db, id);
  const sheet = await readAmountsFile(body, invariant(found, 'a file fills in a draft'));
  const { controlTotal, version, hash, leftOut, fileName } = query;
  return withTx(db, async (tx) => {
    const { draft, all } = await lockPayroll(tx, id, 'fillIn');
    // A part that is named is filled in alone.
    const drafts = draft.partOf === null ? all : [draft];
    await checkVersion(tx, draft, version);
    const settings = await readSettings(tx);
    if (draft.currency !== settings.currency) throw new AppError('amount_invalid');
    const columns = await columnsOf(tx, drafts, sheet.header, query);
    const { mapping } = columns;
    const at = clock.now();
    const file = { sheet, ...columns, leftOut, today: dayIn(settings.timeZone, at) };
    const { check, absent, totalMinor, wallets } = await checkWallets(tx, drafts, settings, file);
    const { missing, counts, header } = check;
    if (missing.length > 0) {
      throw new AppError('payroll_file_columns', { missing: missing.join(' and of ') });
    }
    if (counts.problems > 0) {
      const errors = counts.problems === 1 ? '1 error' : `${counts.problems} errors`;
      throw new AppError('payroll_file_errors', { errors });
    }
    if (counts.employees === 0) throw new AppError('payroll_file_nobody');
    if (controlTotal !== 'none' && BigInt(controlTotal) !== totalMinor) {
      const write = (minor: bigint) => formatMoney(money(minor, draft.currency));
      const words = { sum: write(totalMinor), total: write(BigInt(controlTotal)) };
      throw new AppError('payroll_file_total', words);
    }
    if (check.hash !== hash) throw new AppError('conflict');
    const choices = chooseForAbsent(absent, query);
    const nameOf = (index: number | null) => (index === null ? '' : (header[index] ?? ''));
    for (const wallet of wallets) {
      // oxlint-disable-next-line no-await-in-loop -- one transaction
      await fillInWallet(tx, wallet, { choices, by: by.actor.id, at });
    }
    const asLast = choices.filter(({ choice }) => choice === 'last').length;
    journal(tx, by, payrollDraft, 'fillIn', {
      id,
      at,
      details: {
        file: fileNameOf(fileName, 'payroll.csv'),
        hash,
        employees: counts.employees + asLast,
        controlTotal,
        columns: [
          mapping.employeeId,
          mapping.email,
          mapping.amount,
          ...WALLET_TYPES.flatMap((type) => mapping[type] ?? []),
        ].map(nameOf),
        total: totalMinor.toString(),
        leftOut: check.leftOut.map(({ row }) => row).join(' '),
        ...(choices.length > 0 && {
          absent: choices.length,
          absentChoices: query.absent,
          absentRest: query.absentRest ?? '',
        }),
        ...(check.breakdown !== null && {
          breakdown: [mapping.gross, ...mapping.deductions].map(nameOf),
          gross: check.breakdown.gross.minor,
        }),
      },
    });
    return getPayrollDraft(tx, settings, id);
  });
}

interface Filling {
  choices: ReturnType<typeof chooseForAbsent>;
  by: string;
  at: Date;
}

/** Puts the amounts of one type of wallet in place of those of its draft, with those of who is paid as last time. */
async function fillInWallet(
  tx: Tx,
  { draft: { id, version }, amounts: read, absent }: CheckedWallet,
  { choices, by, at }: Filling,
): Promise<void> {
  const asLast = new Set(
    choices.filter(({ choice }) => choice === 'last').map(({ person }) => person.id),
  );
  const amounts = [
    ...read,
    ...absent
      .filter((person) => asLast.has(person.id))
      .map((person) => ({ userId: person.id, minor: person.lastMinor, breakdown: null })),
  ];
  await tx
    .updateTable('payrollDraft')
    .set({ hasOwnAmounts: true, amountMinor: null, version: version + 1 })
    .set({ changedBy: by, amountsBy: by, updatedAt: at })
    .where('id', '=', id)
    .execute();
  await putAmounts(tx, {
    id,
    startedFrom: 'file',
    amounts: sql`SELECT * FROM unnest(${amounts.map(({ userId }) => userId)}::uuid[],
      ${amounts.map(({ minor }) => minor)}::bigint[],
      ${amounts.map(({ breakdown }) => breakdown && JSON.stringify(breakdown))}::jsonb[]) AS typed (user_id, minor, breakdown)`,
  });
}
