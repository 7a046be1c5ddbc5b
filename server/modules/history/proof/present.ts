import type { ProvenEntry, SealProof as ShownProof, SealedBlock } from '#contract/api.ts';
import type { SealBlock, SealProof } from '#server/modules/ledger/index.ts';

export function presentProof(proof: SealProof): ShownProof {
  const { format, sealed, salt, leaf, path, position, block } = proof;
  return {
    ...{ format, sealed },
    salt: hex(salt),
    leaf: hex(leaf),
    path: path.map(({ side, hash }) => ({ side, hash: hex(hash) })),
    position: position + 1,
    block: presentBlock(block),
  };
}

export function presentBlock(block: SealBlock): SealedBlock {
  const kept = ({ root, count }: { root: Buffer; count: number }) => ({ root: hex(root), count });
  return {
    version: block.version,
    height: block.height.toString(),
    previous: hex(block.previous),
    transactions: kept(block.transactions),
    accounts: kept(block.accounts),
    auditEvents: kept(block.auditEvents),
    sealedAt: block.sealedAt.toISOString(),
    successorKey: block.successorKey && hex(block.successorKey),
    root: hex(block.root),
    publicKey: hex(block.publicKey),
    signature: hex(block.signature),
  };
}

/**
 * Hash that stands for number and balance of an entry in a leaf.
 *
 * @param isShown true to give its salt, too. With the salt, a reader can find number and balance by
 *   trying
 */
export function presentCommitment(
  proof: SealProof | undefined,
  entry: Parameters<SealProof['commitEntry']>[0],
  isShown: boolean,
): Pick<ProvenEntry, 'salt' | 'commitment'> {
  const made = proof?.commitEntry(entry) ?? null;
  if (made === null) return { salt: null, commitment: null };
  return { salt: isShown ? hex(made.salt) : null, commitment: hex(made.commitment) };
}

function hex(bytes: Buffer): string {
  return bytes.toString('hex');
}
