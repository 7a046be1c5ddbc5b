import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { unsafeHeaders, withdrawalBody } from './http.ts';
import type { Company } from './people.ts';

export const CONNECTIONS = 32;
/** Not counted, on either side: what is measured is a program that has run for a while. */
const WARM_UP_SECONDS = 5;
const DRIVER = join(import.meta.dirname, 'bare-driver.ts');

/** Withdrawal requests of many employees over HTTP, at 32 connections; requests per second. */
export async function runMoneyRequests(
  url: string,
  company: Company,
  seconds: number,
): Promise<number> {
  await requestFor(url, company, WARM_UP_SECONDS);
  return requestFor(url, company, seconds);
}

async function requestFor(url: string, { payees }: Company, seconds: number): Promise<number> {
  let turn = 0;
  const result = await autocannon({
    url: `${url}/api/withdrawals`,
    method: 'POST',
    connections: CONNECTIONS,
    duration: seconds,
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
  return result['2xx'] / result.duration;
}

/** Calls of the bare posting function at as many connections; transfers per second. */
export async function runBarePostings(
  appUrl: string,
  { payees }: Company,
  seconds: number,
): Promise<number> {
  const accounts = payees.map(({ ledgerAccountId }) => ledgerAccountId);
  const { stdout } = await promisify(execFile)(process.execPath, [
    DRIVER,
    appUrl,
    String(CONNECTIONS),
    String(WARM_UP_SECONDS),
    String(seconds),
    ...accounts,
  ]);
  return Number(stdout) / seconds;
}
