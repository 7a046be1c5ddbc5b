import type { CalendarFeed } from '#contract/api.ts';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ConfirmAction, questionTo } from '#web/kit/action.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Button } from '#web/ui/button.tsx';
import { Time } from '#web/ui/time.tsx';
import { CalendarForm } from './calendar-form.tsx';
import './calendar-sheet.css';

/** Private address at which a phone's calendar reads paydays and arrivals. */
export function CalendarSheet() {
  const id = useId();
  const query = useQuery(apiQuery('getCalendarFeed', {}));
  return (
    <section className="sheet calendar-sheet" aria-labelledby={id}>
      <div className="sheet__head">
        <h2 className="section-title" id={id}>
          Calendar
        </h2>
      </div>
      <div className="sheet__body">
        <LoadedQuery query={query} what="your calendar" lines={3} />
        {query.data && <CalendarBody feed={query.data.calendar} />}
      </div>
    </section>
  );
}

type Asked = 'create' | 'change' | 'renew' | 'end';

/** Content of the calendar and its actions. Null if no address was created. */
export function CalendarBody({ feed }: { feed: CalendarFeed | null }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <>
      {feed === null ? (
        <>
          <p>
            Shows paydays and expected arrivals in the calendar on your phone. You choose the
            wording. Amounts are never shown.
          </p>
          <div className="calendar-sheet__acts">
            <Button onPress={() => setAsked('create')}>Create Address</Button>
          </div>
        </>
      ) : (
        <>
          <CalendarShown feed={feed} />
          <div className="calendar-sheet__acts">
            <Button onPress={() => setAsked('change')}>Change</Button>
            <Button onPress={() => setAsked('renew')}>New Address</Button>
            <Button kind="quiet" onPress={() => setAsked('end')}>
              Remove
            </Button>
          </div>
        </>
      )}
      {asked !== undefined && asked !== 'end' && (
        <CalendarForm feed={feed} act={asked} onClose={close} />
      )}
      {asked === 'end' && <EndAddress onClose={close} />}
    </>
  );
}

function CalendarShown({ feed }: { feed: CalendarFeed }) {
  const events = [
    feed.paydayWords,
    ...(feed.hasArrivals ? [feed.arrivalWords] : []),
    ...(feed.hasBills ? [feed.billWords] : []),
  ];
  return (
    <>
      <ul className="calendar-sheet__events" aria-label="Shown as">
        {events.map((words, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>{words}</li>
        ))}
      </ul>
      <p className="meta">
        Address made on <Time at={feed.createdAt} as="date" />,{' '}
        {feed.lastReadAt === null ? (
          'not read yet'
        ) : (
          <>
            last read <Time at={feed.lastReadAt} as="dateTime" />
          </>
        )}
        .
      </p>
    </>
  );
}

function EndAddress({ onClose }: { onClose: () => void }) {
  return (
    <ConfirmAction
      {...questionTo('Remove', 'address', 'the calendar address')}
      send={() => call('revokeCalendarFeed')}
      topics={['notifications']}
      done={{ title: 'Calendar address removed' }}
      failed="Calendar address not removed"
      onClose={onClose}
    >
      The address stops working. Delete the calendar on your devices as well.
    </ConfirmAction>
  );
}
