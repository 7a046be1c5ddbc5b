import { useQuery } from '@tanstack/react-query';
import type { EmployeePage, RouteReply } from '#contract/api.ts';
import { browserOf } from '#contract/browser-of.ts';
import { can } from '#contract/can.ts';
import { personCan } from '#contract/people.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { useAction, ActionButton } from '#web/kit/action.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { formatAge } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Time } from '#web/ui/time.tsx';

type OpenSession = RouteReply<'adminListSessions'>['items'][number];
type Person = Pick<EmployeePage, 'id' | 'name' | 'standing'>;

/** Devices where a person is signed in. An admin can end one and keep the others. */
export function OpenSessions({ person, onClose }: { person: Person; onClose: () => void }) {
  const query = useQuery(apiQuery('adminListSessions', { params: { id: person.id } }));
  const items = query.data?.items;
  return (
    <Dialog
      title={`Where ${person.name} is signed in`}
      onClose={onClose}
      actions={<Button onPress={onClose}>Done</Button>}
    >
      {query.isPending && <Skeleton lines={4} label="Loading the sessions" />}
      {query.isError && <QueryError query={query} what="the sessions" />}
      {items?.length === 0 && <EmptyState title="Signed in nowhere" />}
      {items !== undefined && items.length > 0 && (
        <ul className="person__list">
          {items.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              person={person}
              now={query.dataUpdatedAt}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface SessionRowProps {
  session: OpenSession;
  person: Person;
  /** Time when the list was read. Ages are relative to it. */
  now: number;
}

function SessionRow({ session, person, now }: SessionRowProps) {
  const { id, userAgent, ipAddress, createdAt, lastSeenAt } = session;
  const end = useAction({
    send: () => call('adminEndSession', { params: { id: person.id, sessionId: id } }),
    topics: ['people'],
    done: { title: 'Session Ended' },
    failed: 'The session was not ended',
  });
  const browser = browserOf(userAgent);
  return (
    <li>
      <span>
        {browser}
        <span className="meta person__line">
          {ipAddress !== null && `${ipAddress}, `}
          signed in <Time at={createdAt} as="shortDateTime" />, last used{' '}
          {formatAge(lastSeenAt, now).toLowerCase()}
        </span>
      </span>
      {can(personCan, 'endSessions', person.standing) && (
        <ActionButton shape="text" aria-label={`End ${browser}`} action={end} pending="Ending">
          End
        </ActionButton>
      )}
    </li>
  );
}
