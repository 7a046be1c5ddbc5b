import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RouteReply } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { counted, formatAge } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Section } from '#web/ui/section.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { Time } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { browserOf } from '#contract/browser-of.ts';
import './signed-in-places.css';

type Place = RouteReply<'listSessions'>['items'][number];

/** The browsers the user is signed in with, each of which can be signed out from here. */
export function SignedInPlaces() {
  const places = useQuery(apiQuery('listSessions', {}));
  const items = places.data?.items ?? [];
  const [isAsking, setIsAsking] = useState(false);
  const endOthers = useEnding(
    () => call('revokeOtherSessions'),
    () => setIsAsking(false),
  );
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
      <ConfirmDialog
        title="Sign out everywhere else?"
        isOpen={isAsking}
        keepLabel="Stay Signed In"
        confirmLabel="Sign Out Everywhere Else"
        onClose={() => setIsAsking(false)}
        onConfirm={() => endOthers.mutate()}
        isPending={endOthers.isPending}
        pendingLabel="Signing out"
      >
        <p>
          {counted(others, 'other browser')} {others === 1 ? 'is' : 'are'} signed out, and anything
          typed there and not saved is lost. You stay signed in here.
        </p>
      </ConfirmDialog>
      <LoadedQuery query={places} what="the places where you are signed in" lines={3} />
      {items.length > 0 && (
        <ul className="places">
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
  /** When the list was read; ages are counted from then. */
  now: number;
}

function PlaceRow({ place, now }: PlaceRowProps) {
  const { id, isCurrent, userAgent, ipAddress, createdAt, lastSeenAt } = place;
  const end = useEnding(() => call('revokeSession', { params: { id } }));
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
        <Button
          kind="quiet"
          shape="text"
          aria-label={`Sign out ${browser}`}
          isPending={end.isPending}
          pendingLabel="Signing out"
          onPress={() => end.mutate()}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

/** Ends sessions; the list is read again whatever came of it, since they may have ended elsewhere. */
function useEnding(end: () => Promise<unknown>, onSettled?: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: end,
    onError: (error) =>
      toast({
        title: 'Could not sign out there',
        message: errorMessage(error, 'Please try again.'),
        tone: 'critical',
      }),
    onSettled: () => {
      onSettled?.();
      return queryClient.invalidateQueries({ queryKey: ['listSessions'] });
    },
  });
}
