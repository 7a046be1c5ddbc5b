import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readLock, readManifest } from '#scripts/audit-supply.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Dependencies that only the build of the web app reads. What of them reaches a browser is in dist/. */
export const BUILD_ONLY: ReadonlySet<string> = new Set([
  '@fontsource-variable/instrument-sans',
  '@react-aria/optimize-locales-plugin',
  '@tanstack/react-query',
  '@tanstack/react-router',
  '@tanstack/react-virtual',
  '@vitejs/plugin-react',
  'lucide-react',
  'react',
  'react-aria-components',
  'react-dom',
  'react-hook-form',
  'vite',
]);

/** Node has a place of its own in the archive. */
const NODE = /^node-(?:linux|darwin)-/;

interface Entry {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/**
 * Folders of the packages that a server loads, from the root of the repository: those that package.json names, without
 * {@link BUILD_ONLY}, and all that these depend on. Optional ones for other machines are not installed, and left out.
 *
 * @throws Error naming a package that is needed and not installed
 */
export function packagesOfServer(): string[] {
  const lock = readLock().packages as Record<string, Entry>;
  const { dependencies, optionalDependencies } = readManifest();
  const found = new Set<string>();
  const waiting: [from: string, name: string, isOptional: boolean][] = [
    ...Object.keys(dependencies ?? {})
      .filter((name) => !BUILD_ONLY.has(name))
      .map((name): [string, string, boolean] => ['', name, false]),
    ...Object.keys(optionalDependencies ?? {})
      .filter((name) => !NODE.test(name))
      .map((name): [string, string, boolean] => ['', name, true]),
  ];
  for (const [from, name, isOptional] of waiting) {
    const path = findPackage(lock, from, name);
    if (path === undefined || !existsSync(join(ROOT, path))) {
      if (isOptional) continue;
      throw new Error(`${name}, needed by ${from || 'Purser'}, is not installed; run "npm ci".`);
    }
    if (found.has(path)) continue;
    found.add(path);
    const entry = lock[path] ?? {};
    waiting.push(
      ...namesOf(entry.dependencies, path, false),
      ...namesOf(entry.optionalDependencies, path, true),
      ...namesOf(entry.peerDependencies, path, false).filter(
        ([, peer]) => !BUILD_ONLY.has(peer) && !entry.peerDependenciesMeta?.[peer]?.optional,
      ),
    );
  }
  return [...found].toSorted();
}

function namesOf(
  names: Record<string, string> = {},
  from: string,
  isOptional: boolean,
): [string, string, boolean][] {
  return Object.keys(names).map((name) => [from, name, isOptional]);
}

/** Path that Node resolves the name to in a package: its own node_modules first, then those above. */
function findPackage(lock: Record<string, Entry>, from: string, name: string): string | undefined {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (lock[path] !== undefined) return path;
    if (folder === '') return undefined;
  }
}
