import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { nameOf, READ_LICENCES, readLock } from './audit-supply.ts';

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
  hashes?: unknown[];
  licenses?: { license: { id: string } }[];
}

export interface Sbom {
  bomFormat: string;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const FLAGS = ['--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];

/**
 * The bill of materials of what a server runs, by npm itself (CycloneDX 1.5) and without a network: packages with
 * their hashes and licences, the embedded PostgreSQL and Node among them. What only development needs is left out
 * here: with `--omit=dev` npm also leaves out kysely, pg, vite and zod, which packages of development share.
 */
export function makeSbom(): Sbom {
  const written = execFileSync('npm', ['sbom', ...FLAGS], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const sbom = JSON.parse(written) as Sbom;
  // npm takes the name of the folder.
  sbom.metadata.component.name = 'purser';
  const run = runPackages();
  sbom.components = sbom.components.filter(({ name, version }) => run.has(`${name} ${version}`));
  for (const component of sbom.components) {
    const id = READ_LICENCES[component.name];
    if (id !== undefined) component.licenses = [{ license: { id } }];
  }
  const listed = new Set(
    [sbom.metadata.component, ...sbom.components].map((one) => one['bom-ref']),
  );
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => listed.has(ref))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((ref) => listed.has(ref)) }));
  return sbom;
}

/** Names and versions of the packages that not only development needs. */
export function runPackages(): ReadonlySet<string> {
  const entries = Object.entries(readLock().packages);
  const run = entries.filter(([path, { dev = false }]) => path !== '' && !dev);
  return new Set(run.map(([path, { version }]) => `${nameOf(path)} ${version}`));
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(makeSbom(), null, 2)}\n`);
