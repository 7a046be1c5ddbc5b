import { Check, Download, X } from 'lucide-react';
import { useState } from 'react';
import type { TransactionPage } from '#contract/api.ts';
import { formatMoney, money } from '#contract/money.ts';
import { PROOF_CHECKS, verifyProof, type CheckResult } from '#contract/verify-proof.ts';
import { checkPage } from '#contract/verify-shown.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { CANNOT_COMPUTE, canCompute } from '#web/lib/computing.ts';
import { formatCount } from '#web/lib/format.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { MoneyRail, type RailStep } from '#web/ui/money-rail.tsx';
import { Status } from '#web/ui/status.tsx';
import { useMoments } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { Sheet } from '#web/ui/sheet.tsx';

type Sealed = NonNullable<TransactionPage['proof']>;

/** The checks of the seal, and that the page shows what it has. */
const CHECKS = [...PROOF_CHECKS, 'shown'] as const;
type Results = Record<(typeof CHECKS)[number], CheckResult>;

interface Verified {
  at: string;
  results: Results;
}

/** Block that seals a posting, and this browser's own check of it. */
export function Proof({ transaction }: { transaction: TransactionPage }) {
  const [verified, setVerified] = useState<Verified>();
  const { id, entries, proof } = transaction;
  const isWrong = verified !== undefined && hasAny(verified.results, 'wrong');
  const isRight = verified !== undefined && !isWrong && !hasAny(verified.results, 'unknown');

  async function verify(sealed: Sealed): Promise<void> {
    if (!canCompute()) {
      toast({ title: 'Not checked', message: CANNOT_COMPUTE, tone: 'critical' });
      return;
    }
    const ofSeal = await verifyProof({ id, entries, proof: sealed });
    const results = { ...ofSeal, shown: await checkPage(transaction) };
    setVerified({ at: new Date().toISOString(), results });
  }

  return (
    <Sheet
      title="Proof"
      end={
        isWrong ? (
          <Status status="failed" label="Wrong" />
        ) : isRight ? (
          <Status status="completed" label="Verified" />
        ) : proof === null ? (
          <Status status="pending" label="Not sealed yet" />
        ) : (
          <Status status="completed" label="Sealed" />
        )
      }
      foot={
        proof !== null && (
          <div className="transaction__foot">
            <Button onPress={() => save(transaction)}>
              <Icon of={Download} size={16} />
              Download Proof
            </Button>
            <Button
              kind={verified === undefined ? 'solid' : undefined}
              onPress={() => void verify(proof)}
            >
              {verified === undefined ? 'Verify' : 'Verify Again'}
            </Button>
          </div>
        )
      }
    >
      <Rail transaction={transaction} verified={verified} isWrong={isWrong} />
      <div role="status">
        {verified !== undefined && (
          <Checks results={verified.results} entryCount={entries.length} />
        )}
      </div>
      {proof === null ? (
        <p className="meta mt-4">It will be sealed within seconds. The amount is already posted.</p>
      ) : (
        <Hashes proof={proof} />
      )}
      {verified !== undefined && (
        <p className="meta mt-4">
          Computed in this browser from the entries, without relying on the server.
        </p>
      )}
    </Sheet>
  );
}

function hasAny(results: Results, result: CheckResult): boolean {
  return CHECKS.some((check) => results[check] === result);
}

interface RailProps {
  transaction: TransactionPage;
  verified: Verified | undefined;
  isWrong: boolean;
}

function Rail({
  transaction: { at, amount, facts, entries, proof },
  verified,
  isWrong,
}: RailProps) {
  const write = useMoments();
  const sum = entries.reduce((total, entry) => total + BigInt(entry.amount.minor), 0n);
  const posted: RailStep = {
    state: 'done',
    what: 'Posted',
    who: `${write(facts.recordedAt ?? at, 'dateTime')}, sums to ${formatMoney(money(sum, amount.currency))}`,
  };
  const sealed: RailStep =
    proof === null
      ? { state: 'now', what: 'Waiting for its seal' }
      : {
          state: 'done',
          what: `Sealed in block ${formatCount(BigInt(proof.block.height))}`,
          who: `${write(proof.block.sealedAt, 'dateTime')}, transaction ${formatCount(proof.position)} of ${formatCount(proof.block.transactions.count)}`,
        };
  return (
    <MoneyRail
      label="Proof of the transaction"
      layout="stacked"
      steps={[posted, sealed, verifiedStep()]}
    />
  );

  function verifiedStep(): RailStep {
    if (verified === undefined) {
      return { state: 'next', what: 'Verified', who: 'Not checked in this browser yet' };
    }
    const who = write(verified.at, 'dateTime');
    if (isWrong) return { state: 'stop', what: 'Not what was sealed', who };
    return { state: 'arrived', what: 'Verified in this browser', who };
  }
}

/** Results of the check, one per line. */
function Checks({ results, entryCount }: { results: Results; entryCount: number }) {
  const words: Record<keyof Results, string> = {
    leaf: `The ${entryCount === 2 ? 'two entries' : `${entryCount} entries`} give the leaf`,
    merkleRoot: 'Leaf and path give the Merkle root',
    blockRoot: 'Merkle roots and the previous block give the block root',
    signature: 'The signature is that of the key',
    shown: 'Reference, kind, times, accounts and holders are the sealed ones',
  };
  const unknown: Partial<typeof words> = { shown: 'An account is not sealed yet' };
  return (
    <ul className="transaction__checks">
      {CHECKS.map((check) => (
        <li key={check} data-result={results[check]}>
          <Icon of={results[check] === 'right' ? Check : X} size={16} />
          {results[check] === 'unknown'
            ? (unknown[check] ?? 'This browser cannot check the signature')
            : results[check] === 'right'
              ? words[check]
              : `Not so: ${words[check]}`}
        </li>
      ))}
    </ul>
  );
}

function Hashes({ proof: { leaf, block } }: { proof: Sealed }) {
  const hashes = [
    ['Leaf', leaf],
    ['Merkle root', block.transactions.root],
    ['Block root', block.root],
    ['Previous', block.previous],
    ['Key', block.publicKey],
  ] as const;
  return (
    <div className="transaction__hashes">
      <Facts
        isTight
        facts={hashes.map(([label, hash]) => ({
          label,
          value: <span className="transaction__hash">{beginningOf(hash)}</span>,
          action: <CopyValue value={hash} label={`Copy ${label.toLowerCase()}`} />,
        }))}
      />
    </div>
  );
}

/** First eight bytes, "8c1f 04d2 9b77 e13a". Copying gives the full hash. */
function beginningOf(hash: string): string {
  return (hash.slice(0, 16).match(/.{4}/g) ?? []).join(' ');
}

function save({ id, reference, entries, proof }: TransactionPage): void {
  const content = JSON.stringify({ id, entries, proof }, null, 2);
  saveFile(`proof-${reference}.json`, new Blob([content], { type: 'application/json' }));
}
