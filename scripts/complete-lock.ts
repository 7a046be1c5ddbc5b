import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Completes package-lock.json after a change of dependencies: npm leaves out optional packages for
 * other platforms that it could not look up while locking, and `npm ci` then refuses the lock
 * ("Missing: ... from lock file"). Each is entered with its version and the platform its name says,
 * so that npm skips it elsewhere and finds it where it is needed. It has no hash yet: `npm run audit:supply` refuses it
 * until "npm install --package-lock-only", without these entries and with the registry, has entered it whole.
 */
interface LockEntry {
  version?: string;
  resolved?: string;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
}

interface Lock {
  packages: Record<string, LockEntry>;
}

const SYSTEMS = new Set(['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']);
const PROCESSORS = new Set(['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']);
const REGISTRY = 'https://registry.npmjs.org/';

/** Enters what is missing into the lock and answers the names entered. */
export function completeLock(lock: Lock): string[] {
  const entered: string[] = [];
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      if (path === '' || isFound(lock, path, name)) continue;
      const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version);
      if (!exact)
        throw new Error(`${path} wants ${name}@${version}: only exact versions can be entered.`);
      lock.packages[`node_modules/${name}`] = { version, optional: true, ...platformOf(name) };
      entered.push(`${name}@${version}`);
    }
  }
  return entered;
}

/** Addresses in the lock that only work on the machine that wrote it. */
export function findForeignAddresses(lock: Lock): string[] {
  return Object.values(lock.packages)
    .map((entry) => entry.resolved)
    .filter((address) => address !== undefined)
    .filter((address) => !address.startsWith(REGISTRY));
}

/** Looks where Node would: in the package's own node_modules and in those of the folders above. */
function isFound(lock: Lock, path: string, name: string): boolean {
  for (let from = path; ; from = from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0))) {
    const candidate = from === '' ? `node_modules/${name}` : `${from}/node_modules/${name}`;
    if (lock.packages[candidate]) return true;
    if (from === '') return false;
  }
}

/** `@oxlint/binding-linux-arm-musleabihf` is for Linux on ARM with musl. */
function platformOf(name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> {
  const words = name.slice(name.indexOf('/') + 1).split('-');
  const os = words.find((word) => SYSTEMS.has(word));
  const cpu = words.find((word) => PROCESSORS.has(word));
  if (cpu === undefined)
    throw new Error(`The name ${name} does not say for which processor it is.`);
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined;
  return { ...(os && { os: [os] }), cpu: [cpu], ...(libc && { libc: [libc] }) };
}

if (import.meta.main) {
  const file = join(import.meta.dirname, '../package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const entered = completeLock(lock);
  const foreign = findForeignAddresses(lock);
  if (foreign.length > 0) {
    console.error(`These addresses are not the public registry's: ${foreign.join(', ')}`);
    process.exit(1);
  }
  lock.packages = Object.fromEntries(
    Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en')),
  );
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  console.log(entered.length === 0 ? 'The lock is complete.' : `Entered ${entered.join(', ')}.`);
}
