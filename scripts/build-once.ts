import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFileLock } from '#server/db/embedded/file-lock.ts';

const BUILD_WAIT_MS = 300_000;

/**
 * Builds the web app into a folder unless what is there was built from these very sources. Several starts of one clone
 * build one after the other.
 *
 * @param stamp hash of the sources
 */
export async function buildOnce(
  folder: string,
  stamp: string,
  build: () => Promise<void>,
): Promise<'built' | 'fresh'> {
  const file = join(folder, 'web.stamp');
  const isBuilt = () => existsSync(file) && readFileSync(file, 'utf8') === stamp;
  if (isBuilt()) return 'fresh';
  mkdirSync(folder, { recursive: true });
  return withFileLock(join(folder, 'web.lock'), BUILD_WAIT_MS, async () => {
    // Another start may have built it meanwhile.
    if (isBuilt()) return 'fresh';
    // Half of a build is not what the former sources made.
    rmSync(file, { force: true });
    await build();
    writeFileSync(file, stamp);
    return 'built';
  });
}
