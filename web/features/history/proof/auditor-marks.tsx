import type { ProvenLine } from '#contract/verify-shown.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Facts } from '#web/ui/facts.tsx';
import { useMoments } from '#web/ui/time.tsx';

/** Hashes and keys of each line's seal, named as in docs/ledger.md. */
export function AuditorMarks({ lines }: { lines: readonly ProvenLine[] }) {
  const write = useMoments();
  const sealed = lines.filter(({ movement }) => movement.proof !== null);
  if (sealed.length === 0) return <p className="muted">There is no seal yet.</p>;
  return sealed.map(({ event, movement: { id, proof } }) => {
    if (proof === null) return null;
    const { block, leaf, position } = proof;
    const hashes = [
      ['Leaf', leaf],
      ['Merkle root', block.transactions.root],
      ['Seal', block.root],
      ['Signature', block.signature],
      ['Signed by', block.publicKey],
      ['Transaction', id],
    ] as const;
    return (
      <div className="proof__marks" key={event.id}>
        <Facts
          isTight
          facts={[
            { label: 'Reference', value: event.reference },
            {
              label: 'Block',
              value: `${formatCount(BigInt(block.height))}, sealed ${write(block.sealedAt, 'dateTime')}, transaction ${formatCount(position)} of ${formatCount(block.transactions.count)}`,
            },
            ...hashes.map(([label, hash]) => ({
              label,
              value: <span className="proof__hash">{endsOf(hash)}</span>,
              action: (
                <CopyValue
                  value={hash}
                  label={`Copy ${label.toLowerCase()} of ${event.reference}`}
                />
              ),
            })),
          ]}
        />
      </div>
    );
  });
}

/** "9f3c 71ae 04d2 88b1 … 5e0a c7d4". Copying gives the full hash. */
function endsOf(hash: string): string {
  const inFours = (text: string) => (text.match(/.{1,4}/g) ?? []).join(' ');
  return `${inFours(hash.slice(0, 16))} … ${inFours(hash.slice(-8))}`;
}
