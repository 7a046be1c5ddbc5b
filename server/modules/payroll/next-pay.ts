import { sql } from 'kysely';
import type { NextPay } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { readPerson } from '#server/modules/usual-pay/index.ts';
import type { Services } from '#server/services.ts';
import { nextPayday } from './next-payday.ts';
import { batchName } from './rules.ts';

/** Most drafts, and most payrolls that were sent, with the person. More than a company has for one day. */
const MOST_LINES = 20;

interface Line {
  walletType: WalletType;
  /** Null where a draft leaves the person out. */
  amountMinor: bigint | null;
  draft: NextPay['lines'][number]['draft'];
  batch: NextPay['lines'][number]['batch'];
}

/**
 * Payments that a person is expected to get on their next payday: the lines of payrolls that were sent and are not posted
 * yet, of open drafts for that day or without a day, and their usual pay into each wallet that none of these pays or
 * leaves out.
 *
 * @throws {AppError} `person_not_found`
 */
export async function getNextPay(
  reader: Reader,
  { clock }: Pick<Services, 'clock'>,
  userId: string,
): Promise<NextPay> {
  const settings = await readSettings(reader);
  const { currency, timeZone } = settings;
  const now = clock.now();
  const on = await nextPayday(reader, settings, { userId, now });
  const { isPaid, open, valid } = await readPerson(
    reader,
    { userId, validFrom: on ?? dayIn(timeZone, now) },
    now,
  );
  const isPayable = (type: WalletType) => isPaid && open.includes(type);
  const known = [
    ...(await sentLines(reader, userId)),
    ...(await draftLines(reader, settings, { userId, on })).filter(({ walletType }) =>
      isPayable(walletType),
    ),
  ];
  const usual = WALLET_TYPES.filter(isPayable).map((walletType): Line => ({
    walletType,
    draft: null,
    batch: null,
    amountMinor: BigInt(valid[walletType]?.minor ?? '0'),
  }));
  const lines = [
    ...known,
    ...usual.filter(({ walletType }) => known.every((line) => line.walletType !== walletType)),
  ];
  const sumOf = (all: readonly Line[]) =>
    money(
      all.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0n), 0n),
      currency,
    );
  return {
    on,
    lines: WALLET_TYPES.flatMap((type) => lines.filter(({ walletType }) => walletType === type))
      .filter(({ amountMinor }) => (amountMinor ?? 0n) > 0n)
      .map(({ amountMinor, ...line }) => ({ ...line, amount: money(amountMinor ?? 0n, currency) })),
    total: sumOf(lines),
    usual: sumOf(usual),
  };
}

async function sentLines(reader: Reader, userId: string): Promise<Line[]> {
  const rows = await reader
    .selectFrom('payrollLine as line')
    .innerJoin('payrollBatch as batch', 'batch.id', 'line.batchId')
    .select(['batch.id', 'batch.number', 'batch.status', 'batch.walletType', 'line.amountMinor'])
    .where('line.userId', '=', userId)
    .where('line.status', '=', 'draft')
    .where('batch.status', 'in', ['pending', 'processing'])
    .where('batch.fundingType', 'is', null)
    .orderBy('batch.createdAt')
    .limit(MOST_LINES)
    .execute();
  return rows.map(({ walletType, amountMinor, ...batch }) => ({
    walletType,
    amountMinor,
    batch,
    draft: null,
  }));
}

/** Lines of open drafts for a day or an earlier one, and of those without a day; without a day of all drafts. */
async function draftLines(
  reader: Reader,
  { timeZone }: CompanySettings,
  { userId, on }: { userId: string; on: string | null },
): Promise<Line[]> {
  const isOfDay = on === null ? sql`true` : sql`(pay_on IS NULL OR pay_on <= ${on}::date)`;
  const { rows } = await sql<{
    id: string;
    name: string | null;
    payOn: string | null;
    createdAt: Date;
    walletType: WalletType;
    amountMinor: bigint | null;
  }>`
    SELECT * FROM (
      SELECT named.user_id IS NOT NULL AS is_named, draft.id, draft.name, draft.pay_on, draft.created_at, draft.wallet_type,
             CASE WHEN draft.has_own_amounts THEN named.amount_minor ELSE draft.amount_minor END
               AS amount_minor
        FROM payroll_draft AS draft
        JOIN app_user AS person ON person.id = ${userId}
        LEFT JOIN payroll_draft_person AS named
               ON named.draft_id = draft.id AND named.user_id = person.id
       WHERE draft.status = 'open' AND ${isOfDay}
         AND (draft.department IN ('all', person.department)
              OR draft.department = 'chosen' AND named.user_id IS NOT NULL)) AS line
     WHERE amount_minor IS NOT NULL OR is_named
     ORDER BY created_at, id LIMIT ${MOST_LINES}`.execute(reader);
  return rows.map(({ id, name, walletType, amountMinor, ...draft }): Line => ({
    walletType,
    amountMinor,
    batch: null,
    draft: { id, name: name ?? batchName({ walletType, ...draft }, draft.createdAt, timeZone) },
  }));
}
