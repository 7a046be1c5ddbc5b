import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { PayrollLine, Recovery } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { newId } from '#server/lib/ids.ts';
import { ensureSystemAccount, post, verifyLedger } from '#server/modules/ledger/index.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';
import { recoveryActs } from '#server/modules/payroll/recoveries/acts.ts';
import { proposeRecovery } from '#server/modules/payroll/recoveries/propose-recovery.ts';
import { sweepRecoveries } from '#server/modules/payroll/recoveries/sweep-recoveries.ts';
import { reverseLine } from '#server/modules/payroll/reverse-line.ts';
import { lockWallet } from '#server/modules/wallets/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from './factories/payroll.ts';
import type { SeededEmployee } from './factories/payroll.ts';
import { openTestDb } from './open-db.ts';
import type { TestDb } from './open-db.ts';
import { draftOwnAmounts, payrollFindings, sendDraftAsSeen } from './payroll-fixture.ts';

const USD = (minor: bigint) => money(minor, 'USD');
const WORDS = { reason: 'paid_twice', message: 'You were paid twice.' } as const;

/** A person of these tests. */
export type Debtor = Required<SeededEmployee>;

/** Terms of a proposal; what is left out is the whole rest over two payrolls from today. */
export interface Terms {
  /** Minor units taken back now. */
  now?: bigint;
  instalment?: bigint;
  percent?: number;
  startsOn?: string;
  answerBy?: string;
}

/** Acts of payroll and recoveries as their people do them, at the time of a clock that the test sets. */
export function recoverySteps(
  db: () => Db,
  { sender, admin }: { sender: () => Actor; admin: () => Actor },
) {
  let now = new Date('2026-12-11T15:00:00Z');
  const services = { clock: { now: () => now } };
  /** The day, or one after it. */
  const today = (later = 0) =>
    new Date(now.getTime() + later * 86_400_000).toISOString().slice(0, 10);
  const asPerson = ({ id }: SeededEmployee): Actor => ({ id, role: 'employee', name: 'Person' });

  const lineOf = async (batchId: string, { id }: SeededEmployee) =>
    db()
      .selectFrom('payrollLine')
      .selectAll()
      .where('batchId', '=', batchId)
      .where('userId', '=', id)
      .executeTakeFirstOrThrow();
  const leftOf = async (lineId: string): Promise<bigint> => {
    const { rows } = await sql<{ left: bigint }>`
      SELECT amount_minor - reversed_minor - coalesce((
               SELECT sum(recovered_minor) FROM recovery WHERE line_id = line.id), 0)::bigint AS left
        FROM payroll_line AS line WHERE id = ${lineId}`.execute(db());
    return rows[0]?.left ?? 0n;
  };

  /** Sends a payroll with these amounts, which is not posted. */
  async function send(amounts: ReadonlyMap<string, bigint>): Promise<string> {
    const { id } = await draftOwnAmounts(db(), sender(), amounts, services);
    const batch = await sendDraftAsSeen(db(), sender(), id, services);
    return batch.id;
  }

  return {
    services,
    today,
    send,
    lineOf,
    leftOf,
    at: (time: string) => {
      now = new Date(time);
    },
    nextDay: (days = 1) => {
      now = new Date(now.getTime() + days * 86_400_000);
    },
    /** Sends and posts a payroll with these amounts; answers its id. */
    pay: async (amounts: ReadonlyMap<string, bigint>): Promise<string> => {
      const batchId = await send(amounts);
      await postPayroll(db(), services, batchId);
      return batchId;
    },
    /** Spends money of a person, as a completed withdrawal does. */
    spend: async ({ id, walletId, ledgerAccountId }: Debtor, minor: bigint): Promise<void> => {
      await withTx(db(), async (tx) => {
        await lockWallet(tx, { walletId, userId: id });
        const clearing = await ensureSystemAccount(tx, 'payout_clearing', 'USD');
        await post(tx, [
          {
            kind: 'withdrawal',
            reference: `SPENT-${newId()}`,
            description: 'Spent',
            actorId: null,
            subjectId: null,
            entries: [
              { accountId: ledgerAccountId, amountMinor: -minor },
              { accountId: clearing, amountMinor: minor },
            ],
          },
        ]);
      });
    },
    propose: async (
      lineId: string,
      { now: taken = 0n, instalment, percent = 25, startsOn, answerBy }: Terms = {},
      by: Actor = admin(),
    ): Promise<Recovery> => {
      const left = await leftOf(lineId);
      const order = {
        id: lineId,
        left: USD(left),
        percent,
        ...WORDS,
        now: taken === 0n ? null : USD(taken),
        instalment: USD(instalment ?? (left - taken + 1n) / 2n),
        startsOn: startsOn ?? today(),
        answerBy: answerBy ?? today(),
      };
      return withTx(db(), (tx) => proposeRecovery(tx, services, { actor: by }, order));
    },
    accept: (person: SeededEmployee, id: string): Promise<Recovery> =>
      withTx(db(), (tx) => recoveryActs.accept(tx, services, { actor: asPerson(person) }, { id })),
    decline: (person: SeededEmployee, id: string): Promise<Recovery> =>
      withTx(db(), (tx) => recoveryActs.decline(tx, services, { actor: asPerson(person) }, { id })),
    end: (id: string, by: Actor = admin()): Promise<Recovery> =>
      withTx(db(), (tx) =>
        recoveryActs.end(tx, services, { actor: by }, { id, reason: 'No longer asked for.' }),
      ),
    reverse: async (lineId: string, minor?: bigint, by: Actor = admin()): Promise<PayrollLine> => {
      const left = await leftOf(lineId);
      const order = { id: lineId, amount: USD(minor ?? left), left: USD(left), ...WORDS };
      return withTx(db(), (tx) => reverseLine(tx, services, { actor: by }, order));
    },
    balanceOf: async ({ ledgerAccountId }: Debtor): Promise<bigint> => {
      const { posted } = await db()
        .selectFrom('ledgerAccount')
        .select('posted')
        .where('id', '=', ledgerAccountId)
        .executeTakeFirstOrThrow();
      return posted;
    },
    recoveryOf: (id: string) =>
      db()
        .selectFrom('recovery')
        .select(['status', 'amountMinor', 'recoveredMinor'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    instalmentsOf: async (id: string) => {
      const rows = await db()
        .selectFrom('recoveryInstalment')
        .innerJoin('ledgerTransaction as one', 'one.id', 'recoveryInstalment.ledgerTransactionId')
        .select(['amountMinor', 'reference', 'givenBackTransactionId'])
        .where('recoveryId', '=', id)
        .orderBy('takenAt')
        .orderBy('recoveryInstalment.id')
        .execute();
      return rows.map(({ amountMinor, givenBackTransactionId }) =>
        givenBackTransactionId === null ? amountMinor : -amountMinor,
      );
    },
  };
}

/**
 * Database of a test file about one person who is paid by mistake, and the acts of everybody. The person and both
 * administrators are new for each test.
 */
export function recoveriesOfOne() {
  let test: TestDb;
  let sender: Actor;
  let admin: Actor;
  let lucia: Debtor;
  const db = () => test.db;
  const steps = recoverySteps(db, { sender: () => sender, admin: () => admin });

  beforeAll(async () => {
    test = await openTestDb();
    await sql`UPDATE company_settings SET payroll_cancel_seconds = 0`.execute(test.db);
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    await retireEverybody(test.db);
    await sweepRecoveries(test.db, steps.services);
    sender = await seedAdmin(test.db);
    admin = await seedAdmin(test.db, 'Theo Marchetti');
    [lucia] = (await seedEmployees(test.db, { count: 1 })) as [Debtor];
    steps.at('2026-12-11T15:00:00Z');
  });

  const payLucia = async (minor: bigint, person = lucia) => {
    steps.nextDay();
    const batchId = await steps.pay(new Map([[person.id, minor]]));
    return (await steps.lineOf(batchId, person)).id;
  };
  /** A line of $2,226.00 of which $118.40 is left in the wallet. */
  const paidByMistake = async (): Promise<string> => {
    const lineId = await payLucia(222_600n);
    await steps.spend(lucia, 210_760n);
    return lineId;
  };
  return {
    ...steps,
    db,
    sender: () => sender,
    admin: () => admin,
    lucia: () => lucia,
    payLucia,
    paidByMistake,
    /** The same with an accepted recovery of the rest. */
    recovering: async (terms: Terms = {}) => {
      const lineId = await paidByMistake();
      const { id } = await steps.propose(lineId, { now: 11_840n, percent: 100, ...terms });
      await steps.accept(lucia, id);
      return { lineId, id };
    },
    expectSound: async () => {
      expect(await payrollFindings(test.db)).toEqual([]);
      expect((await verifyLedger(test.db)).problems).toEqual([]);
    },
  };
}
