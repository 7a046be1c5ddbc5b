import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import { openTestDb } from '#test/open-db.ts';
import type { TestDb } from '#test/open-db.ts';
import { SealBrokenError } from './cipher.ts';
import { unlessDestroyed } from './vault.ts';
import { createVault, openVault } from './store.ts';
import { readKeyUse, rotateMasterKey } from './rotate.ts';
import { newId } from '#server/lib/ids.ts';
import type { MasterKey } from './keys.ts';

const first = { id: 'first', key: randomBytes(32) };
const second = { id: 'second', key: randomBytes(32) };
const third = { id: 'third', key: randomBytes(32) };

let opened: TestDb;
let db: Db;
beforeAll(async () => {
  opened = await openTestDb();
  db = opened.db;
});
afterAll(() => opened.close());

async function addPerson(): Promise<string> {
  const { id } = await db
    .insertInto('appUser')
    .values({ email: `${newId()}@purser.test`, name: 'A B', firstName: 'A', lastName: 'B' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A person with a key under the first of these. */
async function addKey(masterKeys: readonly MasterKey[]): Promise<void> {
  const person = await addPerson();
  await withTx(db, (tx) => createVault({ masterKeys }).seal(tx, person, place(), 'secret'));
}

const place = (rowId = newId()) => ({ table: 'bank_account', column: 'number', rowId });

describe('sealing', () => {
  test('returns the sealed text or bytes, and never produces the same bytes twice', async () => {
    const vault = createVault({ masterKeys: [first] });
    const person = await addPerson();
    const at = place();
    const one = await withTx(db, (tx) => vault.seal(tx, person, at, '000123456789'));
    const two = await withTx(db, (tx) => vault.seal(tx, person, at, '000123456789'));
    expect(one.equals(two)).toBe(false);
    expect(one.includes('000123456789')).toBe(false);
    expect((await vault.open(db, person, at, one)).toString()).toBe('000123456789');
    const bytes = randomBytes(5_000);
    const sealed = await withTx(db, (tx) => vault.seal(tx, person, at, bytes));
    expect((await vault.open(db, person, at, sealed)).equals(bytes)).toBe(true);
  });

  test.each([
    ['another row', { rowId: newId() }],
    ['another column', { column: 'holder' }],
    ['another table', { table: 'kyc_application' }],
  ])('refuses a value moved to %s', async (_name, change) => {
    const vault = createVault({ masterKeys: [first] });
    const person = await addPerson();
    const at = place();
    const sealed = await withTx(db, (tx) => vault.seal(tx, person, at, 'secret'));
    await expect(vault.open(db, person, { ...at, ...change }, sealed)).rejects.toThrow(
      SealBrokenError,
    );
  });

  test('refuses a value moved to another person, even with their key copied, too', async () => {
    const vault = createVault({ masterKeys: [first] });
    const [anna, ben] = [await addPerson(), await addPerson()];
    const at = place();
    const sealed = await withTx(db, (tx) => vault.seal(tx, anna, at, 'secret'));
    await withTx(db, (tx) => vault.seal(tx, ben, at, 'theirs'));
    await expect(vault.open(db, ben, at, sealed)).rejects.toThrow(SealBrokenError);
    const { wrappedKey } = await db
      .selectFrom('dataKey')
      .select('wrappedKey')
      .where('userId', '=', anna)
      .executeTakeFirstOrThrow();
    await db.updateTable('dataKey').set({ wrappedKey }).where('userId', '=', ben).execute();
    await expect(vault.open(db, ben, at, sealed)).rejects.toThrow(SealBrokenError);
    await withTx(db, (tx) => vault.destroyKey(tx, ben, new Date()));
  });

  test('refuses a value changed in any byte, cut short, or empty', async () => {
    const vault = createVault({ masterKeys: [first] });
    const person = await addPerson();
    const at = place();
    const sealed = await withTx(db, (tx) => vault.seal(tx, person, at, 'secret'));
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      await expect(vault.open(db, person, at, changed)).rejects.toThrow(SealBrokenError);
    }
    await expect(vault.open(db, person, at, sealed.subarray(0, -1))).rejects.toThrow(
      SealBrokenError,
    );
    await expect(vault.open(db, person, at, Buffer.alloc(0))).rejects.toThrow(SealBrokenError);
  });

  test('two concurrent first values use one key', async () => {
    const vault = createVault({ masterKeys: [first] });
    const person = await addPerson();
    const places = [place(), place(), place(), place()];
    const sealed = await Promise.all(
      places.map((at) => withTx(db, (tx) => vault.seal(tx, person, at, at.rowId))),
    );
    for (const [index, at] of places.entries()) {
      const plain = await createVault({ masterKeys: [first] }).open(
        db,
        person,
        at,
        sealed[index] ?? Buffer.alloc(0),
      );
      expect(plain.toString()).toBe(at.rowId);
    }
  });

  test('seals the values of many, each under their own key, also two concurrently', async () => {
    const vault = createVault({ masterKeys: [first] });
    const [known, ...others] = [await addPerson(), await addPerson(), await addPerson()];
    await withTx(db, (tx) => vault.seal(tx, known, place(), 'earlier'));
    const values = [known, ...others, known].map((userId, index) => ({
      userId,
      place: place(),
      plain: `value ${index}`,
    }));
    const both = await Promise.all([1, 2].map(() => withTx(db, (tx) => vault.sealAll(tx, values))));
    const fresh = createVault({ masterKeys: [first] });
    for (const sealed of both) {
      expect(sealed).toHaveLength(values.length);
      for (const [index, { userId, place: at, plain }] of values.entries()) {
        const found = await fresh.open(db, userId, at, sealed[index] ?? Buffer.alloc(0));
        expect(found.toString()).toBe(plain);
      }
    }
  });

  test('a key created in a transaction that was rolled back is never used again', async () => {
    const vault = createVault({ masterKeys: [first] });
    const person = await addPerson();
    const at = place();
    const undone = withTx(db, async (tx) => {
      const sealed = await vault.seal(tx, person, at, 'lost');
      await vault.open(tx, person, at, sealed);
      throw new Error('rolled back');
    });
    await expect(undone).rejects.toThrow('rolled back');
    const sealed = await withTx(db, (tx) => vault.seal(tx, person, at, 'kept'));
    expect((await vault.open(db, person, at, sealed)).toString()).toBe('kept');
    const fresh = createVault({ masterKeys: [first] });
    expect((await fresh.open(db, person, at, sealed)).toString()).toBe('kept');
  });

  test('destroying a key makes everything sealed under it unreadable for good, also from the cache', async () => {
    const vault = createVault({ masterKeys: [first] });
    const person = await addPerson();
    const at = place();
    const sealed = await withTx(db, (tx) => vault.seal(tx, person, at, 'secret'));
    await vault.open(db, person, at, sealed);
    await withTx(db, (tx) => vault.destroyKey(tx, person, new Date()));
    const destroyed = { code: 'data_destroyed' };
    await expect(vault.open(db, person, at, sealed)).rejects.toMatchObject(destroyed);
    expect(await unlessDestroyed(vault.open(db, person, at, sealed))).toBeNull();
    const sealing = withTx(db, (tx) => vault.seal(tx, person, at, 'new'));
    await expect(sealing).rejects.toMatchObject(destroyed);
    await expect(sql`DELETE FROM data_key`.execute(db)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('lookup hashes', () => {
  test('are equal for equal values, and differ by value, purpose and master key', () => {
    const vault = createVault({ masterKeys: [first] });
    const hash = vault.lookupHash('bank-account', '123');
    expect(vault.lookupHash('bank-account', '123')).toEqual(hash);
    expect(hash.keyId).toBe('first');
    expect(hash.hash).toHaveLength(32);
    expect(vault.lookupHash('bank-account', '124').hash).not.toEqual(hash.hash);
    expect(vault.lookupHash('id-number', '123').hash).not.toEqual(hash.hash);
    const rotated = createVault({ masterKeys: [second, first] });
    expect(rotated.lookupHash('bank-account', '123').hash).not.toEqual(hash.hash);
    expect(rotated.lookupHashes('bank-account', '123')).toEqual([
      rotated.lookupHash('bank-account', '123'),
      hash,
    ]);
  });
});

describe('master keys', () => {
  test('rotation keeps every value readable and no longer needs the old key', async () => {
    const person = await addPerson();
    const at = place();
    const sealed = await withTx(db, (tx) =>
      createVault({ masterKeys: [first] }).seal(tx, person, at, 'secret'),
    );
    const both = createVault({ masterKeys: [second, first] });
    expect((await both.open(db, person, at, sealed)).toString()).toBe('secret');
    await expect(openVault(db, [second])).rejects.toThrow('master key first');

    expect(await rotateMasterKey(db, [second, first])).toBeGreaterThan(0);
    expect(await rotateMasterKey(db, [second, first])).toBe(0);
    const alone = await openVault(db, [second]);
    expect((await alone.open(db, person, at, sealed)).toString()).toBe('secret');
    await expect(openVault(db, [first])).rejects.toThrow('master key second');
  });

  test('a hash under a removed key is still found, also after the next rotation', async () => {
    await addKey([first]);
    const hashed = createVault({ masterKeys: [first] }).lookupHash('bank-account', '123');
    await rotateMasterKey(db, [second, first]);
    const afterOne = await openVault(db, [second]);
    expect(afterOne.lookupHashes('bank-account', '123')).toEqual([
      createVault({ masterKeys: [second] }).lookupHash('bank-account', '123'),
      hashed,
    ]);
    await rotateMasterKey(db, [third, second]);
    const afterTwo = await openVault(db, [third]);
    expect(afterTwo.lookupHashes('bank-account', '123').map(({ keyId }) => keyId)).toEqual(
      expect.arrayContaining(['third', 'second', 'first']),
    );
    expect(afterTwo.lookupHashes('bank-account', '123')).toContainEqual(hashed);
    expect(await readKeyUse(db)).toEqual([
      { masterKeyId: 'third', dataKeys: expect.any(Number), lookupSecrets: 2 },
    ]);

    // Rotates back to a former key, which is then the only one needed.
    await rotateMasterKey(db, [first, third]);
    const back = await openVault(db, [first]);
    expect(back.lookupHash('bank-account', '123')).toEqual(hashed);
    await rotateMasterKey(db, [second, first]);
  });

  test('a different key with a known id is refused, and changes nothing', async () => {
    await addKey([second]);
    const before = await readKeyUse(db);
    const wrong = { id: 'second', key: randomBytes(32) };
    await expect(openVault(db, [wrong])).rejects.toThrow('Master key second is not the one');
    await expect(rotateMasterKey(db, [third, wrong])).rejects.toThrow('second is not the one');
    expect(await readKeyUse(db)).toEqual(before);
  });

  test('refuses no key, a short one, and two with one id', () => {
    expect(() => createVault({ masterKeys: [] })).toThrow('No master key');
    expect(() => createVault({ masterKeys: [{ id: 'a', key: randomBytes(16) }] })).toThrow(
      '16 bytes',
    );
    expect(() => createVault({ masterKeys: [first, { ...second, id: 'first' }] })).toThrow(
      'same id',
    );
  });
});
