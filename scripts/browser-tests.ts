import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Browser tests of what a change touches, by a look at the sources: a file of the web app belongs to the screens whose
 * page imports it, and a browser test to the addresses that are written in it.
 */
const ROOT = join(import.meta.dirname, '..');
/** Tables of addresses. They import every page, and so say nothing about which screen needs a file. */
const TABLES = ['web/screens.ts', 'web/routes.tsx'];
/** Opens every screen: for what many of them share. */
const EVERY_SCREEN = 'e2e/screens.test.ts';
const MAX_SCREENS = 6;
/** Number of tests that run in about a minute. */
const MAX_TESTS = 25;

const IMPORTED = /(?:from\s+|import\s*\(?\s*)'([^']+)'/g;
const ADDRESS =
  /['"`](\/(?:admin|employee|onboarding|my-documents|unsubscribe|404|login|signup)[^'"`?#\s]*)/g;

interface BrowserTests {
  chosen: string[];
  /** Others that open the same screens, in the order in which they would have been chosen. */
  left: string[];
}

/**
 * Chooses the browser tests of changed files: first those that are changed themselves, then those that are most about
 * the screens in question, as many as run in a minute.
 *
 * @param changed paths relative to the root of the project
 */
export function browserTestsOf(changed: readonly string[]): BrowserTests {
  const tests = globSync('e2e/*.test.ts', { cwd: ROOT }).toSorted();
  const own = changed.filter((file) => tests.includes(file));
  const parts = changed.filter((file) => /^web\/.*\.(?:tsx?|css)$/.test(file) && !isTest(file));
  const screens = new Set<string>();
  let isShared = false;
  for (const part of parts) {
    const using = screensOf(part);
    if (using.length === 0 || using.length > MAX_SCREENS) isShared = true;
    else for (const screen of using) screens.add(screen);
  }
  const candidates = tests.filter((file) => file !== EVERY_SCREEN && !own.includes(file));
  const byScreen = [...screens].map((screen) =>
    candidates
      .map((file) => ({ file, share: shareOf(file, screen) }))
      .filter(({ share }) => share > 0)
      .toSorted((one, other) => other.share - one.share),
  );
  const most = Math.max(0, ...byScreen.map(({ length }) => length));
  // The one that is most about each screen, then the second of each.
  const ranked = Array.from({ length: most }, (_, place) =>
    byScreen.flatMap((list) => list[place]?.file ?? []),
  ).flat();
  const chosen = [...own, ...(isShared && !own.includes(EVERY_SCREEN) ? [EVERY_SCREEN] : [])];
  const left: string[] = [];
  let count = 0;
  for (const file of new Set(ranked)) {
    const size = countTests(file);
    if (count > 0 && count + size > MAX_TESTS) left.push(file);
    else {
      count += size;
      chosen.push(file);
    }
  }
  return { chosen, left };
}

/** Addresses of the screens that need a file of the web app. */
export function screensOf(file: string): string[] {
  return [...pages()].filter(([, page]) => importsOf(page).has(file)).map(([path]) => path);
}

/** Page of each address. */
export function pages(): Map<string, string> {
  const found = new Map<string, string>();
  for (const table of TABLES) {
    const text = read(table);
    for (const [, path = '', rest = ''] of text.matchAll(
      /\bpath: '([^']+)',((?:(?!\bpath: ')[\s\S])*)/g,
    )) {
      const lazy = /import\('\.\/(pages\/[^']+)'\)/.exec(rest)?.[1];
      const name = /component: (\w+)/.exec(rest)?.[1];
      const eager =
        name === undefined
          ? undefined
          : new RegExp(`import \\{ ${name} \\} from '\\./(pages/[^']+)'`).exec(text)?.[1];
      const page = lazy ?? eager;
      if (page !== undefined) found.set(path, `web/${page}`);
    }
  }
  return found;
}

const known = new Map<string, Set<string>>();

/** A page's file and all files of the web app that it imports, directly or not. */
function importsOf(page: string): Set<string> {
  const before = known.get(page);
  if (before !== undefined) return before;
  const found = new Set<string>();
  const waiting = [page];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file) || TABLES.includes(file)) continue;
    found.add(file);
    if (file.endsWith('.css')) continue;
    for (const [, name = ''] of read(file).matchAll(IMPORTED)) {
      const path = name.startsWith('#web/')
        ? name.slice(1)
        : relative(ROOT, join(ROOT, dirname(file), name));
      if (path.startsWith('web/') && existsSync(join(ROOT, path))) waiting.push(path);
    }
  }
  known.set(page, found);
  return found;
}

/** Share of a test's addresses that are of a screen. */
function shareOf(test: string, screen: string): number {
  const paths = addressesOf(test);
  return paths.length === 0 ? 0 : paths.filter((path) => path === screen).length / paths.length;
}

/** Addresses that a browser test writes, each as the table of screens has it. */
export function addressesOf(test: string): string[] {
  const patterns = [...pages().keys()].map(
    (path) => [path, new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`)] as const,
  );
  return [...read(test).matchAll(ADDRESS)].flatMap(([, written = '']) => {
    const address = written.replaceAll(/\$\{[^}]*\}/g, 'x').replace(/\$\{.*/, 'x');
    const exact = patterns.find(([path]) => path === address);
    const [path] = exact ?? patterns.find(([, pattern]) => pattern.test(address)) ?? [];
    return path === undefined ? [] : [path];
  });
}

function countTests(file: string): number {
  return read(file).match(/^\s*test\(/gm)?.length ?? 0;
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file);
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}
