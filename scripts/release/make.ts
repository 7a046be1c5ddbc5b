/**
 * `npm run release`: makes the archive that an operator installs, in dist/release: server, built web app, migrations,
 * Node for this platform, the packages that a server loads, their licences, a bill of materials, and the SHA-256 of each
 * file. It starts on a Linux with the C library of GNU, without npm and without a compiler.
 *
 * Two runs of one commit in the same folder write the same bytes: files have the time of the commit and are in order of
 * their names, and nothing in them says when they were made. In another folder parts of the built web app have other
 * names; the rest is the same.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { buildWeb } from '#scripts/build-web.ts';
import { makeSbom } from '#scripts/print-sbom.ts';
import { packagesOfServer } from './packages.ts';

const ROOT = join(import.meta.dirname, '../..');
const OUTPUT = join(ROOT, 'dist/release');
/** Folders of the repository that an installation has, without their tests. */
const SHIPPED = ['contract', 'server', 'migrations', 'deploy', 'docs', 'CHANGELOG.md'];
const LEFT_OUT = /\.test\.tsx?$|^server\/system-tests\/|^docs\/(?:decisions|images)\//;
/** Files of packages that are never loaded: types, maps, and fonts in forms that only browsers read. */
const NEVER_LOADED = /\.d\.[cm]?ts$|\.map$|\/@fontsource\/.*\.(?:woff2|css|scss)$/;
const LICENCE = /^(?:licen[cs]e|copying|notice|third-party|ofl)/i;

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }).trim();

/** Facts that the archive has about itself in release.json. */
interface Release {
  version: string;
  commit: string;
  /** Time of the commit. */
  committedAt: string;
  platform: string;
  node: string;
}

function describe(): Release {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Release;
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  return {
    version,
    commit: `${git('rev-parse', 'HEAD')}${isChanged ? ' with changes' : ''}`,
    committedAt: new Date(Number(git('log', '-1', '--format=%ct')) * 1_000).toISOString(),
    platform: `${process.platform}-${process.arch}`,
    node: process.version,
  };
}

function stage(folder: string, release: Release): void {
  for (const path of git('ls-files', '-z', ...SHIPPED).split('\0')) {
    if (path !== '' && !LEFT_OUT.test(path)) copy(join(ROOT, path), join(folder, path));
  }
  for (const path of ['dist/web', 'dist/first-view', 'dist/web.manifest.json']) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  for (const path of packagesOfServer()) copyPackage(path, join(folder, path));
  copy(nodeOf(), join(folder, 'bin/node'));
  copy(join(ROOT, 'deploy/purser'), join(folder, 'bin/purser'));
  for (const program of ['node', 'purser']) chmodSync(join(folder, 'bin', program), 0o755);
  const { imports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    imports: Record<string, string>;
  };
  const own = Object.entries(imports).filter(([, path]) => /^\.\/(?:contract|server)\//.test(path));
  write(join(folder, 'package.json'), {
    name: 'purser',
    version: release.version,
    private: true,
    type: 'module',
    imports: Object.fromEntries(own),
  });
  write(join(folder, 'release.json'), release);
  write(join(folder, 'purser.cdx.json'), billOfMaterials(release));
  writeFileSync(join(folder, 'LICENSES.txt'), licences());
  writeFileSync(join(folder, 'SHA256SUMS'), checksums(folder));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}

function write(file: string, content: unknown): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}

function copyPackage(path: string, to: string): void {
  const from = join(ROOT, path);
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (file) =>
      !file.slice(from.length).includes('/node_modules') && !NEVER_LOADED.test(file),
  });
}

function nodeOf(): string {
  return join(ROOT, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
}

/** npm's own has a random number and the time. Here both come from the commit. */
function billOfMaterials({ commit, committedAt }: Release): unknown {
  const sbom = makeSbom() as ReturnType<typeof makeSbom> & {
    serialNumber?: string;
    metadata: { timestamp?: string };
  };
  const digits = createHash('sha256').update(commit).digest('hex');
  const variant = `8${digits.slice(17, 20)}`;
  sbom.serialNumber = `urn:uuid:${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-${variant}-${digits.slice(20, 32)}`;
  sbom.metadata.timestamp = committedAt;
  return sbom;
}

/** Licence texts of everything that is passed on, also of what is inside the built web app. */
function licences(): string {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; license?: string; dev?: boolean }>;
  };
  const texts = Object.entries(lock.packages)
    .filter(([path, { dev = false }]) => path !== '' && !dev && existsSync(join(ROOT, path)))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, { version, license = 'see below' }]) => {
      const files = readdirSync(join(ROOT, path)).filter((file) => LICENCE.test(file));
      const words = files
        .toSorted()
        .filter((file) => lstatSync(join(ROOT, path, file)).isFile())
        .map((file) => readFileSync(join(ROOT, path, file), 'utf8').trim());
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
      return [`${name} ${version} (${license})`, ...words].join('\n\n');
    });
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** In the form of `sha256sum`, by name. */
function checksums(folder: string): string {
  return globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((file) => `${sha256(file)}  ./${file.slice(folder.length + 1)}\n`)
    .join('');
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

/** @returns path of the archive */
export async function makeRelease(): Promise<string> {
  await buildWeb();
  const release = describe();
  const name = `purser-${release.version}-${release.platform}`;
  const staging = mkdtempSync(join(tmpdir(), 'purser-release-'));
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  stage(join(staging, name), release);
  const archive = join(OUTPUT, `${name}.tar.gz`);
  execFileSync('tar', [
    '--sort=name',
    `--mtime=${release.committedAt}`,
    '--format=gnu',
    '--numeric-owner',
    '--owner=0',
    '--group=0',
    '--mode=u+rwX,go+rX,go-w',
    '--use-compress-program=gzip -6n',
    '--create',
    '--file',
    archive,
    '--directory',
    staging,
    name,
  ]);
  rmSync(staging, { recursive: true });
  writeFileSync(`${archive}.sha256`, `${sha256(archive)}  ${basename(archive)}\n`);
  return archive;
}

if (import.meta.main) {
  const archive = await makeRelease();
  const megabytes = (lstatSync(archive).size / 1_000_000).toFixed(0);
  console.log(`${archive}, ${megabytes} MB\n${sha256(archive)}`);
}
