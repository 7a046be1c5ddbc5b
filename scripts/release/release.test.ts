import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readManifest } from '#scripts/audit-supply.ts';
import { blocksOf } from '#scripts/real-parts/documented.ts';
import { SECRET_NAMES } from '#server/config/names.ts';
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

/** Name of the file of a secret in an installation. */
const fileOf = (name: string) => name.replace('PURSER_', '').toLowerCase().replaceAll('_', '-');

test('purser-admin gives a command every secret and setting that the service has', () => {
  const home = mkdtempSync(join(tmpdir(), 'purser-admin-'));
  const made = (name: string, content: string, mode = 0o600) =>
    writeFileSync(join(home, name), content, { mode });
  mkdirSync(join(home, 'secrets'));
  made(
    'purser.env',
    `# A comment\nPURSER_DATA=${home} \r\nMAIL_FROM=Tallis & Reed <payroll@example.com>\n  PORT="3001"\r\n`,
  );
  for (const name of SECRET_NAMES) made(`secrets/${fileOf(name)}`, `${name}'s $(value)\n`);
  made('secrets/master-key.old', 'left');
  made('runuser', '#!/bin/sh\nshift 3\nexec "$@"\n', 0o700);
  made('print', '#!/bin/sh\necho "$@"\nenv\n', 0o700);
  const script = readFileSync(join(ROOT, 'deploy/purser-admin'), 'utf8')
    .replaceAll('/etc/purser', home)
    .replace('/opt/purser/bin/purser', join(home, 'print'));
  const { stdout, stderr } = spawnSync('sh', ['-c', script, 'purser-admin', 'keys', 'status'], {
    encoding: 'utf8',
    env: { PATH: `${home}:${process.env['PATH']}` },
  });
  expect(stderr).toBe('');
  const lines = stdout.split('\n');
  expect(lines[0]).toBe('keys status');
  expect(lines).toEqual(
    expect.arrayContaining([
      ...SECRET_NAMES.map((name) => `${name}=${name}'s $(value)`),
      'MAIL_FROM=Tallis & Reed <payroll@example.com>',
      'PORT=3001',
    ]),
  );
  expect(stdout).not.toContain('left');
  rmSync(home, { recursive: true });
});

test('the service names a file for every secret', () => {
  const unit = readFileSync(join(ROOT, 'deploy/purser.service'), 'utf8');
  const lines = SECRET_NAMES.flatMap((name) => [
    `LoadCredential=${fileOf(name)}:/etc/purser/secrets/${fileOf(name)}`,
    `Environment=${name}_FILE=%d/${fileOf(name)}`,
  ]);
  expect(
    lines.filter((line) => !unit.includes(`\n${line}\n`) && !unit.includes(`\n#${line}\n`)),
  ).toEqual([]);
});

test('the newest entry of CHANGELOG.md is the version of the program', () => {
  const [, newest] = /^## (\S+)$/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [];
  expect(newest).toBe(VERSION);
});
