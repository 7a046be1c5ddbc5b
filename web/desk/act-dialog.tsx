import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { DecisionDialog, type Decision } from '#web/kit/decision-dialog.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { FrozenPayouts, payoutFacts } from '#web/kit/payout-facts.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { labelOf, offersOf } from './acts.ts';
import { nounOf, subjectOf, targetOf, type Deciding, type Desk, type DeskRow } from './desk.ts';
import { payerOf } from './payable.ts';
import { readOne } from './read-one.ts';
import './desk.css';

interface ActDialogProps extends Deciding {
  desk: Desk;
  onClose: () => void;
}

/** Asks before an act, with the facts to compare; for a reason where one is needed. */
export function ActDialog({ desk, act, row, onClose }: ActDialogProps) {
  const { thing } = desk;
  const offer = offersOf(thing)[act];
  if (offer === undefined) throw new TypeError(`${act} is not offered`);
  const { consequence, reasonForSome, ...offered } = offer;
  const isAsked = reasonForSome !== undefined && desk.needsReason?.(row) === true;
  const decision = isAsked ? ({ ...offered, reason: reasonForSome } as Decision) : offered;
  const before = desk.before?.[act];
  const isPayer = decision.kind === 'money' && desk.payer !== undefined;
  return (
    <DecisionDialog
      decision={{ ...decision, confirm: decision.confirm ?? labelOf(decision, row) }}
      id={row.id}
      subject={`${subjectOf(desk, row)} of ${row.employee.name}.`}
      topic={thing.topic}
      unchanged={`The ${nounOf(thing)} was not changed.`}
      onClose={onClose}
      details={
        (before !== undefined || isPayer) && (
          <Loaded desk={desk} id={row.id}>
            {(one) => (
              <div className="desk-details">
                <FactsOf desk={desk} one={one} facts={before?.(one) ?? []} isPayer={isPayer} />
              </div>
            )}
          </Loaded>
        )
      }
    >
      {desk.sentence?.[act]?.(row) ?? <Sentence desk={desk} row={row} />} {consequence}
    </DecisionDialog>
  );
}

/** "$250.00 from Maya Castellanos to Cascade Federal ••2208." */
function Sentence({ desk, row }: { desk: Desk; row: DeskRow }) {
  const { amount, employee, walletName } = row;
  const person = <span className="strong">{employee.name}</span>;
  if (amount === undefined) {
    return (
      <>
        {targetOf(desk, row)} of {person}.
      </>
    );
  }
  return desk.by === undefined ? (
    <>
      <Money amount={amount} /> from {person} to {targetOf(desk, row)}.
    </>
  ) : (
    <>
      <Money amount={amount} /> by {desk.by(row)} to {walletName} of {person}.
    </>
  );
}

interface LoadedProps {
  desk: Desk;
  id: string;
  children: (one: DeskRow) => ReactNode;
}

function Loaded({ desk, id, children }: LoadedProps) {
  const query = useQuery(readOne(desk, id));
  return (
    <LoadedQuery query={query} what={`the ${nounOf(desk.thing)}`} lines={5}>
      {children}
    </LoadedQuery>
  );
}

interface FactsOfProps {
  desk: Desk;
  one: DeskRow;
  facts: readonly Fact[];
  /** Facts after those about the payer. */
  last?: readonly Fact[];
  /** True with the facts about the person whose money leaves. */
  isPayer: boolean;
}

/** Facts of one thing, with those about its payer, and the notices and images under them. */
export function FactsOf({ desk, one, facts, last, isPayer }: FactsOfProps) {
  const payer = isPayer ? payerOf(desk, one) : null;
  return (
    <>
      <Facts
        isTight
        facts={[...facts, ...(payer === null ? [] : payoutFacts(payer)), ...(last ?? [])]}
      />
      <div>
        {desk.below?.(one)}
        {payer !== null && <FrozenPayouts context={payer.context} />}
      </div>
    </>
  );
}
