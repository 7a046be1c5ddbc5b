import { sql } from 'kysely';
import type { EmployeePage } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { EMPLOYEE_PAGE_ROWS } from '#contract/limits.ts';
import type { Reader } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { listBankAccounts } from '#server/modules/bank-accounts/index.ts';
import { recentDeposits } from '#server/modules/deposits/index.ts';
import { historyScope, recentHistory } from '#server/modules/history/index.ts';
import { listAccessLog } from '#server/modules/access-log/index.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { listWallets, refusalsToClose } from '#server/modules/wallets/index.ts';
import { recentWithdrawals } from '#server/modules/withdrawals/index.ts';
import type { Services } from '#server/services.ts';
import { earningsOfYear, lastDeposit } from './earnings.ts';
import { HAS_NO_PASSWORD } from './employee-rows.ts';
import { documentsOf, identityOf } from './identity-steps.ts';
import { getPerson } from './person.ts';

/**
 * Everything an admin asks about a person. Each part is one statement or two, however long its list
 * is: the newest are read by the index that has them in that order.
 *
 * @throws {AppError} `person_not_found`
 */
export async function getEmployeePage(
  reader: Reader,
  services: Pick<Services, 'clock' | 'vault'>,
  by: CommandContext,
  id: string,
): Promise<EmployeePage> {
  const settings = await readSettings(reader);
  const { currency, timeZone } = settings;
  const today = dayIn(timeZone, services.clock.now());
  const person = await getPerson(reader, services, id);
  const { accounts, totalAssets } = await listWallets(reader, id);
  const further = accounts.filter(({ isPrimary }) => !isPrimary);
  const toClose = await refusalsToClose(
    reader,
    further.map((wallet) => wallet.id),
  );
  const earnings = await earningsOfYear(reader, { userId: id, currency, today });
  const recent = { userId: id, limit: EMPLOYEE_PAGE_ROWS };
  const page = { page: 1, pageSize: EMPLOYEE_PAGE_ROWS };
  return {
    ...person,
    ...(await placeOf(reader, id)),
    wallets: accounts.map((wallet) => ({
      ...wallet,
      refusal: toClose.get(wallet.id)?.message ?? null,
    })),
    available: totalAssets,
    ytdEarnings: earnings.ytdEarnings,
    ytdPayroll: earnings.ytdPayroll,
    ytdDeposits: earnings.ytdDeposits,
    lastDeposit: await lastDeposit(reader, { userId: id, currency }),
    activity: await recentHistory(
      reader,
      await historyScope(reader, id, settings),
      EMPLOYEE_PAGE_ROWS,
    ),
    withdrawals: await recentWithdrawals(reader, services, by, recent),
    deposits: await recentDeposits(reader, services, by, recent),
    bankAccounts: (
      await listBankAccounts(reader, services, { ...by, as: 'admin' }, id)
    ).items.slice(0, EMPLOYEE_PAGE_ROWS),
    identity: await identityOf(reader, id),
    documents: await documentsOf(reader, id),
    opened: (await listAccessLog(reader, { userId: id, page })).items,
    audit: await auditOf(reader, id),
  };
}

type Place = Pick<
  EmployeePage,
  'firstName' | 'lastName' | 'department' | 'position' | 'isInvited' | 'joinedAt' | 'lastSignInAt'
>;

async function placeOf(reader: Reader, id: string): Promise<Place> {
  const row = await reader
    .selectFrom('appUser')
    .select([
      'firstName',
      'lastName',
      'department',
      'position',
      'createdAt',
      'lastLoginAt',
      'acceptedAt',
      'deactivatedAt',
    ])
    .select(HAS_NO_PASSWORD.as('hasNoPassword'))
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    firstName: row.firstName,
    lastName: row.lastName,
    department: row.department,
    position: row.position,
    isInvited: row.hasNoPassword && row.acceptedAt !== null && row.deactivatedAt === null,
    joinedAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastLoginAt?.toISOString() ?? null,
  };
}

/** Acts on the person and by them, newest first. */
async function auditOf(reader: Reader, id: string): Promise<EmployeePage['audit']> {
  const { rows } = await sql<{ id: string; action: string; by: string | null; at: Date }>`
    SELECT event.id::text AS id, event.action, actor.name AS by, event.at
      FROM audit_event AS event LEFT JOIN app_user AS actor ON actor.id = event.actor_id
     WHERE event.person_id = ${id}
     ORDER BY event.id DESC LIMIT ${EMPLOYEE_PAGE_ROWS}`.execute(reader);
  return rows.map(({ at, ...event }) => ({ ...event, at: at.toISOString() }));
}
