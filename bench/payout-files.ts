import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { PayoutFile, RouteReply } from '#contract/api.ts';
import { createPool, createDb } from '#server/db/pool.ts';
import { readOrMakeLocalSecrets } from '#server/config/local-secrets.ts';
import { systemClock } from '#server/lib/clock.ts';
import { createVault } from '#server/vault/store.ts';
import { createTestIdentity } from '#test/factories/identity.ts';
import { seedAdmin } from '#test/factories/payroll.ts';
import { approvedByMany } from '#test/factories/payouts.ts';
import { signInCookie } from '#test/factories/people.ts';
import { createTestServices } from '#test/factories/services.ts';
import type { BenchDatabase } from './database.ts';
import { expectSound } from './books.ts';
import { ask } from './http.ts';
import { confirmForRun } from './people.ts';
import { measured } from './processor-time.ts';
import { atMost, Figures, seconds } from './report.ts';
import { serveMade } from './serve-made.ts';

const PATH = '/api/admin/payouts';
/** Maximum for making a file and for giving it out, of 100,000 payments. */
const MOST_FILE_S = 10;
/** Maximum of what the server needs more for it than before. */
const MOST_MORE_MB = 200;
/** Longest wait for the payments of a file to be posted. */
const POSTED_WITHIN_S = 600;

/**
 * `npm run bench -- --payouts`: one NACHA file of as many approved withdrawals, each of another person: made, cancelled and
 * made again, downloaded, sent and settled over HTTP.
 *
 * @returns true if the targets were met
 */
export async function benchPayoutFiles(
  payments: number,
  say: (sentence: string) => void,
): Promise<boolean> {
  say(`Making a company with ${payments} approved withdrawals.`);
  await using served = await serveMade(
    (database, address) => makeWaiting(database, { payments, url: address }),
    { fsync: true },
  );
  const { url, server, database, made: cookie } = served;
  say('Verifying the books: payouts stop if they are not sound.');
  await expectSound(database);
  const send = <Reply>(path: string, body = '{}') => ask<Reply>(url, PATH + path, cookie, body);
  const page = () => ask<RouteReply<'adminGetPayouts'>>(url, PATH, cookie);
  const read = (number: string) => ask<PayoutFile>(url, `${PATH}/${number}`, cookie);
  const roots = [server.pid, database.pid];
  const peakMb = () => (server.peakResidentBytes() ?? 0) / 1e6;
  const beforeMb = peakMb();

  const figures = new Figures(say);
  const { readySum } = await page();
  const part = { search: '', payees: 'all', on: 'all' };
  const order = { withdrawalIds: [], billIds: [], all: { ...part, ...readySum } };
  const make = () => send<PayoutFile>('', JSON.stringify(order));
  say(`Making files of ${readySum.count} payments.`);
  const ready = await measured(roots, page);
  figures.add({
    what: `The page with ${payments} payments ready`,
    measured: seconds(ready.tookMs),
  });
  const first = await measured(roots, make);
  const cancelled = await measured(roots, () => send(`/${first.result.id}/cancel`));
  const file = await measured(roots, make);
  const { id, number } = file.result;
  figures.add(
    atMost('Making a file', file.tookMs / 1_000, MOST_FILE_S, ' s'),
    { what: 'Processor time of making it', measured: seconds(file.processorMs) },
    { what: 'Cancelling one', measured: seconds(cancelled.tookMs) },
    { what: 'More memory with making', measured: `${(peakMb() - beforeMb).toFixed(0)} MB` },
  );
  const shown = await measured(roots, () => read(number));
  const given = await measured(roots, () => send<{ content: string }>(`/${id}/download`));
  figures.add(
    { what: 'Its page, with all checks', measured: seconds(shown.tookMs) },
    atMost('Giving it out', given.tookMs / 1_000, MOST_FILE_S, ' s'),
    { what: 'Processor time of giving it out', measured: seconds(given.processorMs) },
    { what: 'Its size', measured: `${(given.result.content.length / 1e6).toFixed(1)} MB` },
    { what: 'Server before, resident at most', measured: `${beforeMb.toFixed(0)} MB` },
    atMost('More memory with making and giving out', peakMb() - beforeMb, MOST_MORE_MB, ' MB'),
  );
  const untilPosted = async (act: 'send' | 'settle') => {
    const startedAt = performance.now();
    await send(`/${id}/${act}`);
    const decidedMs = performance.now() - startedAt;
    const deadline = startedAt + POSTED_WITHIN_S * 1_000;
    while ((await read(number)).unposted > 0) {
      if (performance.now() > deadline) throw new Error(`${act}: not posted in time`);
      await sleep(500);
    }
    return { decidedMs, allMs: performance.now() - startedAt };
  };
  say('Sending and settling it.');
  const sent = await untilPosted('send');
  figures.add(
    { what: 'Marking as sent: the decision', measured: seconds(sent.decidedMs) },
    { what: 'Until all payments are on their way', measured: seconds(sent.allMs) },
  );
  const settled = await untilPosted('settle');
  figures.add(
    { what: 'Settling: the decision', measured: seconds(settled.decidedMs) },
    { what: 'Until all payments are completed', measured: seconds(settled.allMs) },
    { what: 'Server, resident at most', measured: `${peakMb().toFixed(0)} MB` },
  );
  const areMet = figures.end();
  say('Verifying the books again.');
  await expectSound(database);
  return areMet;
}

/**
 * Makes approved withdrawals and a bank that takes files, in a company that verifies as sound. Answers the cookie of an
 * administrator.
 */
export async function makeWaiting(
  { db, ownerUrl, appUrl, dataDir }: Pick<BenchDatabase, 'db' | 'ownerUrl' | 'appUrl' | 'dataDir'>,
  { payments, url }: { payments: number; url: string },
): Promise<string> {
  const { masterKeys } = readOrMakeLocalSecrets(dataDir);
  const vault = createVault({ masterKeys });
  const services = { ...createTestServices(), clock: systemClock, vault };
  const admin = await seedAdmin(db);
  await sql`
    UPDATE company_settings
       SET payroll_cancel_seconds = 0, payout_cooling_hours = 0, payout_format = 'nacha', payout_bank_name = 'Northgate',
           payout_routing_number = '084207311', payout_account_number = '00964410',
           payout_company_id = '1912345678'`.execute(db);
  const pool = createPool({ url: ownerUrl, max: 2 });
  const owner = createDb(pool);
  await approvedByMany(db, services, { owner, admin: { actor: admin }, count: payments });
  await pool.end();
  const sessions = createPool({ url: appUrl, max: 2 });
  const keys = createVault({ masterKeys: [{ id: 'bench', key: randomBytes(32) }] });
  const identity = createTestIdentity(
    { db, pool: sessions },
    { ...services, vault: keys },
    { url },
  );
  const cookie = await signInCookie(identity, admin.id);
  await confirmForRun(db);
  await sessions.end();
  return cookie;
}
