/**
 * A process that posts a batch and may be killed while it does:
 * `node payroll-poster.ts <database url> <batch id> <lines per chunk> <lines per chunk of mails>`. Prints `ready` first, and
 * begins when its standard input ends.
 */
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { createDb, createPool } from '#server/db/pool.ts';
import { systemClock } from '#server/lib/clock.ts';
import { postPayroll } from '#server/modules/payroll/index.ts';

const [url = '', batchId = '', chunkLines = '', mailedLines = ''] = process.argv.slice(2);
const pool = createPool({ url, max: 2, applicationName: 'payroll-poster' });
const client = await pool.connect();
client.release();
// For the next one: a process that is killed keeps nothing of what it compiled.
flushCompileCache();
process.stdout.write('ready\n');
await once(process.stdin.resume(), 'end');
await postPayroll(createDb(pool), { clock: systemClock }, batchId, {
  chunkLines: Number(chunkLines),
  mailedLines: Number(mailedLines),
});
await pool.end();
