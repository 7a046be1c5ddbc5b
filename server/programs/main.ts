import { removeAbandonedTrials } from '#server/backups/trial-folder.ts';
import { readConfig } from '#server/config/config.ts';
import { asFullDisk } from '#server/lib/full-disk.ts';
import { createLog } from '#server/lib/log.ts';
import { StartError } from '#server/lib/start-error.ts';
import { UnrecoverableError } from '#server/lib/unrecoverable-error.ts';
import { goOnWithoutReaders } from '#server/programs/run-command.ts';
import { firstStart } from '#server/startup/first-start.ts';
import type { Demo } from '#server/startup/first-start.ts';
import { startServer } from '#server/startup/server.ts';
import type { RunningServer } from '#server/startup/server.ts';

/**
 * Starts Purser: `--demo` (default) with a demo company, `--empty` blank, `--production` from the
 * environment alone. Ends on SIGINT or SIGTERM once requests and jobs in progress are done; a second
 * signal ends it immediately.
 */
async function main(): Promise<void> {
  const config = readConfig(process.argv.slice(2), process.env);
  config.warnings.forEach(say);
  if (config.databaseUrl === null) await removeAbandonedTrials(say);
  const start = firstStart(config, { loadDemo, say });
  const starting = startServer({ config, say, prepare: start.prepare, onUnrecoverable: fail });
  stopOnSignals(starting);
  const { publicUrl } = await starting;
  for (const line of start.welcome(publicUrl)) say(line);
}

/** Loaded only for a demo company: a server of any other has nothing of it. */
async function loadDemo(): Promise<Demo> {
  const demo = await import('#scripts/demo/index.ts');
  return {
    create: demo.createDemoCompany,
    signIns: demo.DEMO_SIGN_INS,
    password: demo.DEMO_PASSWORD,
  };
}

/** Under npm one Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 1000;

function stopOnSignals(starting: Promise<RunningServer>): void {
  let stoppingSinceMs: number | undefined;
  async function stop(): Promise<void> {
    if (stoppingSinceMs !== undefined) {
      if (Date.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSinceMs = Date.now();
    const server = await starting.catch(() => null);
    await server?.stop();
    process.exit(0);
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stop().catch(fail);
    });
  }
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

/**
 * An error that a person can repair is printed as its one sentence. Anything else is a bug and shows its
 * stack first; the last line is a sentence all the same.
 */
function fail(cause: unknown): never {
  const error = asFullDisk(cause) ?? cause;
  const isSentence = error instanceof StartError || error instanceof UnrecoverableError;
  if (!isSentence) console.error(error);
  console.error(isSentence ? error.message : endedWords(error, 'while starting or stopping'));
  process.exit(1);
}

function endedWords(error: unknown, when: string): string {
  const [summary] = String(error).split('\n');
  return `Purser ended because of an error in its code (${when}: ${summary}); start it again.`;
}

/**
 * An error that nothing caught, a promise's included: what it has left half done is unknown, so the
 * process ends rather than go on with it. Money is safe: what was not committed did not happen, and
 * the next start takes up the rest.
 */
function failUncaught(error: unknown, origin: NodeJS.UncaughtExceptionOrigin): never {
  createLog('fatal').fatal({ msg: 'An error was not caught', origin, err: error });
  console.error(endedWords(error, origin));
  process.exit(1);
}

// Node passes a rejected promise that nobody handles on to the same event.
process.on('uncaughtException', failUncaught);
goOnWithoutReaders();
main().catch(fail);
