import { sql } from 'kysely';
import type { Recovery, RouteReply } from '#contract/api.ts';
import { addDays, dayIn } from '#contract/calendar.ts';
import { payWords } from '#contract/funding.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { OPEN_RECOVERIES, RECOVERY_ANSWER_DAYS, RECOVERY_PAYROLLS } from '#contract/recovery.ts';
import type { RecoveryStatus } from '#contract/recovery.ts';
import type { recovery } from '#contract/things/recovery.ts';
import type { WalletType } from '#contract/wallets.ts';
import { personName } from '#server/db/person-name.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { paydaysAfter } from '#server/lib/calendar.ts';
import { AppError } from '#server/lib/errors.ts';
import { withActs } from '#server/modules/acts/index.ts';
import type { ActsReader, OfferedAct } from '#server/modules/acts/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';
import { readPerson } from '#server/modules/usual-pay/index.ts';
import type { Services } from '#server/services.ts';
import { lineReference } from '../rules.ts';
import { recoveries } from './recovery.ts';

type Clocked = Pick<Services, 'clock'>;

/** Recoveries of a person, or one, newest first, as their reader sees them. */
export async function readRecoveries(
  reader: Reader,
  services: Clocked,
  who: ActsReader,
  of: { userId: string } | { id: string },
): Promise<Recovery[]> {
  const settings = await readSettings(reader);
  const rows = await withActs(
    reader,
    services,
    recoveries,
    who,
    selectRecoveries(reader, of),
    settings,
  );
  const today = dayIn(settings.timeZone, services.clock.now());
  return rows.map((row) => presentRecovery(row, settings, today));
}

/** Recoveries that wait for a person's answer, newest first: none once its last day is over. */
export async function askedRecoveries(
  reader: Reader,
  { userId, today }: { userId: string; today: string },
): Promise<RouteReply<'getEmployeeDashboard'>['askedRecoveries']> {
  const rows = await reader
    .selectFrom('recovery')
    .select(['id', 'amountMinor', 'currency', 'answerBy'])
    .select(personName('recovery.created_by').as('by'))
    .where('userId', '=', userId)
    .where('status', '=', 'proposed')
    .where('answerBy', '>=', today)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(({ id, by, answerBy, amountMinor, currency }) => ({
    id,
    by,
    answerBy,
    amount: money(amountMinor, currency as Currency),
  }));
}

/**
 * Recoveries of a person, as administrators see them.
 *
 * @throws {AppError} `person_not_found`
 */
export async function listRecoveriesOf(
  reader: Reader,
  services: Clocked,
  actor: Actor,
  userId: string,
): Promise<RouteReply<'adminGetRecoveries'>> {
  const person = await reader
    .selectFrom('appUser')
    .select('id')
    .where('id', '=', userId)
    .executeTakeFirst();
  if (person === undefined) throw new AppError('person_not_found');
  return { recoveries: await readRecoveries(reader, services, { actor, as: 'admin' }, { userId }) };
}

/** Refusal of any proposal to a person; null where payroll pays them. */
export function refusalToPropose({ isPaid }: { isPaid: boolean }): AppError | null {
  return isPaid ? null : new AppError('usual_pay_not_paid');
}

/** Facts for a proposal to recover a payment: the company's share, the paydays to come, and the usual pay. */
export async function readTerms(
  reader: Reader,
  { clock }: Clocked,
  { userId, walletType }: { userId: string; walletType: WalletType },
): Promise<RouteReply<'adminGetPayrollReversal'>['recovery']> {
  const settings = await readSettings(reader);
  const now = clock.now();
  const today = dayIn(settings.timeZone, now);
  const answerBy = addDays(today, RECOVERY_ANSWER_DAYS.proposed);
  const paydays = paydaysAfter(settings, today, RECOVERY_PAYROLLS).map(({ on }) => on);
  const person = await readPerson(reader, { userId, validFrom: paydays[0] ?? today }, now);
  return {
    percent: settings.recoveryPercent,
    paydays,
    answerBy,
    usual: money(BigInt(person.valid[walletType]?.minor ?? '0'), settings.currency),
    refusal: refusalToPropose(person)?.message ?? null,
  };
}

function selectRecoveries(reader: Reader, of: { userId: string } | { id: string }) {
  return reader
    .selectFrom('recovery')
    .innerJoin('payrollLine as line', 'line.id', 'recovery.lineId')
    .innerJoin('payrollBatch as batch', 'batch.id', 'line.batchId')
    .selectAll('recovery')
    .select(['line.lineNumber', 'line.amountMinor as paidMinor', 'line.reversedMinor'])
    .select(['line.processedAt', 'batch.number', 'batch.fundingType', 'batch.description'])
    .select(personName('recovery.created_by').as('makerName'))
    .select(personName<string | null>('recovery.moved_by').as('moverName'))
    .select(
      sql<InstalmentRow[]>`coalesce((
        SELECT json_agg(json_build_object('reference', posting.reference, 'lineId', taken.line_id,
                 'minor', taken.amount_minor::text, 'at', taken.taken_at,
                 'isGivenBack', taken.given_back_transaction_id IS NOT NULL) ORDER BY taken.id)
          FROM recovery_instalment AS taken
          JOIN ledger_transaction AS posting ON posting.id = taken.ledger_transaction_id
         WHERE taken.recovery_id = recovery.id), '[]')`.as('instalments'),
    )
    .$if('userId' in of, (query) =>
      query.where('recovery.userId', '=', 'userId' in of ? of.userId : ''),
    )
    .$if('id' in of, (query) => query.where('recovery.id', '=', 'id' in of ? of.id : ''))
    .orderBy('recovery.id', 'desc');
}

interface InstalmentRow {
  reference: string;
  lineId: string;
  minor: string;
  at: string;
  isGivenBack: boolean;
}

type Row = Awaited<ReturnType<ReturnType<typeof selectRecoveries>['execute']>>[number] & {
  acts: OfferedAct<typeof recovery>[];
};

function presentRecovery(row: Row, settings: CompanySettings, today: string): Recovery {
  const { id, status, walletType, percent, startsOn, answerBy, message, acts } = row;
  const currency = row.currency as Currency;
  const leftMinor = row.amountMinor - row.recoveredMinor;
  return {
    id,
    status,
    walletType,
    percent,
    startsOn,
    answerBy,
    message,
    acts,
    reason: row.reason,
    payment: {
      reference: lineReference(row, row.lineNumber),
      description: payWords(row.fundingType, row.description),
      at: (row.processedAt ?? row.createdAt).toISOString(),
      amount: money(row.paidMinor, currency),
      reversed: money(row.reversedMinor, currency),
    },
    amount: money(row.amountMinor, currency),
    recovered: money(row.recoveredMinor, currency),
    left: money(leftMinor, currency),
    instalment: money(row.instalmentMinor, currency),
    companyPercent: settings.recoveryPercent,
    proposed: { by: row.makerName, at: row.createdAt.toISOString() },
    ended:
      status === 'ended' && row.movedAt !== null
        ? { by: row.moverName, at: row.movedAt.toISOString(), reason: row.rejectionReason }
        : null,
    instalments: row.instalments.map(({ minor, at, ...one }) => ({
      ...one,
      amount: money(BigInt(minor), currency),
      at: new Date(at).toISOString(),
    })),
    planned: plannedOf({ ...row, status, leftMinor, currency }, settings, today),
  };
}

/** Instalments of an open recovery that are to come, with paydays of the schedule. */
function plannedOf(
  {
    status,
    leftMinor,
    instalmentMinor,
    startsOn,
    currency,
  }: {
    status: RecoveryStatus;
    leftMinor: bigint;
    instalmentMinor: bigint;
    startsOn: string;
    currency: Currency;
  },
  settings: CompanySettings,
  today: string,
): Recovery['planned'] {
  if (!OPEN_RECOVERIES.some((open) => open === status)) return [];
  const first = startsOn > today ? startsOn : addDays(today, 1);
  const paydays = paydaysAfter(settings, addDays(first, -1), RECOVERY_PAYROLLS);
  const planned: Recovery['planned'] = [];
  for (let rest = leftMinor; rest > 0n; rest -= instalmentMinor) {
    const minor = rest < instalmentMinor ? rest : instalmentMinor;
    planned.push({ on: paydays[planned.length]?.on ?? null, amount: money(minor, currency) });
  }
  return planned;
}
