import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '#server/db/embedded/index.ts';
import { clusterOf, removeDataDir } from '#server/db/embedded/place.ts';
import { postmasterState, refuseUnreachable } from '#server/db/embedded/postmaster-state.ts';
import { isLeftBehind, thisProcess } from '#server/db/embedded/processes.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';

/** The process that makes it, and letters that make the name unique. */
const NAME = /^purser-drill-(.+)-\w{6}$/;

/** Folder of a trial, named by the machine and the process that make it. Its company is in the folder `data` there. */
export function makeTrialFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `purser-drill-${thisProcess()}-`));
  // Under root PostgreSQL is another user, which has to pass through.
  chmodSync(folder, 0o711);
  return folder;
}

/** Data folder of the company in a trial's folder. */
export function trialDataDir(folder: string): string {
  return join(folder, 'data');
}

/** Deletes the folder of a trial whose database does not run. */
export function removeTrialFolder(folder: string): void {
  // The half of a company that was being restored is next to its folder.
  for (const name of readdirSync(folder)) removeDataDir(join(folder, name));
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Stops and deletes the companies that killed trials left in the folder of temporary files: a database outlives the process
 * that started it.
 *
 * @param say called with a sentence for each that was deleted, or that could not be
 */
export async function removeAbandonedTrials(say: (sentence: string) => void): Promise<void> {
  for (const folder of abandonedTrials()) {
    try {
      await stopDatabase(trialDataDir(folder));
      removeTrialFolder(folder);
      say(`Deleted ${folder}, which a killed trial of a backup had left.`);
    } catch (error) {
      const reason =
        error instanceof StartError ? error.message : (errorCode(error) ?? String(error));
      say(`${folder} was left by a killed trial and could not be deleted (${reason}).`);
    }
  }
}

/** Those of this user: anybody may make a folder of such a name there. */
function abandonedTrials(): string[] {
  return readdirSync(tmpdir()).flatMap((name) => {
    const [, maker] = NAME.exec(name) ?? [];
    if (maker === undefined) return [];
    const folder = join(tmpdir(), name);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) return [];
    return isLeftBehind(maker, { madeMs: found.mtimeMs, nowMs: Date.now() }) ? [folder] : [];
  });
}

async function stopDatabase(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  refuseUnreachable(clusterOf(dataDir));
  if (postmasterState(clusterOf(dataDir)) !== 'running') return;
  // The last one to leave stops it, and its users are dead.
  const database = await startEmbedded({ dataDir, log: () => undefined, mustExist: true });
  await database.stop();
}
