import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { systemClock } from '#server/lib/clock.ts';
import { updateSettings } from '#server/modules/settings/index.ts';
import { createVault } from '#server/vault/store.ts';
import { createTestIdentity, TEST_SECRET } from './factories/identity.ts';
import { createPayee } from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import { createAdmin, signInCookie } from './factories/people.ts';
import type { TestPerson } from './factories/people.ts';
import { createTestServices } from './factories/services.ts';
import type { Services } from '#server/services.ts';
import { startServerProcess } from './server-process.ts';
import type { ServerProcess } from './server-process.ts';

/** A person who can ask for money over HTTP. */
export interface SignedInPayee extends Payee {
  cookie: string;
}

/** A company on a database, whose servers run as processes of their own. */
export interface MoneyCompany {
  /** With the key and the clock of its servers. */
  services: Services;
  admin: TestPerson & { cookie: string };
  /** A second admin, who accepts what the first one proposes. */
  other: TestPerson & { cookie: string };
  payees: readonly SignedInPayee[];
  /** Starts a server on it, and waits until it is ready; `program` is the path of another version's. */
  startServer(
    environment?: Readonly<Record<string, string>>,
    program?: string,
  ): Promise<ServerProcess>;
  /** Cookies of a new session of anybody. */
  signIn(userId: string): Promise<string>;
  /** Ends the servers that still run, and deletes their data folder. */
  close(): Promise<void>;
}

/**
 * Makes an admin and people with money, a verified bank account and a session.
 *
 * @param database migrated; `ownerUrl` is what the servers are given
 * @param options.folder folder for the servers' data, another disk for example
 * @param options.before work that is done before anything is posted
 */
export async function createMoneyCompany(
  { db, pool, ownerUrl }: { db: Db; pool: pg.Pool; ownerUrl: string },
  {
    people,
    fundedMinor,
    folder = tmpdir(),
    before,
  }: {
    people: number;
    fundedMinor: bigint;
    folder?: string | undefined;
    before?: (services: Services) => Promise<void>;
  },
): Promise<MoneyCompany> {
  const masterKey = { id: 'test', key: randomBytes(32) };
  const vault = createVault({ masterKeys: [masterKey] });
  const services = { ...createTestServices(), clock: systemClock, vault };
  // Bank accounts are new and are paid to immediately, and no payroll waits to be stopped.
  await withTx(db, (tx) =>
    updateSettings(
      tx,
      services,
      { actor: 'system' },
      { payoutCoolingHours: 0, payrollCancelSeconds: 0 },
    ),
  );
  const identity = createTestIdentity({ db, pool }, services);
  const admin = await createAdmin(db, services);
  const second = await createAdmin(db, services);
  await before?.(services);
  const payees: SignedInPayee[] = [];
  for (let index = 0; index < people; index += 1) {
    const payee = await createPayee(db, services, { admin: admin.by, fundedMinor });
    payees.push({ ...payee, cookie: await signInCookie(identity, payee.by.actor.id) });
  }
  const dataDir = mkdtempSync(join(folder, 'purser-company-'));
  const servers: ServerProcess[] = [];
  const signedIn = { ...admin, cookie: await signInCookie(identity, admin.id) };
  const other = { ...second, cookie: await signInCookie(identity, second.id) };
  return {
    services,
    payees,
    admin: signedIn,
    other,
    signIn: (userId) => signInCookie(identity, userId),
    async startServer(environment = {}, program) {
      const settings = {
        DATABASE_URL: ownerUrl,
        PURSER_DATA: dataDir,
        PURSER_SECRET: TEST_SECRET,
        PURSER_MASTER_KEY: `${masterKey.id}:${masterKey.key.toString('base64')}`,
        ...environment,
      };
      const server = await startServerProcess(settings, program);
      servers.push(server);
      return server;
    },
    async close() {
      await Promise.all(servers.map((server) => server.kill()));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Request of a browser for a withdrawal of that amount. */
export function withdrawalRequest(
  { origin }: Pick<ServerProcess, 'origin'>,
  payee: SignedInPayee,
  { key, minor }: { key: string; minor: bigint },
): Request {
  return new Request(`${origin}/api/withdrawals`, {
    method: 'POST',
    headers: {
      cookie: payee.cookie,
      origin,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({
      walletId: payee.wallet.id,
      bankAccountId: payee.bank.id,
      amount: { minor: minor.toString(), currency: 'USD' },
    }),
  });
}
