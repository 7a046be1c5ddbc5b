import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '#scripts/audit-supply.ts';
import { blocksOf } from '#scripts/real-parts/documented.ts';
import { VERSION } from '#server/lib/version.ts';
import { BUILD_ONLY, packagesOfServer } from './packages.ts';

const ROOT = join(import.meta.dirname, '../..');

test('an archive has every package that the server loads, and none of the build', () => {
  const shipped = new Set(packagesOfServer());
  const sources = globSync('{server,contract}/**/*.ts', { cwd: ROOT }).filter(
    (path) => !path.endsWith('.test.ts') && !path.includes('system-tests'),
  );
  const loaded = sources.flatMap((path) =>
    Array.from(
      readFileSync(join(ROOT, path), 'utf8').matchAll(
        /^(?:import (?!type)|\} ).*from '((?:@[\w-]+\/)?[\w-]+)(?:\/[\w./-]+)?';$/gm,
      ),
      ([, name]) => String(name),
    ),
  );
  const missing = new Set(loaded.filter((name) => !shipped.has(`node_modules/${name}`)));
  expect([...missing]).toEqual([]);
  expect([...BUILD_ONLY].filter((name) => shipped.has(`node_modules/${name}`))).toEqual([]);
  expect(
    [...BUILD_ONLY].filter((name) => readManifest().dependencies?.[name] === undefined),
  ).toEqual([]);
});

test('docs/install.md has blocks of shell, and every file of deploy/ that they copy is there', () => {
  const lines = blocksOf('docs/install.md', 'sh').join('\n');
  const copied = Array.from(lines.matchAll(/\/opt\/purser\/deploy\/(\S+)/g), ([, name]) => name);
  expect(copied.length).toBeGreaterThan(3);
  expect(copied.filter((name) => globSync(`deploy/${name}`, { cwd: ROOT }).length === 0)).toEqual(
    [],
  );
});

test('the command of an installation names what it knows when given something else', () => {
  const { status, stderr } = spawnSync('sh', [join(ROOT, 'deploy/purser'), 'nonsense'], {
    encoding: 'utf8',
  });
  expect(stderr).toMatch(/^usage: purser serve \| start \| verify \| invite/);
  expect(status).toBe(1);
});

test('the newest entry of CHANGELOG.md is the version of the program', () => {
  const [, newest] = /^## (\S+)$/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
  expect(newest).toBe(VERSION);
});
