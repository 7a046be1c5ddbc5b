import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { withClient } from '#server/db/embedded/roles.ts';
import { programPath } from '#test/bundle-programs.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { createTestDatabase } from '#test/database.ts';
import type { TestDatabase } from '#test/database.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'purser-main-'));
let database: TestDatabase;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Started {
  child: ChildProcess;
  output: () => string;
  errors: () => string;
  /** The exit code. */
  ended: Promise<number | null>;
  printed: (text: string) => Promise<void>;
}

function start(flags: readonly string[], environment: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [programPath('main'), ...flags], {
    env: {
      ...childEnvironment(),
      PORT: '0',
      PURSER_DATA: dataDir,
      DATABASE_URL: database.ownerUrl,
      ...environment,
    },
  });
  running.add(child);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit').then(([code]) => {
    running.delete(child);
    return code as number | null;
  });
  return {
    child,
    output: () => output,
    errors: () => errors,
    ended,
    async printed(text) {
      while (!output.includes(text)) {
        if (child.exitCode !== null) throw new Error(`It ended: ${errors}`);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
  };
}

describe('a start that cannot go on says why in one sentence and exits 1', () => {
  test.each<[string, readonly string[], Record<string, string>, RegExp]>([
    ['an unknown flag', ['--fast'], {}, /^--fast is not an option of Purser/],
    ['a bad port', ['--empty'], { PORT: 'x' }, /^PORT is "x"/],
    ['missing settings', ['--production'], {}, /^Production does not start without PURSER_URL/],
    [
      'an unreachable database',
      ['--empty'],
      { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none' },
      /^The database cannot be reached \(ECONNREFUSED\)/,
    ],
    [
      'a data folder that cannot be made',
      ['--empty'],
      { PURSER_DATA: join(dataDir, 'a-file/data'), DATABASE_URL: '' },
      /a-file/,
    ],
  ])('%s', async (_what, flags, environment, words) => {
    writeFileSync(join(dataDir, 'a-file'), '');
    const { ended, errors, output } = start(flags, environment);
    expect(await ended).toBe(1);
    expect(errors()).toMatch(words);
    expect(errors().trim()).not.toContain('\n');
    expect(output()).not.toContain('ready');
  });

  test('a port in use', async () => {
    const other = createServer().listen(0);
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { ended, errors } = start(['--empty'], { PORT: String(port) });
    expect(await ended).toBe(1);
    expect(errors()).toMatch(new RegExp(`^Port ${port} is in use`));
    other.close();
  });
});

test('an empty company prints one invite, once, and ends cleanly on a signal', async () => {
  const first = start(['--empty']);
  await first.printed('Purser is ready at http://localhost:');
  await first.printed('/onboarding?invite=');
  const token = /^ {2}http:\S+\?invite=([\w-]{43})$/m.exec(first.output())?.[1];
  expect(token).toBeDefined();
  await withClient(database.ownerUrl, async (client) => {
    const { rows } = await client.query('SELECT token_hash::text AS hash FROM admin_invite');
    expect(rows).toHaveLength(1);
    expect(rows[0].hash).not.toContain(token);
  });
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(first.errors()).toBe('');

  const second = start(['--empty']);
  await second.printed('Purser is ready');
  expect(second.output()).not.toContain('invite=');
  second.child.kill('SIGINT');
  expect(await second.ended).toBe(0);
});

test.each([
  ['throw new TypeError("sample")', 'uncaughtException'],
  ['Promise.reject(new TypeError("sample"))', 'unhandledRejection'],
])('an error that nothing catches ends the process clearly: %s', async (code, origin) => {
  const fault = `process.on("SIGUSR2", () => { ${code} })`;
  const { child, ended, errors, output, printed } = start(['--empty'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
  });
  await printed('Purser is ready');
  child.kill('SIGUSR2');
  expect(await ended).toBe(1);
  expect(errors()).toBe(
    `Purser ended because of an error in its code (${origin}: TypeError: sample); start it again.\n`,
  );
  expect(output()).toContain('"msg":"An error was not caught"');
});

test('a server goes on where nobody reads what it prints, and stops in order', async () => {
  const printing =
    'process.on("SIGUSR2", () => process.stdout.write("sample", () => process.kill(process.pid, "SIGTERM")))';
  const { child, ended, errors, printed } = start(['--empty'], {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(printing)}`,
  });
  await printed('Purser is ready');
  child.stdout?.destroy();
  child.kill('SIGUSR2');
  expect(await ended).toBe(0);
  expect(errors()).toBe('');
});

test('an open live stream does not hold up the end', async () => {
  const { child, ended, output, printed } = start(['--empty']);
  await printed('Purser is ready');
  const url = /http:\/\/localhost:\d+/.exec(output())?.[0] ?? '';
  const headers = { 'content-type': 'application/json' };
  const person = { email: 'maya@purser.test', password: 'Test-purser-2026' };
  const names = { firstName: 'Maya', lastName: 'Castellanos' };
  const signUp = { method: 'POST', headers, body: JSON.stringify({ ...person, ...names }) };
  expect((await fetch(`${url}/api/auth/sign-up`, signUp)).status).toBe(201);
  const signIn = { method: 'POST', headers, body: JSON.stringify(person) };
  const signedIn = await fetch(`${url}/api/auth/sign-in`, signIn);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  const stream = await fetch(`${url}/api/events`, { headers: { cookie } });
  expect(stream.status).toBe(200);
  child.kill('SIGTERM');
  // The server ends it in order. Connections that are still busy after its longest wait would be cut off.
  expect(await stream.text()).toContain(':');
  expect(await ended).toBe(0);
});
