import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of the browser the end-to-end tests use: PURSER_CHROMIUM, or the system's. */
export function findChromium(): string | undefined {
  const chosen = process.env['PURSER_CHROMIUM'];
  if (chosen) return isExecutable(chosen) ? chosen : undefined;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/snap/bin'];
  const candidates = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...candidates, ...MAC_APPS].find(isExecutable);
}

/**
 * Finds the browser, installing Debian's where that is allowed (we are root and apt is here).
 *
 * @throws Error saying how to get one
 */
export function ensureChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  const chosen = process.env['PURSER_CHROMIUM'];
  if (chosen) throw new Error(`PURSER_CHROMIUM names ${chosen}, which cannot be executed.`);
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('Installing Chromium with apt-get ...');
    const installed =
      apt('update') && apt('install', '-y', '--no-install-recommends', 'chromium')
        ? findChromium()
        : undefined;
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'The end-to-end tests need Chromium: install it (Debian: apt-get install chromium), or set PURSER_CHROMIUM to the path of a Chromium or Chrome.',
  );
}

function apt(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, stderr } = spawnSync('apt-get', ['-q', ...args], { env, encoding: 'utf8' });
  if (status !== 0) console.error(stderr.trim());
  return status === 0;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
