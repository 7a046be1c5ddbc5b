import type { AccountSeal, ProvenEntry, SealProof, SealedBlock } from './api.ts';

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
export async function verifyProof({
  id,
  entries,
  proof,
}: Proven): Promise<Record<ProofCheck, CheckResult>> {
  const proven = { id, entries, proof };
  const content =
    proof.format === 1
      ? formerContent(proven)
      : proof.format === 2
        ? await currentContent(proven)
        : 'wrong';
  return checkSeal(proof, { content, kind: 'transactions' });
}

/** The same of an account's opening: whose it is, its kind, currency and limit. */
export async function verifyAccount(seal: AccountSeal): Promise<Record<ProofCheck, CheckResult>> {
  const { code, kind, ownerId, currency, minAvailable, createdAt } = seal.sealed;
  const fields = [seal.id, code, kind, ownerId, currency, minAvailable, createdAt];
  return checkSeal(seal, { content: ['purser-account-1', ...fields], kind: 'accounts' });
}

/** RFC 6962: no node can be taken for a leaf. */
const LEAF_MARK = new Uint8Array([0]);
const NODE_MARK = new Uint8Array([1]);

/** A block that seals nothing and names the key that signs all blocks after it. */
const HANDOVER = 3;

function rightIf(isRight: boolean): CheckResult {
  return isRight ? 'right' : 'wrong';
}

interface Expected {
  /** `unknown` where a part is not shown, `wrong` where the parts contradict each other. */
  content: readonly Json[] | 'unknown' | 'wrong';
  kind: 'transactions' | 'accounts';
}

async function checkSeal(
  seal: Pick<SealProof, 'salt' | 'leaf' | 'path' | 'position' | 'block'>,
  { content, kind }: Expected,
): Promise<Record<ProofCheck, CheckResult>> {
  const { salt, leaf, block } = seal;
  return {
    leaf:
      content === 'unknown' || content === 'wrong'
        ? content
        : rightIf(hexOf(await sha256(LEAF_MARK, bytesOf(salt), utf8(jsonText(content)))) === leaf),
    merkleRoot: rightIf((await rootOfPath(seal, block[kind].count)) === block[kind].root),
    blockRoot: rightIf((await computeBlockRoot(block)) === block.root),
    signature: await checkSignature(block),
  };
}

/**
 * Merkle root by an audit path (RFC 9162, 2.1.3.2).
 *
 * @returns undefined if a tree of so many leaves has no such path to the position
 */
async function rootOfPath(
  { leaf, path, position }: Pick<SealProof, 'leaf' | 'path' | 'position'>,
  count: number,
): Promise<string | undefined> {
  if (!Number.isInteger(position) || position < 1 || position > count) return undefined;
  let [index, last] = [position - 1, count - 1];
  let node = bytesOf(leaf);
  for (const { side, hash } of path) {
    if (last === 0) return undefined;
    const isRight = index % 2 === 1 || index === last;
    if (side !== (isRight ? 'left' : 'right')) return undefined;
    const neighbour = bytesOf(hash);
    node = await sha256(NODE_MARK, ...(isRight ? [neighbour, node] : [node, neighbour]));
    // A last leaf without a neighbour moves up until it has one.
    if (isRight) while (index % 2 === 0 && index > 0) [index, last] = [half(index), half(last)];
    [index, last] = [half(index), half(last)];
  }
  return last === 0 ? hexOf(node) : undefined;
}

function half(number: number): number {
  return Math.floor(number / 2);
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

/** Has number and balance of every entry, which is known only where both sides are shown. */
function formerContent(proven: Proven): Expected['content'] {
  const entries: Json[] = [];
  for (const { accountId, number, amount, balanceAfter, salt, commitment } of inOrder(
    proven.entries,
  )) {
    if (salt !== null || commitment !== null) return 'wrong';
    if (number === null || balanceAfter === null) return 'unknown';
    entries.push([accountId, number, amount.minor, balanceAfter.minor]);
  }
  return ['purser-transaction-1', ...fieldsOf(proven), entries];
}

/** Number and balance of an entry stand in it as their hash, computed where they are shown. */
async function currentContent(proven: Proven): Promise<Expected['content']> {
  const entries: Json[] = [];
  for (const entry of inOrder(proven.entries)) {
    const { accountId, amount, number, balanceAfter, salt, commitment } = entry;
    // A number or a balance that is shown needs the salt: only then is it the sealed one.
    const isShown = number !== null && balanceAfter !== null && salt !== null;
    const isHidden = number === null && balanceAfter === null && salt === null;
    if (commitment === null || !(isShown || isHidden)) return 'wrong';
    if (isShown && (await commitmentOf({ number, balanceAfter, salt })) !== commitment) {
      return 'wrong';
    }
    entries.push([accountId, amount.minor, commitment]);
  }
  return ['purser-transaction-2', ...fieldsOf(proven), entries];
}

interface Committed {
  number: string;
  balanceAfter: ProvenEntry['amount'];
  salt: string;
}

async function commitmentOf({ number, balanceAfter, salt }: Committed): Promise<string> {
  const content = jsonText(['purser-entry-2', number, balanceAfter.minor]);
  return hexOf(await sha256(bytesOf(salt), utf8(content)));
}

type Json = string | null | readonly Json[];

/** As PostgreSQL writes it: a space after each comma. */
function jsonText(value: Json): string {
  if (value === null || typeof value === 'string') return JSON.stringify(value);
  return `[${value.map(jsonText).join(', ')}]`;
}

/** Merkle root of a kind of which a block seals no rows: the SHA-256 of nothing. */
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * The root of a block from what it says; through `previous` it covers all blocks before. Undefined for a
 * block that says what its version does not seal.
 */
export async function computeBlockRoot(block: SealedBlock): Promise<string | undefined> {
  const { version, height, previous, transactions, accounts, auditEvents, sealedAt } = block;
  const isHandover = version === HANDOVER;
  const sealed = isHandover
    ? []
    : version === 1
      ? [transactions]
      : [transactions, accounts, auditEvents];
  const others = [transactions, accounts, auditEvents].slice(sealed.length);
  const isExact =
    [1, 2, HANDOVER].includes(version) &&
    others.every(({ root, count }) => root === NOTHING && count === 0) &&
    (block.successorKey !== null) === isHandover &&
    (block.successorSignature !== null) === isHandover;
  if (!isExact) return undefined;
  const content = isHandover
    ? [block.successorKey ?? '']
    : sealed.flatMap(({ root, count }) => [root, count.toString()]);
  const lines = [`purser-block-${version}`, height, previous, ...content, sealedAt];
  return hexOf(await sha256(utf8(lines.join('\n'))));
}

/**
 * Checks that the holder of the block's key signed its root, and for a handover the successor as well.
 * `unknown` without Ed25519.
 */
export async function checkSignature(block: SealedBlock): Promise<CheckResult> {
  const { root, publicKey, signature, successorKey, successorSignature } = block;
  const own = await isSigned(root, publicKey, signature);
  if (own !== 'right' || successorKey === null) return own;
  return isSigned(root, successorKey, successorSignature ?? '');
}

async function isSigned(root: string, publicKey: string, signature: string): Promise<CheckResult> {
  const bytes = [root, publicKey, signature].map(bytesOf) as [Bytes, Bytes, Bytes];
  if (bytes[0].length !== 32 || bytes[1].length !== 32 || bytes[2].length !== 64) return 'wrong';
  let key: CryptoKey;
  try {
    key = await crypto.subtle.importKey('raw', bytes[1], 'Ed25519', false, ['verify']);
  } catch {
    return 'unknown';
  }
  return rightIf(await crypto.subtle.verify('Ed25519', key, bytes[2], bytes[0]));
}

type Bytes = Uint8Array<ArrayBuffer>;

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

/** Bytes of lower-case hex; none of anything else, which then fits no hash. */
function bytesOf(hex: string): Bytes {
  const isHex = /^(?:[\da-f]{2})*$/.test(hex);
  const bytes = new Uint8Array(isHex ? hex.length / 2 : 0);
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
