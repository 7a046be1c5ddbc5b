/**
 * What pgbench would do, in a process of its own: connections that each call the bare posting
 * function in a loop, one transfer between two people a call.
 * `node bare-driver.ts <database url> <connections> <seconds> <account id> <account id> ...`
 * Prints how many transfers were committed.
 */
import { randomInt, randomUUID } from 'node:crypto';
import pg from 'pg';

const [url = '', connections = '', seconds = '', ...accounts] = process.argv.slice(2);

const TRANSFER = `SELECT ledger_post(
  ARRAY[$1]::uuid[], ARRAY['transfer'], ARRAY[$1]::text[], ARRAY['Bench'], ARRAY[null]::uuid[],
  ARRAY[null]::uuid[], ARRAY['{}']::jsonb[], ARRAY[null]::uuid[], ARRAY[null]::uuid[], null,
  ARRAY[$1, $1]::uuid[], ARRAY[$2, $3]::uuid[], ARRAY[-1, 1]::bigint[])`;

async function transferUntil(deadlineMs: number): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  let done = 0;
  for (; performance.now() < deadlineMs; done += 1) {
    const from = randomInt(accounts.length);
    const to = (from + 1 + randomInt(accounts.length - 1)) % accounts.length;
    await client.query({
      name: 'transfer',
      text: TRANSFER,
      values: [randomUUID(), accounts[from], accounts[to]],
    });
  }
  await client.end();
  return done;
}

const deadlineMs = performance.now() + Number(seconds) * 1000;
const counts = await Promise.all(
  Array.from({ length: Number(connections) }, () => transferUntil(deadlineMs)),
);
process.stdout.write(`${counts.reduce((sum, count) => sum + count, 0)}\n`);
