import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = join(import.meta.dirname, '../../package.json');

/** Version of this program, `1.4.0` (semver.org), as package.json and CHANGELOG.md have it. */
export const VERSION: string = readVersion();

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };
  return version;
}
