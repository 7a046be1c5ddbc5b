import { sql } from 'kysely';
import type { AcceptedRestore, ListedRecord, Unreadable } from '#server/lib/root-store.ts';
import { isAcceptedRestore } from '#server/lib/root-store.ts';
import { isGivenUp, isValidRestore } from '../sealing/accepted-restore.ts';
import { isSignedBy } from '../sealing/block.ts';
import type { Signers } from '../sealing/trusted-keys.ts';
import type { Finding } from './check.ts';
import type { Report } from './problems.ts';
import type { Ask } from './snapshot.ts';

/** Number of roots compared at a time. */
const BATCH = 1_000;

const CHECK = 'exported-root';

type Records = AsyncIterable<ListedRecord | Unreadable>;
type ListedRoot = Exclude<ListedRecord, AcceptedRestore>;

export interface ComparedRoots {
  /** Number of roots compared with the chain. */
  count: bigint;
  /** Decisions to continue from a restored backup. They explain roots that are missing. */
  restores: AcceptedRestore[];
  /**
   * Roots above the end of the chain that no decision explains: their number, and the newest of
   * them.
   */
  lost: { count: bigint; newestHeight: bigint; newestSealedAt: Date };
  /** Number of roots that the chain contradicts, and of records that cannot be read or trusted. */
  contradictions: bigint;
  /**
   * Number of records whose writing failed. No root was exported by them, and the next one covers what they began to say. Who
   * may change the place of the roots gains nothing by such a line: a missing line is not noticed either.
   */
  cutShort: bigint;
}

export function noRoots(): ComparedRoots {
  const lost = { count: 0n, newestHeight: 0n, newestSealedAt: new Date(0) };
  return { count: 0n, restores: [], lost, contradictions: 0n, cutShort: 0n };
}

/**
 * Checks that every exported root is in the chain, at its height and with the stated signature, and
 * reports the others. A root is exported after its block is committed, so the chain is read after
 * the roots.
 *
 * @param readRecords reads them from the beginning: once for decisions, once for roots
 */
export async function compareRoots(
  ask: Ask,
  readRecords: () => Records,
  signers: Signers | undefined,
  report: Report,
): Promise<ComparedRoots> {
  const compared = noRoots();
  const contradict = (finding: Finding) => {
    compared.contradictions += 1n;
    report(CHECK, finding);
  };
  compared.restores = await readRestores(readRecords(), signers, { compared, contradict });
  for await (const batch of inBatches(readRecords())) {
    compared.count += BigInt(batch.length);
    for (const { root, what, isBeyondEnd } of await findMissed(ask, batch, signers)) {
      const finding = { id: root.root, what };
      if (compared.restores.some((restore) => isGivenUp(root, restore))) continue;
      if (isBeyondEnd) noteLost(compared, root);
      if (isBeyondEnd) report(CHECK, finding);
      else contradict(finding);
    }
  }
  return compared;
}

/** Signed decisions. Reports unsigned ones, and lines that are no record; counts those that were cut short. */
async function readRestores(
  records: Records,
  signers: Signers | undefined,
  { compared, contradict }: { compared: ComparedRoots; contradict: (finding: Finding) => void },
): Promise<AcceptedRestore[]> {
  const restores: AcceptedRestore[] = [];
  for await (const record of records) {
    if ('unreadable' in record) {
      if (record.isCutShort === true) compared.cutShort += 1n;
      else contradict({ id: record.unreadable, what: 'cannot be read, or was changed' });
    } else if (isAcceptedRestore(record)) {
      if (signers === undefined || isValidRestore(record, signers)) restores.push(record);
      else contradict({ id: record.root, what: 'accepts a restored backup; not signed by us' });
    }
  }
  return restores;
}

async function* inBatches(records: Records): AsyncGenerator<ListedRoot[]> {
  let batch: ListedRoot[] = [];
  for await (const record of records) {
    if ('unreadable' in record || isAcceptedRestore(record)) continue;
    batch.push(record);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function noteLost({ lost }: ComparedRoots, { height, sealedAt }: ListedRoot): void {
  lost.count += 1n;
  if (height > lost.newestHeight) lost.newestHeight = height;
  if (sealedAt > lost.newestSealedAt) lost.newestSealedAt = sealedAt;
}

/** A root that is not in the chain. */
interface Missed {
  root: ListedRoot;
  what: string;
  isBeyondEnd: boolean;
}

interface KeptBlock {
  height: bigint;
  root: string;
  publicKey: string;
  signature: string;
}

async function findMissed(
  ask: Ask,
  roots: readonly ListedRoot[],
  signers: Signers | undefined,
): Promise<Missed[]> {
  const heights = roots.map(({ height }) => height);
  const { blocks, end } = await ask(async (tx) => {
    const { rows } = await sql<KeptBlock>`
      SELECT height, encode(root, 'hex') AS root, encode(public_key, 'hex') AS public_key,
             encode(signature, 'hex') AS signature
        FROM ledger_block WHERE height = ANY (${heights}::bigint[])`.execute(tx);
    const last = await sql<{ end: bigint }>`
      SELECT coalesce(max(height), 0) AS end FROM ledger_block`.execute(tx);
    return { blocks: rows, end: last.rows[0]?.end ?? 0n };
  });
  const byHeight = new Map(blocks.map((block) => [block.height, block]));
  return roots.flatMap((root) => {
    const what = faultOf(root, byHeight.get(root.height), signers);
    return what === undefined ? [] : [{ root, what, isBeyondEnd: root.height > end }];
  });
}

function faultOf(
  root: ListedRoot,
  block: KeptBlock | undefined,
  signers: Signers | undefined,
): string | undefined {
  if (block === undefined) {
    return `was exported as block ${root.height}, which is not in the chain: it was removed, or an older backup was restored`;
  }
  if (block.root !== root.root) {
    return `was exported as block ${root.height}, which has another root now: history was rewritten`;
  }
  return isSignatureRight(root, block, signers) ? undefined : `is not signed as its line says`;
}

/** A signature equal to the block's is checked with the block. */
function isSignatureRight(
  root: ListedRoot,
  block: KeptBlock,
  signers: Signers | undefined,
): boolean {
  if (!('signature' in root)) return true;
  if (root.publicKey === block.publicKey && root.signature === block.signature) return true;
  const [bytes, signature, publicKey] = [root.root, root.signature, root.publicKey].map((text) =>
    Buffer.from(text, 'hex'),
  ) as [Buffer, Buffer, Buffer];
  const mayBe = signers?.mayHaveSigned(publicKey, root.height) !== false;
  return mayBe && isSignedBy(bytes, signature, publicKey);
}

/** Checks that a block has this root, as hex; reports it when none has. */
export async function compareRoot(ask: Ask, root: string, report: Report): Promise<boolean> {
  const { rows } = await ask((tx) =>
    sql`SELECT FROM ledger_block WHERE encode(root, 'hex') = lower(${root})`.execute(tx),
  );
  const what =
    'no block has this root: what was sealed under it has been replaced or removed, or is of another database';
  if (rows.length === 0) report(CHECK, { id: root, what });
  return rows.length > 0;
}
