import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createPublicKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { silentLog } from '#server/lib/log.ts';
import {
  createSealer,
  findNextSigningKeys,
  loadSigningKey,
  verifyLedger,
} from '#server/modules/ledger/index.ts';
import { createRootStore } from '#server/providers/roots/index.ts';
import { KeyRing } from '#server/vault/keys.ts';
import type { MasterKey } from '#server/vault/keys.ts';
import { readKeyUse } from '#server/vault/rotate.ts';
import { openVault } from '#server/vault/store.ts';
import { keysCommand } from './keys.ts';
import { childEnvironment } from '#test/child-environment.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { runSaid } from '#test/run-said.ts';

const COMMAND = join(import.meta.dirname, 'keys.ts');
const PEOPLE = 3_000;

const makeKey = (id: string): MasterKey => ({ id, key: randomBytes(32) });
const textOf = (keys: readonly MasterKey[]) =>
  keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',');

let opened: TestDb;
beforeAll(async () => {
  opened = await openTestDb();
});
afterAll(() => opened.close());

const environmentOf = (keys: readonly MasterKey[]) => ({
  ...childEnvironment(),
  DATABASE_URL: opened.ownerUrl,
  PURSER_SECRET: randomBytes(32).toString('base64'),
  PURSER_MASTER_KEY: textOf(keys),
});

interface Run {
  exitCode: number | null;
  said: string;
}

async function run(
  masterKeys: readonly MasterKey[],
  command: string,
  dataDir = '/nonexistent',
): Promise<Run> {
  const env = { ...environmentOf(masterKeys), PURSER_DATA: dataDir };
  const { code: exitCode, said } = await runSaid(keysCommand, [command], env);
  return { exitCode, said };
}

/** Many people with a key each under that one, by their ids. */
async function giveKeys(master: MasterKey, count: number): Promise<Map<string, Buffer>> {
  const ring = new KeyRing([master]);
  const { rows } = await sql<{ id: string }>`
    INSERT INTO app_user (email, name, first_name, last_name)
    SELECT gen_random_uuid() || '@purser.test', 'A B', 'A', 'B' FROM generate_series(1, ${count})
    RETURNING id`.execute(opened.db);
  const keys = new Map(rows.map(({ id }) => [id, randomBytes(32)]));
  const wrapped = [...keys].map(([id, key]) => ring.wrap(id, key).wrappedKey);
  await sql`
    INSERT INTO data_key (user_id, master_key_id, wrapped_key)
    SELECT user_id, ${master.id}, wrapped_key
      FROM unnest(${[...keys.keys()]}::uuid[], ${wrapped}::bytea[]) AS one (user_id, wrapped_key)`.execute(
    opened.db,
  );
  return keys;
}

/** Number of these people's keys that a server with these master keys reads, each as it was. */
async function readable(
  masterKeys: readonly MasterKey[],
  keys: ReadonlyMap<string, Buffer>,
): Promise<number> {
  await openVault(opened.db, masterKeys);
  const ring = new KeyRing(masterKeys);
  const rows = await opened.db
    .selectFrom('dataKey')
    .select(['userId', 'masterKeyId', 'wrappedKey'])
    .execute();
  return rows.filter(({ userId, masterKeyId, wrappedKey }) =>
    keys.get(userId)?.equals(ring.unwrap(userId, masterKeyId, wrappedKey ?? Buffer.of())),
  ).length;
}

/** Ends the command as a power cut would, in the middle of its work. */
async function killInTheMiddle(keys: readonly MasterKey[]): Promise<void> {
  const child = spawn(process.execPath, [COMMAND, 'rotate'], {
    env: { ...environmentOf(keys), PURSER_DATA: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  child.stdout.on('data', (chunk: Buffer) => {
    if (chunk.includes('keys are under')) child.kill('SIGKILL');
  });
  await ended;
}

describe('npm run keys', () => {
  const [first, second] = [makeKey('first'), makeKey('second')];

  test('rotates, is killed in the middle, and rotates the rest; all stays readable', async () => {
    const keys = await giveKeys(first, PEOPLE);
    await killInTheMiddle([second, first]);
    const half = await readKeyUse(opened.db);
    expect(half.map(({ masterKeyId }) => masterKeyId)).toEqual(['first', 'second']);
    expect(half.reduce((sum, { dataKeys }) => sum + dataKeys, 0)).toBe(PEOPLE);
    // Servers that have both keys, whichever is their current one.
    expect(await readable([first, second], keys)).toBe(PEOPLE);
    expect(await readable([second, first], keys)).toBe(PEOPLE);
    await expect(openVault(opened.db, [second])).rejects.toThrow('master key first');

    const rest = await run([second, first], 'rotate');
    expect(rest.said).toContain('Master key first (former): the keys of 0 people');
    expect(rest.said).toContain('can be removed');
    expect(rest.exitCode).toBe(0);
    expect(await readable([second], keys)).toBe(PEOPLE);
    const audited = await opened.db
      .selectFrom('auditEvent')
      .select(['actorRole', 'details'])
      .where('action', '=', 'keys.master_key_rotated')
      .execute();
    expect(audited).toMatchObject([{ actorRole: 'system', details: { to: 'second' } }]);

    expect((await run([second, first], 'rotate')).said).toContain(
      'under master key second already',
    );
  });

  test('says what is under which key, and names a key that is missing', async () => {
    const { said } = await run([first], 'status');
    expect(said).toContain(`second (NOT CONFIGURED, and needed): the keys of ${PEOPLE} people`);
    const refused = await run([makeKey('third'), first], 'rotate');
    expect(refused.said).toContain('master key second, which is not configured');
    expect(refused.exitCode).toBe(1);
  });

  test('says what it knows when given something else', async () => {
    const said = expect.stringContaining('status, rotate, rotate-secret, replace-signing-key');
    expect(await run([second], 'nonsense')).toMatchObject({ exitCode: 1, said });
  });

  test('hands the ledger over to a key that it makes in the data folder', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'purser-keys-'));
    const roots = createRootStore({ ledgerRoots: null, dataDir, onFailure: () => undefined });
    const options = { db: opened.db, formerKeys: [], roots, log: silentLog };
    const signingKey = loadSigningKey({ dataDir });
    const server = createSealer({
      ...options,
      signingKey,
      furtherKeys: () => findNextSigningKeys({ dataDir }),
    });
    await server.run();
    const { exitCode, said } = await run([second], 'replace-signing-key', dataDir);
    expect(said).toContain('Block 2 hands the ledger over, signed by both keys.');
    expect(exitCode).toBe(0);
    // The server that runs has read its key before; it finds the other and goes on.
    expect(await server.run()).toMatchObject({ blocks: 1, auditEvents: 1 });
    expect(server.state().refusal).toBeNull();
    for (const current of [signingKey, loadSigningKey({ dataDir })]) {
      const keys = { current, former: [] };
      expect((await verifyLedger(opened.db, { keys, roots })).problems).toEqual([]);
    }
    expect(publicKeyOf(loadSigningKey({ dataDir }))).not.toEqual(publicKeyOf(signingKey));
    await roots.close();
    rmSync(dataDir, { recursive: true });
  });
});

const publicKeyOf = (key: KeyObject) =>
  createPublicKey(key).export({ type: 'spki', format: 'pem' });
