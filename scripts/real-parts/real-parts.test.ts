import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { documentedConfiguration } from './documented.ts';
import { openMailbox } from './mailbox.ts';
import { PGBOUNCER_PLACES } from './database.ts';
import { findPrograms } from './programs.ts';
import { NGINX_PLACES } from './web.ts';

let folder = '';
afterEach(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

function newFolder(): string {
  folder = mkdtempSync(join(tmpdir(), 'purser-parts-test-'));
  return folder;
}

describe('the documented lines', () => {
  test.each([
    ['ini', PGBOUNCER_PLACES],
    ['nginx', NGINX_PLACES],
  ] as const)('of %s have every place that a run replaces', (language, places) => {
    const marks = places.map((place, index) => [place, `<place ${index}>`]);
    const text = documentedConfiguration(language, Object.fromEntries(marks));
    for (const [, mark] of marks) expect(text).toContain(mark);
  });

  test('are refused where a place is no longer in them', () => {
    expect(() => documentedConfiguration('nginx', { 'listen 81;': 'listen 82;' })).toThrow(
      'The configuration of nginx has no "listen 81;"',
    );
  });
});

test('missing programs are named in one sentence, with what installs them', () => {
  const here = newFolder();
  for (const name of ['initdb', 'postgres', 'openssl', 'nginx'])
    writeFileSync(join(here, name), '');
  expect(() => findPrograms([here], true)).toThrow(
    'pgbouncer, postfix not found; install with: apt install pgbouncer postfix',
  );
  for (const name of ['pgbouncer', 'postfix']) writeFileSync(join(here, name), '');
  expect(() => findPrograms([here], false)).toThrow('Run this as root: Postfix');
  expect(findPrograms([here], true)).toMatchObject({ nginx: join(here, 'nginx') });
});

test('the token of a link is read from a delivered mail, also where it is broken over lines', async () => {
  const here = join(newFolder(), 'new');
  mkdirSync(here);
  const token = 'k7Qp-2xL_9aZtR4vWm1NcB8yEh3JfUd6';
  const link = `https://localhost:4431/onboarding?invite=3D${token.slice(0, 20)}=\n${token.slice(20)}`;
  const head = 'To: Ines <ines@crew.example>\nSubject: You are invited to manage Purser\n\n';
  writeFileSync(join(here, '1764.V1.host'), `${head}Accept it: ${link}\n`);
  const mailbox = openMailbox(here);
  expect(await mailbox.readToken('ines@crew.example', 'invited')).toBe(token);
});
