import type { RouteReply } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { counted, formatCount } from '#web/lib/format.ts';
import type { StatusName } from '#web/ui/status-table.ts';
import { Time } from '#web/ui/time.tsx';
import { Promised } from './promised.tsx';

type Books = RouteReply<'getBooksPage'>;
type State = Books['seals']['state'];

const STATUS: Readonly<Record<State, StatusName>> = {
  kept: 'completed',
  differs: 'failed',
  unchecked: 'not_started',
};

/** The three promises of the books, each with its last check. */
export function Promises({ books }: { books: Books }) {
  const { checkedAt, sides, seals, newest } = books;
  const height = Number(newest?.height ?? 0);
  return (
    <>
      <Promised
        number={1}
        title="Every cent has two sides."
        {...lastCheck(sides.state, `Sum of all ${formatCount(sides.entries)} entries is zero`)}
        checkedAt={checkedAt}
      >
        Money never appears or vanishes here. What enters one account leaves another, and all
        entries together always sum to nothing.
      </Promised>
      <Promised
        number={2}
        title="Nothing is changed."
        {...lastCheck(
          seals.state,
          height === 1
            ? 'The first seal is there'
            : `${counted(height, 'seal')} follow one another`,
        )}
        checkedAt={checkedAt}
      >
        An entry that was written stays as it was written. A mistake is corrected by a second entry
        that anybody can see. Every few minutes the new entries are sealed onto the old ones.
      </Promised>
      <Owed books={books} />
    </>
  );
}

/** Last check of a promise, with the words for one that is kept. */
function lastCheck(state: State, kept: string) {
  const label = state === 'kept' ? kept : wordsOf(state);
  return { status: STATUS[state], label, caution: cautionOf(state) };
}

function Owed({ books: { bank } }: { books: Books }) {
  return (
    <Promised
      number={3}
      title="What is owed is at the bank."
      status={bank === null ? 'not_started' : bankStatus(bank)}
      label={bank === null ? 'No statement of the bank yet' : bankWords(bank)}
      checkedAt={bank?.at ?? null}
      caution={bank === null ? undefined : bankCaution(bank)}
    >
      The sum of all wallets is compared with the company’s account at its bank, statement by
      statement. It must be there, or on its way with a name, to the cent.
    </Promised>
  );
}

type Bank = NonNullable<Books['bank']>;

function bankStatus({ state, openLines }: Bank): StatusName {
  if (state === 'differs') return 'failed';
  return openLines > 0 ? 'pending' : 'completed';
}

function bankWords({ state, openLines, difference }: Bank): string {
  if (state === 'differs') return wordsOf(state);
  const sum = formatMoney(difference, 'never');
  return openLines === 0
    ? `Difference: ${sum}`
    : `${counted(openLines, 'statement line')} not explained yet, ${sum}`;
}

function bankCaution({ state, isLate, agreedAt }: Bank) {
  if (state === 'differs') return cautionOf(state);
  if (!isLate) return undefined;
  return (
    <>
      The bank’s statement has lines that are still being matched.{' '}
      {agreedAt !== null && (
        <>
          It last agreed to the cent on <Time at={agreedAt} as="dateTime" />.{' '}
        </>
      )}
      Your balance is not touched by this.
    </>
  );
}

function wordsOf(state: State): string {
  return state === 'differs' ? 'The last check found a difference' : 'Not checked yet';
}

function cautionOf(state: State) {
  if (state !== 'differs') return undefined;
  return 'The last check found something that does not agree. Administrators were notified, and look into it. It is shown here until it is explained.';
}
