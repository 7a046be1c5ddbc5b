import { join } from 'node:path';
import { ROOTS_FILE } from '#server/lib/root-store.ts';
import type { RootStore } from '#server/lib/root-store.ts';
import { readS3Address } from '../files/s3-address.ts';
import { createFileRoots } from './file.ts';
import { createPostedRoots } from './https.ts';
import { createS3Roots } from './s3.ts';

const SETTING = 'PURSER_LEDGER_ROOTS';

export interface RootsOptions {
  /**
   * An absolute path, `s3://bucket/folder?region=…` or `https://…`; null: a file in the data
   * folder.
   */
  ledgerRoots: string | null;
  dataDir: string;
  /** Called for each failed attempt to post to an https address. */
  onFailure: (error: unknown) => void;
}

/**
 * Place that roots are exported to: the configured bucket or file, or a file in the data folder. An
 * https address is posted to in addition to the file.
 *
 * @throws {StartError} when the address of the bucket cannot be used
 */
export function createRootStore({ ledgerRoots, dataDir, onFailure }: RootsOptions): RootStore {
  const kept = () => createFileRoots(join(dataDir, ROOTS_FILE));
  if (ledgerRoots === null) return kept();
  if (ledgerRoots.startsWith('s3:')) return createS3Roots(readS3Address(ledgerRoots, SETTING));
  if (ledgerRoots.startsWith('https:')) {
    return createPostedRoots({ url: ledgerRoots, kept: kept(), onFailure });
  }
  return createFileRoots(ledgerRoots);
}
