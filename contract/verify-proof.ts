import type { TransactionPage } from './api.ts';

type Proof = NonNullable<TransactionPage['proof']>;
type Entry = TransactionPage['entries'][number];

/** What a proof is of: a posted transaction. */
export interface Proven {
  id: string;
  entries: readonly Pick<Entry, 'accountId' | 'number' | 'amount' | 'balanceAfter'>[];
  proof: Proof;
}

/** What is computed, in its order; each builds on the one before. */
export const PROOF_CHECKS = ['leaf', 'merkleRoot', 'blockRoot', 'signature'] as const;
export type ProofCheck = (typeof PROOF_CHECKS)[number];

/**
 * Computes leaf, Merkle root and block root again from the entries, and verifies who signed, by the
 * formats of docs/ledger.md. Nothing is taken from the server but what is compared.
 *
 * @returns what came out of each check; `unknown` where this browser does not know Ed25519
 */
export async function verifyProof(
  proven: Proven,
): Promise<Record<ProofCheck, 'right' | 'wrong' | 'unknown'>> {
  const { proof } = proven;
  const { block, leaf, path } = proof;
  let node = bytesOf(leaf);
  for (const { side, hash } of path) {
    const neighbour = bytesOf(hash);
    const pair = side === 'left' ? [neighbour, node] : [node, neighbour];
    node = await sha256(NODE_MARK, ...pair);
  }
  return {
    leaf: rightIf(hexOf(await computeLeaf(proven)) === leaf),
    merkleRoot: rightIf(hexOf(node) === block.transactions.root),
    blockRoot: rightIf(hexOf(await computeBlockRoot(block)) === block.root),
    signature: await checkSignature(block),
  };
}

/** RFC 6962: no node can be taken for a leaf. */
const LEAF_MARK = new Uint8Array([0]);
const NODE_MARK = new Uint8Array([1]);

function rightIf(isRight: boolean): 'right' | 'wrong' {
  return isRight ? 'right' : 'wrong';
}

async function computeLeaf({ id, entries, proof }: Proven): Promise<Uint8Array> {
  const { kind, reference, actorId, subjectId, reversesId, effectiveAt, recordedAt } = proof.sealed;
  const inOrder = entries.toSorted(
    (a, b) => compare(a.accountId, b.accountId) || Number(BigInt(a.number) - BigInt(b.number)),
  );
  const content = jsonText([
    ...['purser-transaction-1', id, kind, reference, actorId, subjectId, reversesId],
    ...[effectiveAt, recordedAt],
    inOrder.map(({ accountId, number, amount, balanceAfter }) => [
      ...[accountId, number, amount.minor, balanceAfter.minor],
    ]),
  ]);
  return sha256(LEAF_MARK, bytesOf(proof.salt), new TextEncoder().encode(content));
}

type Json = string | null | readonly Json[];

/** As PostgreSQL writes it: a space after each comma. */
function jsonText(value: Json): string {
  if (value === null || typeof value === 'string') return JSON.stringify(value);
  return `[${value.map(jsonText).join(', ')}]`;
}

async function computeBlockRoot(block: Proof['block']): Promise<Uint8Array> {
  const { version, height, previous, transactions, accounts, auditEvents, sealedAt } = block;
  const kinds = version === 1 ? [transactions] : [transactions, accounts, auditEvents];
  const lines = [
    ...[`purser-block-${version}`, height, previous],
    ...kinds.flatMap(({ root, count }) => [root, count.toString()]),
    sealedAt,
  ];
  return sha256(new TextEncoder().encode(lines.join('\n')));
}

async function checkSignature({
  root,
  publicKey,
  signature,
}: Proof['block']): Promise<'right' | 'wrong' | 'unknown'> {
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey('raw', bytesOf(publicKey), 'Ed25519', false, ['verify']);
  } catch {
    return 'unknown';
  }
  return rightIf(await crypto.subtle.verify('Ed25519', key, bytesOf(signature), bytesOf(root)));
}

async function sha256(...parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (const index of bytes.keys()) {
    bytes[index] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Ids as PostgreSQL orders them. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
