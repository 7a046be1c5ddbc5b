import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Withdrawal } from '#contract/api.ts';
import { verifyLedger } from '#server/modules/ledger/index.ts';
import { findFormerVersion, startOnNewer, unpackVersion } from '#scripts/former-version.ts';
import { createMoneyCompany, withdrawalRequest } from '#test/money-company.ts';
import { openTestDb } from '#test/open-db.ts';
import type { ServerProcess } from '#test/server-process.ts';
import { openOwner } from '#test/unguarded.ts';

const TURNS = 6;
const former = findFormerVersion();

/**
 * The short form of `npm run try-upgrade`. The former version is in the clone's history. A clone without it has nothing to
 * try, and says so: `git fetch --unshallow` brings it.
 */
test.skipIf(former === null)(
  'serves next to the former version on the schema of this one, as while processes are replaced',
  async () => {
    await using closing = new AsyncDisposableStack();
    const home = mkdtempSync(join(tmpdir(), 'purser-former-'));
    closing.defer(() => rmSync(home, { recursive: true, force: true }));
    const folder = join(home, 'former');
    unpackVersion(former ?? '', folder);
    const database = await openTestDb();
    closing.defer(() => database.close());
    const company = await createMoneyCompany(database, { people: 1, fundedMinor: 100_000n });
    closing.defer(() => company.close());
    const owner = openOwner(database.ownerUrl);
    closing.defer(() => owner.close());
    const present = await company.startServer();
    const old = await startOnNewer(owner.db, folder, (program) => company.startServer({}, program));
    const [payee] = company.payees;
    if (payee === undefined) throw new Error('the company has a person');
    for (let turn = 0; turn < TURNS; turn += 1) {
      const [one, other] = turn % 2 === 0 ? [old, present] : [present, old];
      const key = randomUUID();
      const request = async (server: ServerProcess) => {
        const reply = await fetch(withdrawalRequest(server, payee, { key, minor: 100n }));
        return { status: reply.status, made: (await reply.json()) as Withdrawal };
      };
      const answer = await request(one);
      expect(answer.status).toBe(201);
      expect(await request(other)).toEqual(answer);
      const { id } = answer.made;
      await act(one, id, 'approve');
      await act(other, id, 'start-processing');
      await act(one, id, 'complete');
    }
    for (const server of [old, present]) {
      await server.stop();
      expect(server.child.exitCode).toBe(0);
    }
    const { rows } = await sql`
      SELECT count(*)::int AS paid, sum(amount_minor)::int AS minor FROM withdrawal
       WHERE status = 'completed'`.execute(database.db);
    expect(rows).toEqual([{ paid: TURNS, minor: TURNS * 100 }]);
    expect((await verifyLedger(database.db)).problems).toEqual([]);

    async function act({ origin }: ServerProcess, id: string, name: string): Promise<void> {
      const reply = await fetch(`${origin}/api/admin/withdrawals/${id}/${name}`, {
        method: 'POST',
        headers: { origin, cookie: company.admin.cookie, 'idempotency-key': randomUUID() },
      });
      expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
    }
  },
);
