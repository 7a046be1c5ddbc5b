import { sql } from 'kysely';
import pg from 'pg';
import { withTx } from '#server/db/tx.ts';
import type { Db, Tx } from '#server/db/tx.ts';
import { newId } from '#server/lib/ids.ts';
import { ensureSystemAccount, post } from '#server/modules/ledger/index.ts';
import type { PostedTransaction } from '#server/modules/ledger/index.ts';
import { businessChecks, checksFor } from '#server/modules/verification/index.ts';
import type { ScopedCheck } from '#server/modules/verification/index.ts';
import { makeBusyCompany } from './busy-company.ts';
import type { BusyCompany } from './busy-ids.ts';
import { createTestServices } from './factories/services.ts';
import { openTestDb } from './open-db.ts';
import { problemsIn } from './sound-books.ts';
import { liftGuards, openOwner, undone } from './unguarded.ts';

/** A busy company of which every change is undone. */
export interface TamperedCompany extends BusyCompany {
  /** As the server. */
  db: Db;
  /** Ids of people and of the accounts of their salary wallets. */
  ids: { maya: string; mayaAccount: string; ben: string; benAccount: string; admin: string };
  /** Runs `tamper` as the owner of the database, answers the result of `ask`, and undoes it. */
  after<T>(tamper: (tx: Tx) => Promise<unknown>, ask: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Names of the business checks that find something after `tamper`; of the checks that read that
   * table, where one is named: the others have nothing new to find.
   */
  finds(tamper: (tx: Tx) => Promise<unknown>, table?: string): Promise<string[]>;
  /**
   * Refusal of the database to the server's role: code and constraint; undefined if it allows the change.
   */
  refusal(work: (tx: Tx) => Promise<unknown>): Promise<object | undefined>;
  /**
   * Takes away for good what refuses a change (`liftGuards`), where all that follows is done by an
   * owner: taking it away for each change would cost more than the changes.
   */
  liftGuards(): Promise<void>;
  close(): Promise<void>;
}

export async function openTamperedCompany(): Promise<TamperedCompany> {
  const database = await openTestDb();
  const company = await makeBusyCompany(database.db, createTestServices());
  const owner = openOwner(database.ownerUrl);
  const whole = await withTx(database.db, (tx) =>
    checksFor(tx, businessChecks, { afterHeight: null }),
  );
  const texts = new Map(whole.map(({ name, query }) => [name, query.compile(database.db).sql]));
  const checksOf = (table?: string) => {
    if (table === undefined) return businessChecks;
    const word = new RegExp(String.raw`\b${table}\b`);
    return businessChecks.filter(({ name }) => word.test(texts.get(name) ?? ''));
  };
  const after: TamperedCompany['after'] = (tamper, ask) =>
    undone(owner.db, async (tx) => {
      await tamper(tx);
      return ask(tx);
    });
  return {
    ...company,
    db: database.db,
    ids: {
      maya: company.maya.by.actor.id,
      mayaAccount: company.maya.wallet.ledgerAccountId,
      ben: company.ben.by.actor.id,
      benAccount: company.ben.wallet.ledgerAccountId,
      admin: company.admin.actor.id,
    },
    after,
    finds: (tamper, table) => after(tamper, (tx) => checksThatFind(tx, checksOf(table))),
    refusal: async (work) => {
      try {
        await after(
          (tx) => asServer(tx, () => work(tx)),
          () => Promise.resolve(),
        );
        return undefined;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) throw error;
        const { code, constraint } = error;
        return { code, ...(constraint !== undefined && { constraint }) };
      }
    },
    liftGuards: () => withTx(owner.db, liftGuards),
    async close() {
      await owner.close();
      await database.close();
    },
  };
}

async function checksThatFind(tx: Tx, checks: readonly ScopedCheck[]): Promise<string[]> {
  const problems = await problemsIn(tx, checks);
  return [...new Set(problems.map(({ check }) => check))].toSorted();
}

/** As an intruder in the server: by the server's role, past nothing that the database refuses. */
export async function asServer<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await sql`SET LOCAL ROLE purser_app`.execute(tx);
  const result = await work();
  await sql`RESET ROLE`.execute(tx);
  return result;
}

/** A wallet on that account, as `openWallet` would make it, but unrecorded. */
export async function insertWallet(
  tx: Tx,
  { userId, type, accountId }: { userId: string; type: string; accountId: string },
): Promise<void> {
  await sql`
    INSERT INTO wallet (id, user_id, type, ledger_account_id, account_number_encrypted,
                        account_number_hash, hash_key_id, last4)
    VALUES (${newId()}, ${userId}, ${type}, ${accountId}, '', 'forged', 'test', '0000')`.execute(
    tx,
  );
}

interface Forged {
  kind: string;
  /** Code of the system account on the other side. */
  code: string;
  accountId: string;
  amountMinor: bigint;
  actorId?: string;
  subjectId?: string;
  reference?: string;
}

/** Posts what nobody asked for, through the function that the server's role may call. */
export async function forge(
  tx: Tx,
  { code, accountId, amountMinor, actorId, subjectId, ...rest }: Forged,
): Promise<PostedTransaction | undefined> {
  const system = await ensureSystemAccount(tx, code, 'USD');
  const posting = {
    reference: `FORGED-${newId()}`,
    ...rest,
    description: 'Wire transfer',
    actorId: actorId ?? null,
    subjectId: subjectId ?? null,
    entries: [
      { accountId: system, amountMinor: -amountMinor },
      { accountId, amountMinor },
    ],
  };
  const [posted] = await post(tx, [posting]);
  return posted;
}
