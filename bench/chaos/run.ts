/**
 * `npm run chaos`: runs a company over HTTP on two servers, whose database is restarted, killed and
 * cut off repeatedly. At the end everything acknowledged must be there once, and nothing else.
 * Prints a table, and exits with 1 if there is a fault.
 *
 *     npm run chaos -- --minutes 1 --every 10       for a quick look
 *     npm run chaos -- --cycles 500                 the long form, nearly three hours
 *     npm run chaos -- --cluster                    three PostgreSQL under Patroni, etcd, HAProxy, three servers
 *     npm run chaos -- --former --minutes 60        one of the servers is of the version before the newest migration
 *     npm run chaos -- --seed 7                     the same order of events as in that run
 */
import { randomInt } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '#scripts/demo/random.ts';
import { findFormerVersion } from '#scripts/former-version.ts';
import { StartError } from '#server/lib/start-error.ts';
import { runChaos } from './chaos.ts';
import { CLUSTER_HARM_NAMES } from './cluster-harm.ts';
import { HARM_NAMES, START_SERVERS } from './harm.ts';
import { chaosReport, isSound } from './report.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    every: { type: 'string', default: '20' },
    cycles: { type: 'string' },
    cluster: { type: 'boolean', default: false },
    former: { type: 'boolean', default: false },
    from: { type: 'string' },
    seed: { type: 'string' },
  },
});
const everyMs = Number(values.every) * 1_000;
const inMinutes = Math.round((Number(values.minutes) * 60_000) / everyMs);
const count = Math.max(1, values.cycles === undefined ? inMinutes : Number(values.cycles));
const seed = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);

const former = values.former ? findFormerVersion(values.from) : null;
if (values.former && former === null) {
  throw new Error('The former version is not in this clone: git fetch --unshallow --tags');
}
const kinds = values.cluster
  ? CLUSTER_HARM_NAMES
  : HARM_NAMES.filter((name) => former === null || !START_SERVERS.includes(name));

/** Every kind as often as the others, in an order that depends on the seed. */
function shuffled(): string[] {
  const random = seededRandom(seed);
  const order: string[] = [];
  while (order.length < count) {
    const round = [...kinds];
    while (round.length > 0) order.push(...round.splice(random.int(0, round.length - 1), 1));
  }
  return order.slice(0, count);
}

const log = join(tmpdir(), `purser-chaos-${seed}.log`);
const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () =>
    ending.abort(new Error(`Ended by ${signal}; nothing is left behind.`)),
  );
}

console.log(
  `Seed ${seed}: ${count} cycles of ${values.every} s, ${values.cluster ? 'three servers, three databases' : 'two servers, one database'}${former === null ? '' : `, one of them ${former}`}. Acknowledged: ${log}`,
);
const result = await runChaos({
  seed,
  log,
  isReplicated: values.cluster,
  ...(former !== null && { former }),
  cycles: shuffled(),
  everyMs,
  payees: 8,
  // A payroll of two chunks, sometimes interrupted between them.
  employees: 1_200,
  payrollEveryMs: 15_000,
  deposits: 1_000,
  signal: ending.signal,
  say: (sentence) => console.log(sentence),
}).catch((error: unknown) => {
  if (ending.signal.aborted) return null;
  // The first failure; what closing ran into after it says less.
  const first: unknown = error instanceof SuppressedError ? error.suppressed : error;
  if (!(first instanceof StartError)) throw first;
  console.error(first.message);
  process.exit(1);
});
console.log(result === null ? 'Ended early.' : `\n${chaosReport(result)}\n`);
process.exitCode = result !== null && isSound(result) ? 0 : 1;
