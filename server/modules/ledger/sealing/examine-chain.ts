import type { Reader } from '#server/db/tx.ts';
import { isAcceptedRestore } from '#server/lib/root-store.ts';
import type { RootRecord } from '#server/lib/root-store.ts';
import { isGivenUp, isValidRestore } from './accepted-restore.ts';
import { blockRoot, isSignedBy } from './block.ts';
import type { Block } from './block.ts';
import { BEGINNING, findBrokenLink, readBlock } from './chain.ts';
import type { Link } from './chain.ts';
import { isHandover } from './trusted-keys.ts';
import type { Signers } from './trusted-keys.ts';

/** Reason why the sealer seals nothing. */
export interface Refusal {
  code:
    | 'chain_behind_root'
    | 'chain_differs_from_root'
    | 'chain_broken'
    | 'head_not_signed'
    | 'unknown_key'
    | 'key_replaced'
    | 'restore_not_signed'
    | 'roots_unreadable';
  /** The fault and what it means, for the log and the operator. */
  sentence: string;
}

export interface Known {
  /** Newest record in the place that roots are exported to. */
  exported: RootRecord | undefined;
  /** Name of that place. */
  place: string;
  /** Newest block that this process has checked before. */
  seen: Block | undefined;
}

/** A block that must be in the chain, and how the server knows it. */
interface Anchor extends Link {
  how: string;
}

/**
 * Checks that the sealer may continue the chain that ends with `head`. Returns a refusal when a
 * block that is known from outside the database is missing, when the head does not follow from it,
 * or when no trusted key signed the head. Without this check, an attacker who rewrites the database
 * would get the new history signed by the server.
 */
export async function examineChain(
  reader: Reader,
  head: Block | undefined,
  known: Known,
  signers: Signers,
): Promise<Refusal | undefined> {
  const { exported, place } = known;
  if (exported && isAcceptedRestore(exported) && !isValidRestore(exported, signers)) {
    const sentence = `The newest record in ${place} accepts a restored backup and is not signed by a key that is known here.`;
    return { code: 'restore_not_signed', sentence };
  }
  const anchors = anchorsOf(known);
  for (const anchor of anchors) {
    const refusal = await missAnchor(reader, head, anchor);
    if (refusal !== undefined) return refusal;
  }
  if (head === undefined) return undefined;
  const newest = anchors.reduce<Link>(
    (highest, anchor) => (anchor.height > highest.height ? anchor : highest),
    BEGINNING,
  );
  return (await missLinks(reader, newest, head)) ?? missSignature(head, signers);
}

function anchorsOf({ exported, place, seen }: Known): Anchor[] {
  const anchors: Anchor[] = [];
  if (exported !== undefined && exported.height > 0n) {
    const root = Buffer.from(exported.root, 'hex');
    const how = isAcceptedRestore(exported) ? 'accepted in' : 'exported to';
    anchors.push({ height: exported.height, root, how: `${how} ${place}` });
  }
  const isLost = exported && isAcceptedRestore(exported) && seen && isGivenUp(seen, exported);
  if (seen !== undefined && isLost !== true) {
    anchors.push({ height: seen.height, root: seen.root, how: 'seen by this process' });
  }
  return anchors;
}

async function missAnchor(
  reader: Reader,
  head: Block | undefined,
  { height, root, how }: Anchor,
): Promise<Refusal | undefined> {
  const end = head?.height ?? 0n;
  if (end < height) {
    const sentence = `The database ends with block ${end}, but block ${height} was ${how}: an older backup was restored, or sealed history was removed.`;
    return { code: 'chain_behind_root', sentence };
  }
  const block = await readBlock(reader, height);
  if (block?.root.equals(root) === true) return undefined;
  const sentence = `Block ${height} is not the one that was ${how}: sealed history was rewritten, or that place is another database's.`;
  return { code: 'chain_differs_from_root', sentence };
}

async function missLinks(reader: Reader, from: Link, head: Block): Promise<Refusal | undefined> {
  const broken = await findBrokenLink(reader, from, head);
  if (broken !== undefined) {
    const sentence = `Block ${broken.height} ${broken.what}: sealed history was rewritten.`;
    return { code: 'chain_broken', sentence };
  }
  if (blockRoot(head).equals(head.root)) return undefined;
  const sentence = `The root of block ${head.height} is not that of its header: it was changed.`;
  return { code: 'chain_broken', sentence };
}

/** Reason why no trusted key signed a block; undefined if one did. */
export function missSignature(head: Block, signers: Signers): Refusal | undefined {
  const { height, root, signature, publicKey } = head;
  const isSigned = isSignedBy(root, signature, publicKey);
  if (!isSigned || (head.successorKey !== null && !isHandover(head))) {
    const sentence = `The signature of block ${height} is not valid: it was not made by Purser.`;
    return { code: 'head_not_signed', sentence };
  }
  if (signers.mayHaveSigned(publicKey, height)) return undefined;
  const name = publicKey.toString('hex');
  const sentence = `Block ${height} is signed by the key ${name}, which is neither PURSER_LEDGER_KEY nor one of PURSER_LEDGER_FORMER_KEYS.`;
  return { code: 'unknown_key', sentence };
}
