import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from './child-environment.ts';

/** Programs that tests start again and again. */
const PROGRAMS = {
  main: 'server/programs/main.ts',
  'payroll-poster': 'test/payroll-poster.ts',
};

const ROOT = join(import.meta.dirname, '..');
/** Inside node_modules, where the packages that stay outside of a bundle are found. */
const FOLDER = join(ROOT, 'node_modules/.purser');

/**
 * Bundles the programs for one run of the tests that start and kill them: a start of the server from its sources
 * takes 0.72 s of processor time, and 0.38 s from a bundle. The browser tests start the sources. Answers the teardown.
 */
export async function setup(): Promise<() => void> {
  mkdirSync(FOLDER, { recursive: true });
  const folder = mkdtempSync(join(FOLDER, 'programs-'));
  await bundle(folder);
  process.env['PURSER_TEST_PROGRAMS'] = folder;
  await compile(folder);
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Path of a program's bundle, or of its source where no bundle was made. */
export function programPath(name: keyof typeof PROGRAMS): string {
  const folder = process.env['PURSER_TEST_PROGRAMS'];
  return folder === undefined ? join(ROOT, PROGRAMS[name]) : join(folder, `${name}.mjs`);
}

async function bundle(folder: string): Promise<void> {
  // Loaded here: tests import this file for a path alone.
  const { build } = await import('vite');
  const entries = Object.entries(PROGRAMS).map(([name, path]) => [name, join(ROOT, path)]);
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'places-of-sources',
        enforce: 'pre',
        transform: (code, id) =>
          code.includes('import.meta.') && !id.includes('/node_modules/')
            ? code
                .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
                .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
            : null,
      },
    ],
    // Native code, and what looks for its own files.
    ssr: {
      noExternal: true,
      external: ['sharp', 'pino', 'pdfkit', 'fontkit', 'harfbuzzjs', 'vite'],
    },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      target: 'node24',
      rolldownOptions: {
        input: Object.fromEntries(entries),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
}

/** Has the bundle compiled: a process that is killed keeps nothing. It ends at an option that it does not know. */
async function compile(folder: string): Promise<void> {
  const main = spawn(process.execPath, [join(folder, 'main.mjs'), '--compile'], {
    stdio: 'ignore',
    env: childEnvironment(),
  });
  await once(main, 'exit');
}
