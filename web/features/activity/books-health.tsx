import { useQuery } from '@tanstack/react-query';
import type { Books } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { useAction, ActionButton } from '#web/kit/action.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { formatCount } from '#web/lib/format.ts';
import { Facts } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import './books-health.css';

/** Limit on the problems listed. `npm run verify` prints all of them. */
const PROBLEMS_SHOWN = 10;

/** Results of the server's own verifications of the ledger, and their effects. */
export function BooksHealth() {
  const books = useQuery(apiQuery('adminGetBooks', {}));
  return (
    <section className="mt-4" aria-labelledby="books-health">
      <h3 id="books-health" className="strong">
        Verification of the books
      </h3>
      <LoadedQuery query={books} what="the verification of the books" lines={3}>
        {(data) => <Verified books={data} />}
      </LoadedQuery>
    </section>
  );
}

function Verified({ books }: { books: Books }) {
  const verify = useAction({
    send: () => call('adminVerifyBooks'),
    topics: ['books'],
    done: {
      title: 'Verification Started',
      message: 'A full verification is running. Its findings appear here.',
    },
    failed: 'Error',
  });
  return (
    <>
      <Facts
        facts={[
          { label: 'Books', value: <BooksStatus books={books} /> },
          { label: 'Last verified', value: <When run={books.last} /> },
          { label: 'All of them', value: <When run={books.lastWhole} /> },
          {
            label: 'If not sound',
            value: books.stopPayoutsWhenUnsound ? 'Payouts stop' : 'Payouts go on',
            action: <TextLink href="/admin/settings?tab=security">Change</TextLink>,
          },
        ]}
      />
      {!books.areSound && <Found books={books} />}
      <ActionButton
        shape="small"
        className="mt-2"
        action={verify}
        pending="Starting"
        isDisabled={books.verifying === 'all'}
      >
        {books.last === null ? 'Verify now' : 'Verify again'}
      </ActionButton>
    </>
  );
}

function BooksStatus({ books }: { books: Books }) {
  if (books.verifying !== null) return <Status status="processing" label="Verifying" />;
  if (!books.areSound) return <Status status="failed" label="Not sound" />;
  if (books.last === null) return <Status status="not_started" label="Not verified yet" />;
  return <Status status="active" label="Sound" />;
}

function When({ run }: { run: Books['last'] }) {
  return run === null ? <>Not yet</> : <Time at={run.startedAt} as="dateTime" />;
}

function Found({ books: { problems, payoutsStoppedAt } }: { books: Books }) {
  const more = problems.length - PROBLEMS_SHOWN;
  return (
    <div className="mt-4">
      <Notice tone="critical">
        <p>
          {payoutsStoppedAt === null
            ? 'A verification found a problem. Payouts continue, as your settings say.'
            : 'A verification found a problem. Payouts are stopped until a full verification finds none.'}
        </p>
        <ul className="books__problems" aria-label="What was found">
          {problems.slice(0, PROBLEMS_SHOWN).map(({ check, id, what }) => (
            <li key={`${check} ${id} ${what}`}>
              <span className="strong">{check}</span> {id}: {what}
            </li>
          ))}
        </ul>
        {more > 0 && <p>{`${formatCount(more)} more; npm run verify names them.`}</p>}
      </Notice>
    </div>
  );
}
