import { generateKeyPairSync } from 'node:crypto';
import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import { silentLog } from '#server/lib/log.ts';
import type { BooksVerifier } from '#server/modules/books/index.ts';
import { makeBusyCompany } from './busy-company.ts';
import type { BusyCompany } from './busy-ids.ts';
import { createTestServices } from './factories/services.ts';
import { createMemoryRoots, createTestSealer } from './ledger-sealer.ts';
import { openTestDb } from './open-db.ts';
import type { TestDb } from './open-db.ts';
import { openOwner } from './unguarded.ts';
import type { OwnerDb } from './unguarded.ts';

/** A busy company whose books are sealed. */
export interface TestBooks {
  database: TestDb;
  owner: OwnerDb;
  company: BusyCompany;
  verifier: BooksVerifier;
  seal: () => Promise<void>;
  /** Changes a balance without the ledger's checks, and corrects it after `work`. */
  whileUnsound: (work: () => Promise<void>) => Promise<void>;
  close: () => Promise<void>;
}

export async function openTestBooks(): Promise<TestBooks> {
  const database = await openTestDb();
  const owner = openOwner(database.ownerUrl);
  const services = createTestServices();
  const company = await makeBusyCompany(database.db, services);
  const { privateKey } = generateKeyPairSync('ed25519');
  const roots = createMemoryRoots();
  const seal = async () => void (await createTestSealer(database.db, privateKey, { roots }).run());
  await seal();
  const change = (by: bigint) =>
    withTx(owner.db, async (tx) => {
      await sql`ALTER TABLE ledger_account DISABLE TRIGGER USER`.execute(tx);
      await sql`UPDATE ledger_account SET posted = posted + ${by}
                 WHERE id = ${company.ben.wallet.ledgerAccountId}`.execute(tx);
      await sql`ALTER TABLE ledger_account ENABLE TRIGGER USER`.execute(tx);
    });
  return {
    database,
    owner,
    company,
    verifier: {
      db: database.db,
      services,
      keys: { current: privateKey, former: [] },
      roots,
      log: silentLog,
      // Half of the time at the gentle pace is pauses. It reads the same queries (newest-part.test.ts).
      pace: 'snapshot',
    },
    seal,
    async whileUnsound(work) {
      await change(1n);
      try {
        await work();
      } finally {
        await change(-1n);
      }
    },
    async close() {
      await owner.close();
      await database.close();
    },
  };
}
