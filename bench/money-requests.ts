import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { unsafeHeaders, withdrawalBody } from './http.ts';
import type { Company } from './people.ts';
import { processorMs } from './processor-time.ts';

export const CONNECTIONS = 32;
/** Not counted, because the bench measures a program that has run for a while. */
const WARM_UP_SECONDS = 5;
/**
 * As many, because a busy machine grants few in that time: at 3,000 people the first 500 took 1.6
 * times the processor time of those after 1,000, in a server whose code was still being compiled.
 */
const WARM_UP_REQUESTS = 2_000;
const DRIVER = join(import.meta.dirname, 'bare-driver.ts');

interface Speed {
  perSecond: number;
  /** Processor time of one, in all the processes that work for it. */
  processorMs: number;
}

/**
 * Withdrawal requests of many employees over HTTP, at 32 connections.
 *
 * @param processes the server's and the database's
 */
export async function runMoneyRequests(
  url: string,
  company: Company,
  seconds: number,
  processes: readonly number[],
): Promise<Speed> {
  await requestFor(url, company, { amount: WARM_UP_REQUESTS });
  const before = processorMs(processes);
  const count = await requestFor(url, company, { duration: seconds });
  return { perSecond: count / seconds, processorMs: (processorMs(processes) - before) / count };
}

/** Number granted, and the limit of seconds or requests. */
async function requestFor(
  url: string,
  { payees }: Company,
  during: { duration: number } | { amount: number },
): Promise<number> {
  let turn = 0;
  const result = await autocannon({
    url: `${url}/api/withdrawals`,
    method: 'POST',
    connections: CONNECTIONS,
    ...during,
    requests: [
      {
        setupRequest(request) {
          const payee = payees[turn++ % payees.length];
          if (payee === undefined) throw new Error('nobody can withdraw');
          const headers = { ...unsafeHeaders(url, payee.cookie), 'idempotency-key': randomUUID() };
          return { ...request, headers, body: withdrawalBody(payee) };
        },
      },
    ],
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} requests were refused and ${result.errors} failed`);
  }
  return result['2xx'];
}

/**
 * Calls of the bare posting function at as many connections.
 *
 * @param databasePid PostgreSQL's first process
 */
export async function runBarePostings(
  appUrl: string,
  { payees }: Company,
  seconds: number,
  databasePid: number,
): Promise<Speed> {
  const accounts = payees.map(({ ledgerAccountId }) => ledgerAccountId);
  const { stdout } = await promisify(execFile)(process.execPath, [
    DRIVER,
    ...[appUrl, CONNECTIONS, WARM_UP_SECONDS, seconds, databasePid].map(String),
    ...accounts,
  ]);
  const { count, processorMs: used } = JSON.parse(stdout) as Record<
    'count' | 'processorMs',
    number
  >;
  return { perSecond: count / seconds, processorMs: used / count };
}
