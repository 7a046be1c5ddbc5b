import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Department } from '#contract/company.ts';
import { dayIn } from '#contract/calendar.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { Funding } from '#contract/api.ts';
import type { Actor, CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { recordAudit } from '#server/modules/audit/index.ts';
import { ensureSystemAccount, post } from '#server/modules/ledger/index.ts';
import { fundEmployee, fundingAccounts } from '#server/modules/payroll/index.ts';
import { readBatchFacts } from '#server/modules/payroll/lines-hash.ts';
import { batchName, lineReference, payPeriod } from '#server/modules/payroll/rules.ts';
import { proposeRecovery } from '#server/modules/payroll/recoveries/propose-recovery.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { OpenedWallet } from '#server/modules/wallets/index.ts';
import type { Services } from '#server/services.ts';

export interface SeededEmployee {
  id: string;
  /** Absent for a person without a wallet. */
  walletId?: string;
  ledgerAccountId?: string;
}

/** Employees inserted by one statement; a wallet opens through the ledger's own function. */
const SEED_CHUNK = 10_000;

/**
 * Makes `count` employees with an empty wallet each, by a few set-based statements: 100,000 take
 * seconds. Their account numbers are not real ones and cannot be revealed.
 *
 * @param walletType `null` for people without a wallet
 */
export async function seedEmployees(
  db: Db,
  {
    count,
    department = 'engineering',
    walletType = 'salary',
  }: { count: number; department?: Department; walletType?: WalletType | null },
): Promise<SeededEmployee[]> {
  const seeded: SeededEmployee[] = [];
  // So many people are paid more than a company's limit for one payroll unless it sets another.
  if (count > SEED_CHUNK) {
    await sql`UPDATE company_settings SET payroll_batch_limit_minor = 10000000000000`.execute(db);
  }
  while (seeded.length < count) {
    const size = Math.min(SEED_CHUNK, count - seeded.length);
    const people = Array.from({ length: size }, () => ({
      id: newId(),
      ...(walletType === null ? {} : { walletId: newId(), ledgerAccountId: newId() }),
    }));
    await insertPeople(db, people, department, walletType);
    seeded.push(...people);
  }
  return seeded;
}

/** Takes everyone off the directory, so that the next test of a file pays only its own people. */
export function retireEverybody(db: Db): Promise<unknown> {
  return sql`UPDATE app_user SET role = 'admin', deactivated_at = now() WHERE role = 'employee'`.execute(
    db,
  );
}

/**
 * Pays that much into one wallet: a payroll with a single line, as sendPayroll and postPayroll leave
 * it, so that whoever verifies the books finds nothing. Its person and its admin are not notified.
 *
 * The batch is for the department `general`, lest it counts as one that was sent to the people whom
 * another test is about to pay.
 *
 * @param order.createdBy an admin
 */
export async function payOneWallet(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  { userId, wallet, walletType, amountMinor, createdBy }: OneWalletOrder,
): Promise<void> {
  const { currency, timeZone } = await readSettings(tx);
  const now = services.clock.now();
  const [batchId, lineId, transactionId] = [newId(), newId(), newId()];
  const description = 'Payroll, December 2026';
  const { number } = await tx
    .insertInto('payrollBatch')
    .values({
      id: batchId,
      number: sql<string>`(
        SELECT lpad(number, greatest(4, length(number)), '0')
          FROM (SELECT nextval('payroll_batch_number_seq')::text AS number) AS next)`,
      name: batchName({ walletType, payOn: null }, now, timeZone),
      payPeriod: payPeriod(null, now, timeZone),
      description,
      walletType,
      department: 'general',
      amountMinor,
      currency,
      status: 'completed',
      previewHash: randomBytes(32),
      createdBy,
      payableCount: 1,
      skippedCount: 0,
      totalMinor: amountMinor,
      postedThrough: 1,
      paidCount: 1,
      paidMinor: amountMinor,
      createdAt: now,
      postAfter: now,
      startedAt: now,
      processedAt: now,
      mailedAt: now,
    })
    .returning('number')
    .executeTakeFirstOrThrow();
  const funding = await ensureSystemAccount(tx, 'payroll_funding', currency);
  const posting = {
    id: transactionId,
    kind: 'payroll',
    reference: lineReference({ number, fundingType: null }, 1),
    description,
    actorId: createdBy,
    subjectId: lineId,
    entries: [
      { accountId: funding, amountMinor: -amountMinor },
      { accountId: wallet.ledgerAccountId, amountMinor },
    ],
  };
  await post(tx, [posting], { effectiveAt: now });
  await tx
    .insertInto('payrollLine')
    .values({
      batchId,
      lineNumber: 1,
      id: lineId,
      userId,
      walletId: wallet.id,
      amountMinor,
      status: 'processed',
      ledgerTransactionId: transactionId,
      processedAt: now,
    })
    .execute();
  await recordOneWallet(tx, { batchId, walletType, amountMinor, currency, createdBy, now });
}

interface OneWalletOrder {
  userId: string;
  wallet: OpenedWallet;
  walletType: WalletType;
  amountMinor: bigint;
  createdBy: string;
}

/** Audit events of a batch that was sent and paid. */
async function recordOneWallet(
  tx: Tx,
  batch: Pick<OneWalletOrder, 'walletType' | 'amountMinor' | 'createdBy'> & {
    batchId: string;
    currency: Currency;
    now: Date;
  },
): Promise<void> {
  const subject = { subjectType: 'payroll_batch', subjectId: batch.batchId } as const;
  const at = batch.now.toISOString();
  const amountMinor = batch.amountMinor.toString();
  recordAudit(tx, {
    by: { actor: { id: batch.createdBy, role: 'admin', name: 'Administrator' } },
    action: 'payroll.sent',
    ...subject,
    details: {
      walletType: batch.walletType,
      department: 'general',
      amountMinor,
      currency: batch.currency,
      totalMinor: amountMinor,
      payable: 1,
      skipped: 0,
      needsApproval: false,
      at,
      ...(await readBatchFacts(tx, batch.batchId)),
    },
  });
  recordAudit(tx, {
    by: { actor: 'system' },
    action: 'payroll.completed',
    ...subject,
    details: { paid: 1, failed: 0, paidMinor: amountMinor, at },
  });
}

/** An admin, as commands take one. */
export async function seedAdmin(db: Db, name = 'Renee Albright'): Promise<Actor> {
  const id = newId();
  const [firstName = '', lastName = ''] = name.split(' ');
  await sql`
    INSERT INTO app_user (id, email, name, first_name, last_name, role, accepted_at)
    VALUES (${id}, ${`${id}@payroll.test`}, ${name}, ${firstName}, ${lastName}, 'admin', now())`.execute(
    db,
  );
  return { id, role: 'admin', name };
}

async function insertPeople(
  db: Db,
  people: readonly SeededEmployee[],
  department: Department,
  walletType: WalletType | null,
): Promise<void> {
  const ids = people.map((person) => person.id);
  await withTx(db, async (tx) => {
    // Last names in no order, so that lines (by name) and accounts (by age) do not run in step.
    await sql`
      INSERT INTO app_user (id, email, name, first_name, last_name, employee_number, department,
                            accepted_at)
      SELECT id, id || '@payroll.test', 'Person ' || surname, 'Person', surname,
             'TR-' || number, ${department}, now()
        FROM (SELECT id, 'Of' || left(md5(id::text), 8) AS surname,
                     nextval('employee_number_seq') AS number
                FROM unnest(${ids}::uuid[]) AS id) AS person`.execute(tx);
    if (walletType === null) return;
    const accounts = people.map((person) => person.ledgerAccountId ?? null);
    await sql`
      SELECT count(ledger_account_open(account, ${walletType}, owner, 'USD'))
        FROM unnest(${accounts}::uuid[], ${ids}::uuid[]) AS opened (account, owner)`.execute(tx);
    await sql`
      INSERT INTO wallet (id, user_id, type, ledger_account_id, account_number_encrypted,
                          account_number_hash, hash_key_id, last4)
      SELECT id, owner, ${walletType}, account, ''::bytea, sha256(uuid_send(id)), 'seed', '0000'
        FROM unnest(${people.map((person) => person.walletId ?? null)}::uuid[], ${ids}::uuid[],
                    ${accounts}::uuid[]) AS opened (id, owner, account)`.execute(tx);
  });
}

/**
 * Funds an employee as an admin does who has seen what the pay period has paid them already, and confirms it.
 */
export async function fundAsSeen(
  db: Db,
  services: Services,
  by: CommandContext,
  funding: Omit<Parameters<typeof fundEmployee>[3], 'alreadyPaidHash'>,
): Promise<Funding> {
  const { paid } = await fundingAccounts(db, services, funding.id);
  return withTx(db, (tx) =>
    fundEmployee(tx, services, by, { ...funding, alreadyPaidHash: paid?.hash }),
  );
}

/** Proposes to recover all of the one line of a batch in a single instalment, from today; answers the recovery's id. */
export async function proposedRecovery(
  db: Db,
  services: Pick<Services, 'clock'>,
  admin: CommandContext,
  batchId: string,
): Promise<string> {
  const { id, amountMinor } = await db
    .selectFrom('payrollLine')
    .select(['id', 'amountMinor'])
    .where('batchId', '=', batchId)
    .executeTakeFirstOrThrow();
  const { timeZone, currency } = await readSettings(db);
  const today = dayIn(timeZone, services.clock.now());
  const amount = money(amountMinor, currency);
  const proposed = await withTx(db, (tx) =>
    proposeRecovery(tx, services, admin, {
      id,
      now: null,
      left: amount,
      instalment: amount,
      percent: 25,
      startsOn: today,
      answerBy: today,
      reason: 'paid_twice',
      message: 'Paid twice.',
    }),
  );
  return proposed.id;
}
