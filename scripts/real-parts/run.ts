/**
 * `npm run real-parts`: brings up PostgreSQL with its default settings, PgBouncer, two Purser processes in
 * production, nginx with TLS and Postfix, as a Debian system has them, and walks through them over https from
 * the first sign-up to a payout. Everything is in a temporary folder on free ports, and is stopped and
 * removed at the end. It installs nothing and reads and writes nothing of the system's own services.
 *
 * Prints one line a step and exits 1 at the first that fails. Mails are read from Postfix's mailbox.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { buildWeb } from '#scripts/build-web.ts';
import { chooseAccount } from '#server/db/embedded/account.ts';
import { freePort } from '#server/lib/free-port.ts';
import { StartError } from '#server/lib/start-error.ts';
import { databaseUrl, startPgBouncer, startPostgres } from './database.ts';
import { endOfLog, logsOf } from './part.ts';
import type { Part, Place } from './part.ts';
import { startPostfix } from './postfix.ts';
import { findPrograms } from './programs.ts';
import type { Programs } from './programs.ts';
import { purserEnvironment, runCommand, startPurser } from './purser.ts';
import type { Environment } from './purser.ts';
import { createCertificate, startNginx } from './web.ts';
import { walk } from './walk.ts';
import type { Step } from './walk.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Aborted by Ctrl-C and SIGTERM. The step in progress is finished, and then everything is stopped. */
const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interruption.abort(new Error(`Interrupted by ${signal}`)));
}

const step: Step = async (name, work) => {
  interruption.signal.throwIfAborted();
  const startedMs = performance.now();
  const seconds = () => `${((performance.now() - startedMs) / 1_000).toFixed(1)} s`.padStart(8);
  try {
    const outcome = await work();
    print(`${seconds()}  ${name}: ${outcome}`);
  } catch (error) {
    print(`${seconds()}  ${name}: FAILED`);
    throw error;
  }
};

async function main(): Promise<void> {
  const programs = findPrograms();
  const account = chooseAccount(undefined);
  if (account === undefined) throw new StartError('There is no account for PostgreSQL.');
  await buildWeb();
  const folder = mkdtempSync(join(tmpdir(), 'purser-real-parts-'));
  // The parts that are not root pass through.
  chmodSync(folder, 0o711);
  await using closing = new AsyncDisposableStack();
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const place = { folder, account };
  try {
    await walkThroughParts(place, programs, closing);
  } catch (error) {
    if (interruption.signal.aborted) throw error;
    for (const name of logsOf(place)) print(`\n${name}:\n${endOfLog(place, name)}`);
    throw error;
  }
}

async function walkThroughParts(
  place: Place,
  programs: Programs,
  closing: AsyncDisposableStack,
): Promise<void> {
  async function start<Started extends Part>(starting: Promise<Started>): Promise<Started> {
    const part = await starting;
    closing.defer(async () => {
      await part.stop();
    });
    interruption.signal.throwIfAborted();
    return part;
  }
  const [port, ...behind] = [await freePort(), await freePort(), await freePort()] as const;
  const origin = `https://localhost:${port}`;
  const processes: Part[] = [];
  let delivered = '';
  let env: Environment = {};
  const startProcess = async (index: 0 | 1) => {
    const options = { name: `purser-${index + 1}`, port: behind[index] };
    processes[index] = await start(startPurser(place, env, options));
  };

  await step('Parts start', async () => {
    const certificate = createCertificate(place, programs);
    setDefaultCACertificates([readFileSync(certificate.certificate, 'utf8')]);
    const database = await start(startPostgres(place, programs));
    const pooler = await start(startPgBouncer(place, programs, database));
    const mail = await start(startPostfix(place, programs, certificate));
    ({ delivered } = mail);
    env = purserEnvironment({
      folder: place.folder,
      databaseUrl: databaseUrl(database, pooler),
      publicUrl: origin,
      smtpPort: mail.port,
      certificate: certificate.certificate,
    });
    await startProcess(0);
    await startProcess(1);
    await start(startNginx(place, programs, { port, behind, certificate }));
    return `${database.description}; PgBouncer, Postfix, two Purser processes, nginx at ${origin}`;
  });
  await walk({
    origin,
    delivered,
    step,
    printInvite: (email) => runCommand(env, 'invite', email),
    async restartOne(between) {
      const code = await processes[0]?.stop();
      if (code !== 0) throw new Error(`The process ended with exit code ${code}`);
      await between();
      await startProcess(0);
    },
  });
  await step('The books are verified ("npm run verify")', async () => {
    const said = await runCommand(env, 'verify');
    return said.trim().split('\n').at(-1) ?? '';
  });
  await step('Both processes stop', async () => {
    const codes = await Promise.all(processes.map((part) => part.stop()));
    if (codes.some((code) => code !== 0)) throw new Error(`Exit codes ${codes.join(', ')}`);
    return 'exit code 0';
  });
}

try {
  await main();
  print('\nEverything held.');
} catch (error) {
  process.exitCode = 1;
  const words = error instanceof Error ? error.message : String(error);
  process.stderr.write(error instanceof StartError ? `${words}\n` : `\nFailed: ${words}\n`);
}
