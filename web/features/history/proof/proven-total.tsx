import { useQuery } from '@tanstack/react-query';
import type { TotalProof } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Balance } from '#web/ui/money.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { heldParts, PartsTable } from './parts-table.tsx';
import type { ProofTarget } from './proof-target.ts';

/** Accounts that make the current balance, each with a link to its proof, and the part on hold. */
export function ProvenTotal({ onOpen }: { onOpen: (target: ProofTarget) => void }) {
  const query = useQuery(apiQuery('proveTotal', {}));
  return (
    <LoadedQuery
      query={query}
      what="the proof"
      placeholder={<Skeleton lines={8} label="Loading the accounts" />}
    >
      {(proof) => <Accounts proof={proof} onOpen={onOpen} />}
    </LoadedQuery>
  );
}

interface AccountsProps {
  proof: TotalProof;
  onOpen: (target: ProofTarget) => void;
}

function Accounts({ proof: { total, available, accounts }, onOpen }: AccountsProps) {
  const held = accounts.flatMap((account) => heldParts(account.held));
  return (
    <div className="proof">
      <div className="proof__number">
        <p className="muted">Current Balance, what all accounts hold</p>
        <Balance amount={total} />
      </div>
      <PartsTable
        label="What makes the current balance"
        head="Account"
        rows={accounts.map(({ type, name, last4, balance }) => ({
          id: type,
          name: (
            <TextButton onPress={() => onOpen({ kind: 'balance', account: type, number: '' })}>
              {`${name} ••${last4}`}
            </TextButton>
          ),
          amount: balance,
        }))}
        total={{ name: 'Current Balance', amount: total }}
      />
      {held.length > 0 && (
        <PartsTable
          label="What is held of it"
          head="Held"
          rows={held}
          total={{ name: 'Available, what you can use now', amount: available }}
        />
      )}
      <p className="muted">
        Held money is still yours. It is available again if the request is cancelled. Open an
        account to see every entry behind its balance.
      </p>
    </div>
  );
}
