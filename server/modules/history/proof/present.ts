import type {
  AccountSeal as ShownSeal,
  ProvenEntry,
  SealProof as ShownProof,
  SealedBlock,
} from '#contract/api.ts';
import type { AccountSeal, SealBlock, SealProof } from '#server/modules/ledger/index.ts';

export function presentProof(proof: SealProof): ShownProof {
  return { format: proof.format, sealed: proof.sealed, ...presentSeal(proof) };
}

export function presentAccount({ id, sealed, ...seal }: AccountSeal): ShownSeal {
  return { id, sealed, ...presentSeal(seal) };
}

type Seal = Pick<SealProof, 'salt' | 'leaf' | 'path' | 'position' | 'block'>;

function presentSeal({ salt, leaf, path, position, block }: Seal) {
  return {
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
    successorSignature: block.successorSignature && hex(block.successorSignature),
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
