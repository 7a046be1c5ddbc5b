import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatMoney } from '#contract/money.ts';
import { DecisionDialog } from '#web/kit/decision-dialog.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { FrozenPayouts, payoutFacts, type Payer } from '#web/kit/payout-facts.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { offersOf } from './acts.ts';
import { nounOf, subjectOf, type Deciding, type Desk, type DeskRow } from './desk.ts';
import { readOne } from './read-one.ts';

interface ActDialogProps extends Deciding {
  desk: Desk;
  onClose: () => void;
}

/** Asks before an act, with the facts to compare; for a reason where one is needed. */
export function ActDialog({ desk, act, row, onClose }: ActDialogProps) {
  const { thing } = desk;
  const offer = offersOf(thing)[act];
  if (offer === undefined) throw new TypeError(`${act} is not offered`);
  const { consequence, ...decision } = offer;
  const facts = desk.before?.[act];
  const payer = decision.kind === 'money' ? desk.payer : undefined;
  return (
    <DecisionDialog
      decision={{ ...decision, confirm: decision.confirm ?? labelOf(decision, row) }}
      id={row.id}
      subject={`${subjectOf(desk, row)} of ${row.employee.name}.`}
      topic={thing.topic}
      unchanged={`The ${nounOf(thing)} was not changed.`}
      onClose={onClose}
      details={
        (facts ?? payer) !== undefined && (
          <Loaded desk={desk} id={row.id}>
            {(one) => (
              <>
                {facts?.(one)}
                {payer !== undefined && <PayerFacts {...payer(one)} />}
              </>
            )}
          </Loaded>
        )
      }
    >
      {desk.sentence(row, act)} {consequence}
    </DecisionDialog>
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

function PayerFacts(payer: Payer) {
  return (
    <>
      <Facts isTight facts={payoutFacts(payer)} />
      <FrozenPayouts context={payer.context} />
    </>
  );
}

/** Text of an act's button: one that moves money says how much, "Approve $412.50". */
export function labelOf(
  { label, kind }: { label: string; kind: string },
  { amount }: Pick<DeskRow, 'amount'>,
): string {
  return kind === 'money' && amount !== undefined ? `${label} ${formatMoney(amount)}` : label;
}
