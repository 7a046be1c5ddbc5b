import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createDb } from '#server/db/pool.ts';
import { withTx } from '#server/db/tx.ts';
import { wordsIn, readDocsTable } from '#test/docs-table.ts';
import { createMemoryRoots, createTestSealer } from '#test/ledger-sealer.ts';
import {
  appendUnsigned,
  cutOff,
  LEDGER_KEY,
  makeOriginal,
  raisePayment,
  UNSEAL_ALL,
} from '#test/ledger-tampering.ts';
import { DATABASE_CASES, ROW_CASES } from '#test/ledger-tampering-cases.ts';
import type { TamperingCase } from '#test/ledger-tampering-cases.ts';
import type { Original, Victim } from '#test/ledger-tampering.ts';
import { verifyLedger } from './index.ts';
import { publicKeyBytes, signRoot } from './sealing/block.ts';
import { readNewestBlock } from './sealing/chain.ts';
import { appendHandover as handOverTo } from './sealing/hand-over.ts';

const keys = { current: LEDGER_KEY, former: [] };
const { privateKey: STRANGER } = generateKeyPairSync('ed25519');
const { privateKey: STRANGER_TOO } = generateKeyPairSync('ed25519');

let original: Original;
let victim: Victim | undefined;
beforeAll(async () => {
  original = await makeOriginal();
});
afterEach(async () => {
  await victim?.close();
  victim = undefined;
});
afterAll(() => original.drop());
const CASES: readonly TamperingCase[] = [
  ...ROW_CASES,
  // Blocks and their chain.
  {
    what: 'Header of a block',
    tamper: (v) =>
      v.tamper("UPDATE ledger_block SET sealed_at = sealed_at - interval '1 s' WHERE height = 1"),
    checks: ['block-root'],
  },
  {
    what: 'Leaf of a seal',
    tamper: (v) => v.tamper("UPDATE ledger_seal SET leaf = sha256('x') WHERE height = 2"),
    checks: ['block-content', 'sealed-transaction'],
  },
  {
    what: 'Signature of a block',
    tamper: (v) =>
      v.tamper(`UPDATE ledger_block SET signature = set_byte(signature, 0, get_byte(signature, 0) # 1)
                 WHERE height = 2`),
    checks: ['block-signature'],
  },
  {
    what: 'A block is appended by the functions of the database, without the key',
    tamper: appendUnsigned,
    checks: ['block-signature', 'sealed-transaction'],
  },
  {
    what: 'A handover to a key of their own is appended, without the key',
    tamper: async (v) => {
      await appendHandover(v, { signedBy: STRANGER, to: STRANGER_TOO });
      expect((await v.seal()).state().refusal).toMatchObject({ code: 'unknown_key' });
    },
    checks: ['block-signature'],
  },
  {
    what: 'A handover is appended that the new key alone has signed',
    tamper: async (v) => {
      await appendHandover(v, { signedBy: LEDGER_KEY, to: STRANGER });
      await v.tamper('UPDATE ledger_block SET signature = successor_signature WHERE version = 3');
      expect((await v.seal()).state().refusal).toMatchObject({ code: 'head_not_signed' });
    },
    checks: ['block-handover', 'block-signature'],
  },
  {
    what: 'A handover is appended that the old key alone has signed',
    tamper: async (v) => {
      await appendHandover(v, { signedBy: LEDGER_KEY, to: STRANGER });
      await v.tamper('UPDATE ledger_block SET successor_signature = signature WHERE version = 3');
      expect((await v.seal()).state().refusal).toMatchObject({ code: 'head_not_signed' });
    },
    checks: ['block-handover'],
  },
  {
    what: 'A handover names another key',
    tamper: async (v) => {
      const sealer = createTestSealer(v.db, LEDGER_KEY, { roots: v.roots });
      await sealer.handOver(STRANGER);
      await v.tamper("UPDATE ledger_block SET successor_key = sha256('x') WHERE version = 3");
    },
    checks: ['block-handover', 'block-root'],
  },
  {
    what: 'A key that was replaced signs the next block',
    tamper: async (v) => {
      const sealer = createTestSealer(v.db, LEDGER_KEY, { roots: v.roots });
      await sealer.handOver(STRANGER);
      const further = () => [STRANGER];
      await createTestSealer(v.db, LEDGER_KEY, { roots: v.roots, furtherKeys: further }).run();
      await signNewestAgain(v, LEDGER_KEY);
      expect((await v.seal()).state().refusal).toMatchObject({ code: 'unknown_key' });
    },
    checks: ['block-signature'],
  },
  {
    what: 'A handover is removed, with what came after it',
    tamper: async (v) => {
      const sealer = createTestSealer(v.db, LEDGER_KEY, { roots: v.roots });
      await sealer.handOver(STRANGER);
      await v.tamper('DELETE FROM ledger_block WHERE version = 3');
    },
    checks: ['exported-root'],
  },
  {
    what: 'A block is taken out of the chain',
    tamper: (v) =>
      v.tamper(
        'DELETE FROM audit_seal WHERE height = 4',
        'INSERT INTO audit_unsealed (audit_event_id) VALUES (5)',
        'DELETE FROM ledger_block WHERE height = 4',
      ),
    checks: ['exported-root'],
  },
  {
    what: 'The newest blocks are removed, with everything in them',
    tamper: (v) => v.tamper(...cutOff(v)),
    checks: ['exported-root'],
  },
  {
    what: 'All seals are removed, for the server to seal a rewritten history again',
    tamper: async (v) => {
      await v.tamper(...raisePayment(v, v.paid, 1_000), ...UNSEAL_ALL);
      const sealer = await v.seal();
      expect(sealer.state().refusal).toMatchObject({ code: 'chain_behind_root' });
    },
    checks: ['exported-root'],
  },
  {
    what: 'History is rewritten and signed with the key',
    tamper: (v) => rewriteWithKey(v),
    checks: ['exported-root'],
  },
  {
    what: 'The same, and the exported roots are replaced',
    tamper: async (v) => {
      const forged = await rewriteWithKey(v);
      v.roots.kept.splice(0, Infinity, ...forged.kept);
    },
    checks: [],
  },
  {
    what: 'History is rewritten and signed with another key',
    tamper: async (v) => {
      await v.tamper(...UNSEAL_ALL);
      const roots = createMemoryRoots();
      await createTestSealer(v.db, generateKeyPairSync('ed25519').privateKey, { roots }).run();
    },
    checks: ['block-signature', 'exported-root'],
  },
  {
    what: 'Exported roots are changed',
    tamper: async ({ roots }) => {
      for (const [index, root] of roots.kept.entries()) {
        roots.kept[index] = { ...root, root: 'ab'.repeat(32) };
      }
    },
    checks: ['exported-root'],
  },
  {
    what: 'Exported roots are removed',
    tamper: async ({ roots }) => void roots.kept.splice(1),
    checks: [],
  },
  {
    what: 'Sealing is kept from happening',
    tamper: (v) => v.tamper("UPDATE ledger_unsealed SET queued_at = now() - interval '61 s'"),
    checks: ['sealing-age'],
  },
  ...DATABASE_CASES,
];

/** Hands the chain over without checking any root, as an attacker's own program would. */
async function appendHandover(
  v: Victim,
  { signedBy, to }: { signedBy: KeyObject; to: KeyObject },
): Promise<void> {
  const head = await readNewestBlock(v.db);
  if (head === undefined) throw new Error('nothing is sealed');
  await withTx(v.db, (tx) => handOverTo(tx, { head, signingKey: signedBy, successor: to }));
}

/** Replaces the signature of the newest block by that key's. */
async function signNewestAgain(v: Victim, key: KeyObject): Promise<void> {
  const head = await readNewestBlock(v.db);
  if (head === undefined) throw new Error('nothing is sealed');
  const [publicKey, signature] = [publicKeyBytes(key), signRoot(head.root, key)];
  await v.tamper(
    `UPDATE ledger_block SET public_key = decode('${publicKey.toString('hex')}', 'hex'),
            signature = decode('${signature.toString('hex')}', 'hex')
      WHERE height = ${head.height}`,
  );
}

/** Rewrites and seals as the server would, but exports nowhere. Returns what it would export. */
async function rewriteWithKey(v: Victim) {
  await v.tamper(...raisePayment(v, v.paid, 1_000), ...UNSEAL_ALL);
  const roots = createMemoryRoots();
  await createTestSealer(v.db, LEDGER_KEY, { roots }).run();
  return roots;
}

/** Verifies as `npm run verify` does, and with its rights. */
async function checksThatNotice({ owner, roots }: Victim): Promise<string[]> {
  const { problems } = await verifyLedger(createDb(owner), { keys, roots, waitsAtMostMs: 60_000 });
  return [...new Set(problems.map(({ check }) => check))].toSorted();
}

test('detects nothing in an untouched ledger', async () => {
  victim = await original.copy();
  expect(await checksThatNotice(victim)).toEqual([]);
});

test.each(CASES)('$what', async ({ tamper, checks }) => {
  victim = await original.copy();
  await tamper(victim);
  expect(await checksThatNotice(victim)).toEqual(checks);
});

test('docs/ledger.md has every case, with the checks that detect it', () => {
  const rows = readDocsTable('## Tampering').map(([what, , noticed]) => ({
    what,
    checks: wordsIn(noticed),
  }));
  expect(rows).toEqual(CASES.map(({ what, checks }) => ({ what, checks: [...checks] })));
});
