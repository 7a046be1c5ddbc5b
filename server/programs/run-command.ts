import { readConfig } from '#server/config/config.ts';
import type { Config } from '#server/config/config.ts';
import { asFullDisk } from '#server/lib/full-disk.ts';
import { StartError } from '#server/lib/start-error.ts';

/** Words and settings that a command is given, and what it prints to. Defaults: those of this process. */
export interface CommandLine {
  args: readonly string[];
  env: Readonly<NodeJS.ProcessEnv>;
  print: (line: string) => void;
  printError: (line: string) => void;
}

/** Settings of a command. Their warnings are printed as errors, so that they do not mix with its answer. */
export function settingsOf({ env, printError }: Pick<CommandLine, 'env' | 'printError'>): Config {
  const config = readConfig([], env);
  config.warnings.forEach((warning) => printError(warning));
  return config;
}

/**
 * Runs a command of an operator. If it throws a StartError or a disk is full, a sentence is printed as an error.
 *
 * @param command returns false if its answer is a failure
 * @returns exit code, 0 or 1
 * @throws any other error of the command
 */
export async function runCommand(
  command: (line: CommandLine) => Promise<boolean | void>,
  {
    args = process.argv.slice(2),
    env = process.env,
    print = (line) => process.stdout.write(`${line}\n`),
    printError = (line) => process.stderr.write(`${line}\n`),
  }: Partial<CommandLine> = {},
): Promise<number> {
  try {
    return (await command({ args, env, print, printError })) === false ? 1 : 0;
  } catch (cause) {
    const error = asFullDisk(cause) ?? cause;
    if (!(error instanceof StartError)) throw error;
    printError(error.message);
    return 1;
  }
}
