import { expect } from 'vitest';
import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { act } from '#server/modules/acts/index.ts';
import { accountNumberPlace } from '#server/modules/bank-accounts/index.ts';
import { downloadPayoutFile } from '#server/modules/payouts/download.ts';
import { makePayoutFile } from '#server/modules/payouts/make-payout-file.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { payoutFiles } from '#server/modules/payouts/payout-file.ts';
import { getPayouts } from '#server/modules/payouts/get-payouts.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { businessChecks } from '#server/modules/verification/index.ts';
import type { Services } from '#server/services.ts';
import { draftOwnAmounts, sendDraftAsSeen } from '#test/payroll-fixture.ts';
import { problemsIn } from '../sound-books.ts';
import { createPayee, withdrawalIn } from './money.ts';
import { seedEmployees } from './payroll.ts';
import { recordCompany } from './records.ts';
import type { Payee } from './money.ts';

/** Money of each payee, and of each payment, in minor units. */
export const FUNDED = 100_000n;
export const AMOUNT = 40_000n;
const DAY_MS = 86_400_000;

/** The checks of verification that are about payouts. People of tests are made without records. */
const CHECKS = businessChecks.filter(({ name }) =>
  /^(?:withdrawal|bill|payout|micro|settlement|sent|posting|transaction|system)/.test(name),
);

/** Everything that a step of a payout file, or of what came back of it, may leave behind, as a text. */
export async function payoutState(db: Db): Promise<string> {
  const { rows } = await sql<{ state: string }>`
    SELECT json_build_array(
             (SELECT json_agg(counter) FROM payout_counter AS counter),
             (SELECT json_agg(file ORDER BY number) FROM payout_file AS file),
             (SELECT json_agg(item ORDER BY id) FROM payout_file_item AS item),
             (SELECT json_agg(file ORDER BY id) FROM return_file AS file),
             (SELECT json_agg(entry ORDER BY id) FROM return_entry AS entry),
             (SELECT json_agg(tried ORDER BY item_id, number) FROM micro_deposit_try AS tried),
             (SELECT json_agg(withdrawal ORDER BY id) FROM withdrawal),
             (SELECT json_agg(account ORDER BY id) FROM ledger_account AS account),
             (SELECT json_agg(bank ORDER BY id) FROM bank_account AS bank),
             (SELECT count(*) FROM ledger_transaction), (SELECT count(*) FROM audit_event),
             (SELECT count(*) FROM notification), (SELECT count(*) FROM outbox))::text AS state`.execute(
    db,
  );
  return rows[0]?.state ?? '';
}

/**
 * Approved withdrawals of as many people, each with a wallet that a payroll paid into and a verified bank account, in a
 * number of statements that does not depend on how many there are. All of it is recorded, so that the company is sound.
 *
 * @param order.owner the database as its owner, who may write past the acts
 */
export async function approvedByMany(
  db: Db,
  services: Services,
  { owner, admin, count }: { owner: Db; admin: CommandContext; count: number },
): Promise<void> {
  const people = await seedEmployees(db, { count });
  const amounts = new Map(people.map(({ id }) => [id, FUNDED]));
  const draft = await draftOwnAmounts(db, admin.actor, amounts);
  const batch = await sendDraftAsSeen(db, admin.actor, draft.id);
  await postPayroll(db, services, batch.id);
  const banks = people.map(({ id: userId }, at) => ({
    userId,
    id: newId(),
    number: `44${100_000 + at}`,
  }));
  const sealed = await withTx(db, (tx) =>
    services.vault.sealAll(
      tx,
      banks.map(({ userId, id, number }) => ({
        userId,
        place: accountNumberPlace(id),
        plain: number,
      })),
    ),
  );
  const at = services.clock.now();
  await withTx(owner, async (tx) => {
    await sql`
      INSERT INTO bank_account (id, user_id, bank_name, account_type, account_number_encrypted, account_number_hash,
                                hash_key_id, last4, routing_number, holder_name, status, use_count, moved_by,
                                moved_at, submitted_at)
      SELECT id, user_id, 'Cascade Federal', 'checking', sealed, uuid_send(id), 'test', right(number, 4), '021000021',
             'Seeded Person', 'verified', 1, ${admin.actor.id}, ${at}, ${at}
        FROM unnest(${banks.map(({ id }) => id)}::uuid[], ${banks.map(({ userId }) => userId)}::uuid[],
                    ${sealed}::bytea[], ${banks.map(({ number }) => number)}::text[])
          AS one (id, user_id, sealed, number)`.execute(tx);
    await sql`
      CREATE TEMPORARY TABLE asked ON COMMIT DROP AS
      SELECT gen_random_uuid() AS id, gen_random_uuid() AS hold_id, wallet.id AS wallet_id, bank.user_id,
             bank.id AS bank_id, bank.last4, wallet.ledger_account_id,
             'WD-' || lpad((nextval('reference_number_seq') * 61803399 % 100000000)::text, 8, '0') AS reference
        FROM bank_account AS bank JOIN wallet ON wallet.user_id = bank.user_id
       WHERE bank.id = ANY (${banks.map(({ id }) => id)}::uuid[])`.execute(tx);
    await sql`SELECT ledger_hold_place(hold_id, ledger_account_id, ${AMOUNT}, reference) FROM asked`.execute(
      tx,
    );
    await sql`
      INSERT INTO withdrawal (id, reference, user_id, wallet_id, bank_account_id, bank_name, bank_last4, amount_minor,
                              currency, urgency, reason, hold_id, requested_at, updated_at)
      SELECT id, reference, user_id, wallet_id, bank_id, 'Cascade Federal', last4, ${AMOUNT}, 'USD', 'low', 'Rent',
             hold_id, ${at}, ${at} FROM asked`.execute(tx);
    await sql`UPDATE withdrawal SET status = 'approved', moved_at = ${at}, moved_by = ${admin.actor.id}
               WHERE id IN (SELECT id FROM asked)`.execute(tx);
  });
  await recordCompany(db);
}

/** Steps of payouts by files, done by `admin` unless another does them. */
export function payoutSteps(db: Db, services: Services, admin: CommandContext) {
  const enterBank = (patch: Parameters<typeof updateSettings>[3] = {}) =>
    withTx(db, (tx) =>
      updateSettings(tx, services, admin, {
        payoutFormat: 'nacha',
        payoutBankName: 'Northgate Commerce Bank',
        payoutRoutingNumber: '084207311',
        payoutAccountNumber: '00964410',
        payoutCompanyId: '1912345678',
        payoutIsBalanced: false,
        ...patch,
      }),
    );
  const payee = () => createPayee(db, services, { admin, fundedMinor: FUNDED });
  const approved = async (who?: Payee, amountMinor = AMOUNT) => {
    const owner = who ?? (await payee());
    const input = { payee: owner, admin, status: 'approved', amountMinor } as const;
    return { who: owner, id: (await withdrawalIn(db, services, input)).id };
  };
  const make = (
    withdrawalIds: string[],
    billIds: string[] = [],
    { by = admin, isSameDay = false }: { by?: CommandContext; isSameDay?: boolean } = {},
  ) => withTx(db, (tx) => makePayoutFile(tx, services, by, { withdrawalIds, billIds, isSameDay }));
  const download = (id: string, reason?: string, by = admin) =>
    withTx(db, (tx) =>
      downloadPayoutFile(tx, services, by, { id, ...(reason !== undefined && { reason }) }),
    );
  const actIn = (tx: Tx, name: 'send' | 'settle' | 'cancel', id: string, by = admin) =>
    act(tx, services, by, payoutFiles, name, { id });
  const doAct = (name: 'send' | 'settle' | 'cancel', id: string, by = admin) =>
    withTx(db, (tx) => actIn(tx, name, id, by));
  /** Payments that cannot leave now. */
  const held = async () => (await getPayouts(db, services, admin)).held;
  /** Verification finds nothing about payouts. @param without checks of what the test made without records */
  const expectSound = async (without = /^$/) => {
    const checks = CHECKS.filter(({ name }) => !without.test(name));
    expect(await withTx(db, (tx) => problemsIn(tx, checks))).toEqual([]);
  };
  return { enterBank, payee, approved, make, download, actIn, doAct, held, expectSound };
}

/**
 * Sends micro-deposits to a bank account a week ago, so that they have arrived.
 *
 * @returns their amounts in minor units, in the order of their file
 */
export async function depositsArrived(
  db: Db,
  services: Services,
  admin: CommandContext,
  bankAccountId: string,
): Promise<bigint[]> {
  const then = { ...services, clock: { now: () => new Date(Date.now() - 7 * DAY_MS) } };
  const steps = payoutSteps(db, then, admin);
  await steps.enterBank({ bankAccountProof: 'micro_deposits' });
  const chosen = { withdrawalIds: [], billIds: [], bankAccountIds: [bankAccountId] };
  const { id } = await withTx(db, (tx) => makePayoutFile(tx, then, admin, chosen));
  await steps.download(id);
  await steps.doAct('send', id);
  const items = db.selectFrom('payoutFileItem').select('amountMinor').where('fileId', '=', id);
  const rows = await items.orderBy('depositNumber').execute();
  return rows.map(({ amountMinor }) => amountMinor);
}
