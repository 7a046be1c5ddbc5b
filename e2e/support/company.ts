import type { BankAccount } from '#contract/api.ts';
import { DEMO_SIGN_INS } from '#scripts/demo/company.ts';
import { openDatabase } from '#server/startup/database.ts';
import { createDb, createPool } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { systemClock } from '#server/lib/clock.ts';
import { createVault } from '#server/vault/store.ts';
import { readOrMakeLocalSecrets } from '#server/config/local-secrets.ts';
import { createInvite } from '#server/modules/identity/index.ts';
import { createFileStore } from '#server/providers/files/index.ts';
import type { Services } from '#server/services.ts';
import { approveIdentity } from '#test/factories/kyc.ts';
import { fundedWallet, verifiedBank } from '#test/factories/money.ts';
import { createAdmin, createEmployee, TEST_PASSWORD } from '#test/factories/people.ts';
import type { PersonOptions, TestPerson } from '#test/factories/people.ts';
import { DATA_DIR } from './place.ts';

const DAY_MS = 86_400_000;

/** A person a test made, for itself alone. */
export interface Person extends TestPerson {
  password: string;
  firstName: string;
  lastName: string;
}

export interface EmployeeOptions extends PersonOptions {
  /** Cents in the salary wallet; default none. */
  fundedMinor?: bigint;
  /** Identity approved, so that they may send money out. */
  isApproved?: boolean;
  /** A verified checking account at Cascade Federal Credit Union. */
  hasVerifiedBank?: boolean;
}

/**
 * Makes people through the commands that the server itself runs, on its own database, as
 * `npm run invite` does. Only what no screen can do yet, or what would make every test walk the same
 * long way, is made here; what a test is about, it does in the browser.
 */
export interface Company {
  db: Db;
  services: Services;
  /** The same a day ago: what is made by them is not among the newest of a screen, which another test looks at. */
  yesterday: Services;
  /** The demo's first admin, to act for in commands. */
  admin: CommandContext;
  createEmployee(options?: EmployeeOptions): Promise<Person>;
  /** Sentences name the first five administrators by name: one who must be among them is called Aanya, say. */
  createAdmin(options?: PersonOptions): Promise<Person>;
  /** Adds a bank account of theirs and verifies it; they are notified. */
  verifyBankFor(person: Person): Promise<BankAccount>;
  /** The token of a new invite, for anybody or for one address. */
  createInvite(email?: string): Promise<string>;
  close(): Promise<void>;
}

/** Joins the database of the running server. An empty company gets an administrator. */
export async function openCompany(dataDir = DATA_DIR, clock = systemClock): Promise<Company> {
  const database = await openDatabase({ dataDir, databaseUrl: null }, () => undefined);
  const pool = createPool({ url: database.appUrl, max: 3, applicationName: 'purser-e2e' });
  const db = createDb(pool);
  const { masterKeys } = readOrMakeLocalSecrets(dataDir);
  const services: Services = {
    clock,
    vault: createVault({ masterKeys }),
    files: createFileStore({ files: null, dataDir }),
  };
  const admin = (await findAdmin(db)) ?? (await createAdmin(db, services)).by;
  return {
    db,
    services,
    yesterday: { ...services, clock: { now: () => new Date(Date.now() - DAY_MS) } },
    admin,
    async createEmployee({ fundedMinor = 0n, isApproved, hasVerifiedBank, ...given } = {}) {
      const names = { firstName: 'Test', lastName: 'Person', ...given };
      const person = await createEmployee(db, services, names);
      if (isApproved) await approveIdentity(db, services, person.by, admin);
      if (fundedMinor > 0n) await fundedWallet(db, services, person.by, fundedMinor);
      if (hasVerifiedBank) await verifiedBank(db, services, { owner: person.by, admin });
      return { ...person, ...names, password: TEST_PASSWORD };
    },
    async createAdmin(given = {}) {
      const names = { firstName: 'Test', lastName: 'Admin', ...given };
      const person = await createAdmin(db, services, names);
      return { ...person, ...names, password: TEST_PASSWORD };
    },
    verifyBankFor: ({ by }) => verifiedBank(db, services, { owner: by, admin }),
    async createInvite(email) {
      const invite = await withTx(db, (tx) =>
        createInvite(tx, services, { actor: 'system' }, email === undefined ? {} : { email }),
      );
      return invite.token;
    },
    async close() {
      await pool.end();
      await database.stop();
    },
  };
}

async function findAdmin(db: Db): Promise<CommandContext | null> {
  const { email } = DEMO_SIGN_INS[0];
  const found = await db
    .selectFrom('appUser')
    .select(['id', 'name'])
    .where('email', '=', email)
    .executeTakeFirst();
  return found ? { actor: { ...found, role: 'admin' } } : null;
}
