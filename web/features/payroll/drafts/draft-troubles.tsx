import { money } from '#contract/money.ts';
import { errorMessage } from '#web/api/query.ts';
import { counted, formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { lacksBreakdown, minorOf } from './amounts.ts';
import type { DraftPerson } from './amounts.ts';
import type { Conflict } from './conflict.ts';
import type { DraftState, DraftWork } from './draft-work.ts';

interface TroublesProps {
  state: DraftState;
  work: DraftWork;
}

/**
 * Reasons for which the draft is not saved or not reviewed: cells that are no amounts, another person's changes, no answer.
 * And amounts that the provider's breakdown is no longer of.
 */
export function Troubles({ state, work }: TroublesProps) {
  const { conflict, failure, wrong, loaded, edits } = state;
  const unbroken = loaded.draft.hasOwnAmounts
    ? loaded.people.filter((person) => lacksBreakdown(person, edits))
    : [];
  const named = loaded.people.filter(({ id }) => wrong.has(id)).slice(0, MOST_NAMED);
  return (
    <div className="pv__troubles">
      {wrong.size > 0 && (
        <Notice tone="critical" role="alert">
          {named.map(({ id, name }) => (
            <p key={id}>{`${name}: ${wrong.get(id)?.problem ?? ''}`}</p>
          ))}
          {wrong.size > named.length && (
            <p className="num">{`${counted(wrong.size - named.length, 'more cell')} to correct.`}</p>
          )}
        </Notice>
      )}
      {unbroken.length > 0 && (
        <Notice tone="caution" role="status">
          {`${namesOf(unbroken)}: the amount was changed, so the payslip comes without the payroll provider’s breakdown. Undo brings it back.`}
        </Notice>
      )}
      {conflict !== undefined && (
        <Notice tone="caution" role="alert">
          <p>
            <span className="strong">{`${conflict.who} has changed ${conflictWords(conflict)} that you changed too.`}</span>{' '}
            Nothing of theirs is lost until you choose.
          </p>
          <ul>
            {conflict.people.slice(0, MOST_NAMED).map(({ person, minor }) => (
              <li key={person.id}>
                {person.name}: <Amount of={minorOf(person, NO_EDITS)} like={person} /> instead of
                your <Amount of={minor} like={person} />
              </li>
            ))}
          </ul>
          <Button shape="text" onPress={() => work.settle('theirs')}>
            Take Theirs
          </Button>{' '}
          <Button shape="text" onPress={() => work.settle('mine')}>
            Keep Mine
          </Button>
        </Notice>
      )}
      {failure !== undefined && (
        <Notice tone="critical" role="alert">
          {errorMessage(failure, 'The draft could not be saved.')}{' '}
          <Button shape="text" onPress={() => void work.flush()}>
            Retry
          </Button>
        </Notice>
      )}
    </div>
  );
}

/** "Ben Ode", "Ben Ode and 2 more". */
function namesOf([first, ...others]: readonly DraftPerson[]): string {
  const more = others.length === 0 ? '' : ` and ${formatCount(others.length)} more`;
  return `${first?.name ?? ''}${more}`;
}

/** "2 amounts", "the description and 1 amount". */
function conflictWords({ people, fields }: Conflict): string {
  const parts = [
    ...fields.map((name) => FIELD_WORDS[name] ?? 'a field'),
    ...(people.length > 0 ? [counted(people.length, 'amount')] : []),
  ];
  return parts.join(' and ');
}
const FIELD_WORDS: Partial<Record<Conflict['fields'][number], string>> = {
  payOn: 'the pay date',
  walletType: 'the wallet type',
  department: 'the department',
  description: 'the description',
  note: 'the note',
  amount: 'the amount for each',
  startFrom: 'the amounts',
};
const MOST_NAMED = 5;
const NO_EDITS = new Map<string, bigint | null>();

function Amount({ of: minor, like }: { of: bigint | null; like: DraftPerson }) {
  const currency = (like.amount ?? like.last)?.currency ?? 'USD';
  return minor === null ? 'left out' : <Money amount={money(minor, currency)} />;
}
