import { constants } from 'node:os';
import { readConfig } from '#server/config/config.ts';
import type { Config } from '#server/config/config.ts';
import { asFullDisk } from '#server/lib/full-disk.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';

/** Words and settings that a command is given, and what it prints to. Defaults: those of this process. */
export interface CommandLine {
  args: readonly string[];
  env: Readonly<NodeJS.ProcessEnv>;
  print: (line: string) => void;
  printError: (line: string) => void;
  /** Aborted by Ctrl-C, or by a request of the system to end: the command leaves nothing half done, and throws. */
  stopped: AbortSignal;
}

/** Settings of a command. Their warnings are printed as errors, so that they do not mix with its answer. */
export function settingsOf({ env, printError }: Pick<CommandLine, 'env' | 'printError'>): Config {
  const config = readConfig([], env);
  config.warnings.forEach((warning) => printError(warning));
  return config;
}

/** @throws {StartError} for an option that is given twice, of which only the last value would count */
export function refuseRepeated(
  tokens: readonly { kind: string; name?: string }[],
  { repeatable = [] }: { repeatable?: readonly string[] } = {},
): void {
  const names = tokens.flatMap(({ kind, name }) =>
    kind === 'option' && name !== undefined && !repeatable.includes(name) ? [name] : [],
  );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new StartError(`--${twice} is given twice; give it once.`);
}

/**
 * Waits for work of a command that has nothing to undo.
 *
 * @throws {StartError} with the sentence, when the command is stopped
 */
export async function orStopped<T>(
  stopped: AbortSignal,
  sentence: string,
  work: () => Promise<T>,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new StartError(sentence));
  if (stopped.aborted) stop();
  stopped.addEventListener('abort', stop);
  try {
    return await Promise.race([promise, work()]);
  } finally {
    stopped.removeEventListener('abort', stop);
  }
}

/** Output that nobody reads any longer, as behind `| head`: the command goes on, and its exit code says how it ended. */
export function goOnWithoutReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (errorCode(error) !== 'EPIPE') throw error;
    });
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Under npm one Ctrl-C arrives twice: from the terminal, and passed on by npm. */
const SAME_SIGNAL_MS = 1000;

/**
 * Listens for signals to end. The second one ends the process immediately.
 *
 * @returns exit code of the signal that came, and the end of listening
 */
function listenForSignals(stopping: AbortController): {
  exitCode: () => number | undefined;
  end: () => void;
} {
  let first: { code: number; atMs: number } | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (first !== undefined && performance.now() - first.atMs < SAME_SIGNAL_MS) return;
    // The exit code of shells for a program that a signal ended.
    const code = 128 + constants.signals[signal];
    if (first !== undefined) process.exit(code);
    first = { code, atMs: performance.now() };
    stopping.abort();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    exitCode: () => first?.code,
    end: () => SIGNALS.forEach((signal) => process.off(signal, onSignal)),
  };
}

/**
 * Runs a command of an operator. If it throws a StartError or a disk is full, a sentence is printed as an error.
 *
 * @param command returns false if its answer is a failure
 * @returns exit code: 0, 1, or 128 and the number of the signal that stopped it
 * @throws any other error of the command
 */
export async function runCommand(
  command: (line: CommandLine) => Promise<boolean | void>,
  {
    args = process.argv.slice(2),
    env = process.env,
    print = (line) => process.stdout.write(`${line}\n`),
    printError = (line) => process.stderr.write(`${line}\n`),
  }: Partial<Omit<CommandLine, 'stopped'>> = {},
): Promise<number> {
  const stopping = new AbortController();
  const signals = listenForSignals(stopping);
  try {
    const line = { args, env, print, printError, stopped: stopping.signal };
    return (await command(line)) === false ? 1 : 0;
  } catch (cause) {
    const error = asFullDisk(cause) ?? cause;
    const signalled = signals.exitCode();
    if (!(error instanceof StartError) && signalled === undefined) throw error;
    printError(error instanceof StartError ? error.message : 'Stopped.');
    return signalled ?? 1;
  } finally {
    signals.end();
  }
}

/** Runs a command as the program of this process. */
export async function runProgram(
  command: (line: CommandLine) => Promise<boolean | void>,
): Promise<void> {
  goOnWithoutReaders();
  const code = await runCommand(command);
  // A query that was given up may still work.
  if (code > 1) process.exit(code);
  process.exitCode = code;
}
