/**
 * `npm run backup`: backs up the embedded database with the data folder, also while servers work, encrypted for the
 * public keys of PURSER_BACKUP_KEY. What was written is read back. Backups older than PURSER_BACKUP_DAYS are deleted
 * afterwards.
 *
 *     -- --make-key purser-backup.key    makes a private key in that file and prints its public key
 *
 * Exits 1 when no backup was made, also when Ctrl-C stops it (130); the earlier ones are then as they were.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { makeBackup } from '#server/backups/make-backup.ts';
import type { Config } from '#server/config/config.ts';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { choosePlace } from '#server/db/embedded/place.ts';
import { isFullDisk } from '#server/lib/full-disk.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { refuseRepeated, runProgram, settingsOf } from '#server/programs/run-command.ts';
import type { CommandLine } from '#server/programs/run-command.ts';

/** The command. */
export async function backupCommand({
  args,
  env,
  print,
  printError,
  stopped,
}: CommandLine): Promise<void> {
  const makeKeyIn = readArguments(args);
  if (makeKeyIn !== undefined) return makeKey(makeKeyIn, print);
  const config = settingsOf({ env, printError });
  if (config.databaseUrl !== null) {
    throw new StartError(
      'This backs up the embedded database alone. For a PostgreSQL of your own see "Backups" in docs/backups.md.',
    );
  }
  if (config.backupKeys.length === 0) {
    throw new StartError(
      'PURSER_BACKUP_KEY is missing: the public key that backups are encrypted for. "npm run backup -- --make-key file" makes one.',
    );
  }
  for (const line of elsewhere(config)) print(line);
  const database = await startEmbedded({
    dataDir: config.dataDir,
    log: print,
    mustExist: true,
  });
  try {
    const { clusterDir } = await choosePlace(config.dataDir);
    const { path, manifest, deleted, notDeleted, doubt } = await makeBackup({
      dataDir: config.dataDir,
      clusterDir,
      superuserUrl: database.superuserUrl('postgres'),
      folder: config.backups,
      recipients: config.backupKeys,
      keepDays: config.backupDays,
      now: () => new Date(),
      stopped,
    });
    const bytes = Object.values(manifest.parts).reduce((sum, one) => sum + (one?.bytes ?? 0), 0);
    print(`Backed up to ${path}, ${(bytes / 1_000_000).toFixed(1)} MB, and read back.`);
    for (const old of deleted)
      print(`Deleted ${old}, which is older than ${config.backupDays} days.`);
    if (doubt !== null) printError(doubt);
    for (const [old, code] of notDeleted) {
      printError(
        `${old} is older than ${config.backupDays} days and could not be deleted (${code}). Delete it by hand.`,
      );
    }
  } finally {
    await database.stop();
  }
}

const USAGE = 'Give nothing, or --make-key and the file for a new private key.';

function readArguments(args: readonly string[]): string | undefined {
  try {
    const options = { 'make-key': { type: 'string' } } as const;
    const { values, tokens } = parseArgs({ args: [...args], options, tokens: true });
    refuseRepeated(tokens);
    if (values['make-key'] !== '') return values['make-key'];
  } catch (error) {
    if (error instanceof StartError) throw error;
  }
  throw new StartError(USAGE);
}

async function makeKey(file: string, print: CommandLine['print']): Promise<void> {
  const identity = await generateX25519Identity();
  try {
    writeFileSync(file, `${identity}\n`, { flag: 'wx', mode: 0o600, flush: true });
  } catch (error) {
    const code = errorCode(error) ?? '';
    // The part of a key that a full disk left would be taken for one.
    if (isFullDisk(error)) rmSync(file, { force: true });
    const advice =
      code === 'EEXIST'
        ? 'It is there already, and a key is never replaced; name a new file.'
        : 'Name a file in a folder that you may write, with room on its disk.';
    throw new StartError(`${file} could not be made (${code}). ${advice}`, { cause: error });
  }
  print(`PURSER_BACKUP_KEY=${await identityToRecipient(identity)}`);
  print(`Keep ${file} away from this machine: without it no backup can be opened, by nobody.`);
}

/** Things of a company that are not in the data folder, and so in no backup of it. */
function elsewhere({ files, ledgerRoots, secrets, masterKeys, ledgerKey }: Config): string[] {
  const keys = [
    ...(secrets === null ? [] : ['PURSER_SECRET']),
    ...(masterKeys === null ? [] : ['PURSER_MASTER_KEY']),
    ...(ledgerKey === null ? [] : ['PURSER_LEDGER_KEY']),
  ];
  return [
    ...(keys.length === 0
      ? []
      : [`Not in the backup, since the environment has them: ${keys.join(', ')}.`]),
    ...(files === null ? [] : [`Not in the backup: identity images in ${files}.`]),
    ...(ledgerRoots === null
      ? []
      : ['Not in the backup: the roots, which PURSER_LEDGER_ROOTS keeps elsewhere.']),
  ];
}

if (import.meta.main) await runProgram(backupCommand);
