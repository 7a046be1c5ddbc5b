import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ConfirmAction, useAction, ActionButton } from '#web/kit/action.tsx';
import { counted, formatAge } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Section } from '#web/ui/section.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import { browserOf } from '#contract/browser-of.ts';
import './signed-in-places.css';

type Place = RouteReply<'listSessions'>['items'][number];

const ENDING = { topics: ['sessions'], failed: 'Could not sign out there' } as const;

/** The browsers the user is signed in with, each of which can be signed out from here. */
export function SignedInPlaces() {
  const places = useQuery(apiQuery('listSessions', {}));
  const items = places.data?.items ?? [];
  const [isAsking, setIsAsking] = useState(false);
  const others = items.length - 1;
  return (
    <Section
      title="Where you are signed in"
      end={
        items.length > 1 && (
          <Button shape="small" onPress={() => setIsAsking(true)}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      {isAsking && (
        <ConfirmAction
          title="Sign out everywhere else?"
          keep="Stay Signed In"
          confirm="Sign Out Everywhere Else"
          pending="Signing out"
          send={() => call('revokeOtherSessions')}
          {...ENDING}
          onClose={() => setIsAsking(false)}
        >
          {counted(others, 'other browser')} {others === 1 ? 'is' : 'are'} signed out, and anything
          typed there and not saved is lost. You stay signed in here.
        </ConfirmAction>
      )}
      <LoadedQuery query={places} what="the places where you are signed in" lines={3} />
      {items.length > 0 && (
        <ul className="act-rows">
          {items.map((place) => (
            <PlaceRow key={place.id} place={place} now={places.dataUpdatedAt} />
          ))}
        </ul>
      )}
    </Section>
  );
}

interface PlaceRowProps {
  place: Place;
  /** Time at which the list was read; ages are counted from then. */
  now: number;
}

function PlaceRow({ place, now }: PlaceRowProps) {
  const { id, isCurrent, userAgent, ipAddress, createdAt, lastSeenAt } = place;
  const end = useAction({ send: () => call('revokeSession', { params: { id } }), ...ENDING });
  const browser = browserOf(userAgent);
  return (
    <li>
      <div>
        <p className="strong">
          {browser} {isCurrent && <Tag>This browser</Tag>}
        </p>
        <p className="muted">
          {ipAddress !== null && `${ipAddress}, `}
          signed in on <Time at={createdAt} as="date" />, last used{' '}
          {formatAge(lastSeenAt, now).toLowerCase()}
        </p>
      </div>
      {!isCurrent && (
        <ActionButton
          kind="quiet"
          shape="text"
          aria-label={`Sign out ${browser}`}
          action={end}
          pending="Signing out"
        >
          Sign out
        </ActionButton>
      )}
    </li>
  );
}
