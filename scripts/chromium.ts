import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Chromium without what draws a window: the end-to-end tests take half the time with it. */
const SHELL = 'chromium-headless-shell';
const NAMES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of the browser the end-to-end tests use: PURSER_CHROMIUM, or the system's. */
export function findChromium(): string | undefined {
  const chosen = process.env['PURSER_CHROMIUM'];
  if (chosen) return isExecutable(chosen) ? chosen : undefined;
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/snap/bin'];
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [...candidates, ...MAC_APPS].find(isExecutable);
}

/**
 * Finds the browser, installing Debian's where that is allowed (we are root and apt is here).
 *
 * @throws Error saying how to get one
 */
export function ensureChromium(): string {
  const chosen = process.env['PURSER_CHROMIUM'];
  if (chosen && findChromium() === undefined) {
    throw new Error(`PURSER_CHROMIUM names ${chosen}, which cannot be executed.`);
  }
  if (!chosen && findChromium()?.endsWith(SHELL) !== true) installShell();
  const found = findChromium();
  if (found !== undefined) return found;
  throw new Error(
    'The end-to-end tests need Chromium: install it (Debian: apt-get install chromium-headless-shell), or set PURSER_CHROMIUM to the path of a Chromium or Chrome.',
  );
}

/** Other Chromium programs, for machines without it. */
function installShell(): void {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.log('Installing Chromium with apt-get ...');
  const install = (name: string) => apt('install', '-y', '--no-install-recommends', name);
  const isInstalled = apt('update') && install(SHELL);
  if (!isInstalled && findChromium() === undefined) install('chromium');
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
