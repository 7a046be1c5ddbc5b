import type { ReactNode } from 'react';
import type { TransactionPage } from '#contract/api.ts';
import { Facts } from '#web/ui/facts.tsx';
import { Section } from '#web/ui/section.tsx';
import { factsOf } from './facts.tsx';
import { Proof } from './proof.tsx';
import { Sides } from './sides.tsx';
import './transactions.css';

interface TransactionDetailsProps {
  transaction: TransactionPage;
  /** Head of the screen. */
  head: ReactNode;
}

/**
 * A transaction or request in full: both sides, its request or batch, and the proof of its seal.
 */
export function TransactionDetails({ transaction, head }: TransactionDetailsProps) {
  const isPosted = transaction.entries.length > 0;
  return (
    <>
      <div className="transaction__head">{head}</div>
      <div className="columns transaction">
        <div className="transaction__main">
          {isPosted && <Sides transaction={transaction} />}
          <Section title="Facts">
            <Facts isTight facts={factsOf(transaction)} />
          </Section>
        </div>
        {isPosted && <Proof transaction={transaction} />}
      </div>
    </>
  );
}
