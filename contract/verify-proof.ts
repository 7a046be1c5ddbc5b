import type { ProvenEntry, SealProof, SealedBlock } from './api.ts';

/** Subject of a proof: a posted transaction. */
export interface Proven {
  id: string;
  entries: readonly ProvenEntry[];
  proof: SealProof;
}

/** Result of a check. `unknown` if this device cannot check it. */
export type CheckResult = 'right' | 'wrong' | 'unknown';

/** Checks in order. Each builds on the one before. */
export const PROOF_CHECKS = ['leaf', 'merkleRoot', 'blockRoot', 'signature'] as const;
export type ProofCheck = (typeof PROOF_CHECKS)[number];

/**
 * Computes leaf, Merkle root and block root again from the entries, and verifies who signed, by the
 * formats of docs/ledger.md. Nothing is taken from the server but what is compared.
 *
 * @returns what came out of each check; `unknown` for a signature where this browser does not know
 *   Ed25519, and for a leaf of format 1 of which one side is not shown
 */
export async function verifyProof(proven: Proven): Promise<Record<ProofCheck, CheckResult>> {
  const { proof } = proven;
  const { block, leaf, path } = proof;
  let node = bytesOf(leaf);
  for (const { side, hash } of path) {
    const neighbour = bytesOf(hash);
    const pair = side === 'left' ? [neighbour, node] : [node, neighbour];
    node = await sha256(NODE_MARK, ...pair);
  }
  return {
    leaf: await checkLeaf(proven),
    merkleRoot: rightIf(hexOf(node) === block.transactions.root),
    blockRoot: rightIf((await computeBlockRoot(block)) === block.root),
    signature: await checkSignature(block),
  };
}

/** RFC 6962: no node can be taken for a leaf. */
const LEAF_MARK = new Uint8Array([0]);
const NODE_MARK = new Uint8Array([1]);

/** A block that seals nothing and names the key that signs all blocks after it. */
const HANDOVER = 3;

function rightIf(isRight: boolean): CheckResult {
  return isRight ? 'right' : 'wrong';
}

async function checkLeaf(proven: Proven): Promise<CheckResult> {
  const content = proven.proof.format === 1 ? formerContent(proven) : await currentContent(proven);
  if (content === undefined) return 'unknown';
  const { salt, leaf } = proven.proof;
  return rightIf(hexOf(await sha256(LEAF_MARK, bytesOf(salt), utf8(jsonText(content)))) === leaf);
}

function inOrder(entries: Proven['entries']): ProvenEntry[] {
  return entries.toSorted(
    (a, b) =>
      compare(a.accountId, b.accountId) || Number(BigInt(a.number ?? 0) - BigInt(b.number ?? 0)),
  );
}

function fieldsOf({ id, proof }: Proven): Json[] {
  const { kind, reference, actorId, subjectId, reversesId, effectiveAt, recordedAt } = proof.sealed;
  return [id, kind, reference, actorId, subjectId, reversesId, effectiveAt, recordedAt];
}

/** Has number and balance of every entry; undefined where one of them is not shown. */
function formerContent(proven: Proven): Json | undefined {
  const entries: Json[] = [];
  for (const { accountId, number, amount, balanceAfter } of inOrder(proven.entries)) {
    if (number === null || balanceAfter === null) return undefined;
    entries.push([accountId, number, amount.minor, balanceAfter.minor]);
  }
  return ['purser-transaction-1', ...fieldsOf(proven), entries];
}

/** Number and balance of an entry stand in it as their hash, computed where they are shown. */
async function currentContent(proven: Proven): Promise<Json> {
  const entries: Json[] = [];
  for (const entry of inOrder(proven.entries)) {
    entries.push([entry.accountId, entry.amount.minor, await commitmentOf(entry)]);
  }
  return ['purser-transaction-2', ...fieldsOf(proven), entries];
}

async function commitmentOf(entry: ProvenEntry): Promise<string> {
  const { number, balanceAfter, salt, commitment } = entry;
  if (number === null || balanceAfter === null || salt === null) return commitment ?? '';
  const content = jsonText(['purser-entry-2', number, balanceAfter.minor]);
  return hexOf(await sha256(bytesOf(salt), utf8(content)));
}

type Json = string | null | readonly Json[];

/** As PostgreSQL writes it: a space after each comma. */
function jsonText(value: Json): string {
  if (value === null || typeof value === 'string') return JSON.stringify(value);
  return `[${value.map(jsonText).join(', ')}]`;
}

/** The root of a block from what it says; through `previous` it covers all blocks before. */
export async function computeBlockRoot(block: SealedBlock): Promise<string> {
  const { version, height, previous, transactions, accounts, auditEvents, sealedAt } = block;
  const kinds = version === 1 ? [transactions] : [transactions, accounts, auditEvents];
  const content =
    version === HANDOVER
      ? [block.successorKey ?? '']
      : kinds.flatMap(({ root, count }) => [root, count.toString()]);
  const lines = [`purser-block-${version}`, height, previous, ...content, sealedAt];
  return hexOf(await sha256(utf8(lines.join('\n'))));
}

/** Checks that the holder of the block's key signed its root. `unknown` without Ed25519. */
export async function checkSignature({
  root,
  publicKey,
  signature,
}: SealedBlock): Promise<CheckResult> {
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

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
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
