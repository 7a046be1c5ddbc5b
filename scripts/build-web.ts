import { createHash } from 'node:crypto';
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build as bundle } from 'vite';
import { buildOnce } from './build-once.ts';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(ROOT, 'dist');
const OUTPUT = join(BUILT, 'web');
/** Map from each part of the app to its file: read by the server, served to nobody. */
const MANIFEST = join(BUILT, 'web.manifest.json');
/** Everything the build reads; what is not named here does not make it stale. */
const SOURCES = ['web/**/*', 'contract/**/*', 'vite.config.ts', 'package-lock.json'];
/** Below this, a compressed file saves less than its header costs. */
const COMPRESS_FROM_BYTES = 1024;

/** Builds the web app into dist/web unless what is there was built from these very sources. */
export function buildWeb(): Promise<'built' | 'fresh'> {
  return buildOnce(BUILT, hashSources(), build);
}

async function build(): Promise<void> {
  const options = { configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn' } as const;
  await bundle(options);
  await bundle({ ...options, build: { ssr: join(ROOT, 'web/first-view.tsx') } });
  renameSync(join(OUTPUT, '.vite/manifest.json'), MANIFEST);
  compressFiles();
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of filesOf(SOURCES, ROOT)) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** Writes .br and .gz next to each text file, so that the server compresses nothing per request. */
function compressFiles(): void {
  for (const file of filesOf(['**/*.{js,css,html,svg,json,txt}'], OUTPUT)) {
    const content = readFileSync(join(OUTPUT, file));
    if (content.length < COMPRESS_FROM_BYTES) continue;
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(join(OUTPUT, `${file}.br`), brotliCompressSync(content, { params }));
    writeFileSync(join(OUTPUT, `${file}.gz`), gzipSync(content, { level: 9 }));
  }
}

function filesOf(patterns: string[], cwd: string): string[] {
  return globSync(patterns, { cwd, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(cwd.length + 1))
    .toSorted();
}

if (import.meta.main) {
  const startedMs = Date.now();
  const outcome = await buildWeb();
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1);
  console.log(
    outcome === 'fresh' ? 'The web app is up to date.' : `Built the web app in ${seconds} s.`,
  );
}
