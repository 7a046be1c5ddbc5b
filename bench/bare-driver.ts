/**
 * Does the work of pgbench, in a separate process: connections that each call the bare posting
 * function in a loop, one transfer between two people a call.
 *
 * `node bare-driver.ts <database url> <connections> <seconds to warm up> <seconds> <PostgreSQL's
 * first process> <account id> ...`
 *
 * Prints the number of transfers committed after the warming up, and their processor time.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { processorMs } from './processor-time.ts';

const [
  url = '',
  connections = '',
  warmUpSeconds = '',
  seconds = '',
  databasePid = '',
  ...accounts
] = process.argv.slice(2);
const processes = [process.pid, Number(databasePid)];

const TRANSFER = `SELECT ledger_post(
  ARRAY[$1]::uuid[], ARRAY['transfer'], ARRAY[$1]::text[], ARRAY['Bench'], ARRAY[null]::uuid[],
  ARRAY[null]::uuid[], ARRAY['{}']::jsonb[], ARRAY[null]::uuid[], ARRAY[null]::uuid[], null,
  ARRAY[$1, $1]::uuid[], ARRAY[$2, $3]::uuid[], ARRAY[-1, 1]::bigint[])`;

async function transferBetween(startMs: number, endMs: number): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let done = 0;
  while (performance.now() < endMs) {
    const from = randomInt(accounts.length);
    const to = (from + 1 + randomInt(accounts.length - 1)) % accounts.length;
    await client.query({
      name: 'transfer',
      text: TRANSFER,
      values: [randomUUID(), accounts[from], accounts[to]],
    });
    if (performance.now() > startMs) done += 1;
  }
  await client.end();
  return done;
}

const startMs = performance.now() + Number(warmUpSeconds) * 1000;
const endMs = startMs + Number(seconds) * 1000;
const usedBefore = sleep(Number(warmUpSeconds) * 1000).then(() => processorMs(processes));
const counts = await Promise.all(
  Array.from({ length: Number(connections) }, () => transferBetween(startMs, endMs)),
);
const result = {
  count: counts.reduce((sum, count) => sum + count, 0),
  processorMs: processorMs(processes) - (await usedBefore),
};
process.stdout.write(JSON.stringify(result));
