import { useState } from 'react';
import { CALENDAR_FEED_DEFAULTS, calendarFeedRules } from '#contract/calendar-feed.ts';
import { call } from '#web/api/client.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { ShownOnce } from '#web/kit/shown-once.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DoneDialog } from '#web/ui/done-dialog.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import type { CalendarFeed } from '../../../contract/api.ts';

const WORDS = {
  create: {
    title: 'Create calendar address',
    submit: { label: 'Create Address', pending: 'Creating' },
  },
  renew: { title: 'New calendar address', submit: { label: 'New Address', pending: 'Creating' } },
  change: { title: 'Change calendar', submit: { label: 'Save', pending: 'Saving' } },
} as const;

interface CalendarFormProps {
  /** Current calendar. Null if none was created. */
  feed: CalendarFeed | null;
  act: keyof typeof WORDS;
  onClose: () => void;
}

/** Chooses the content of the calendar. If an address was created, shows it once. */
export function CalendarForm({ feed, act, onClose }: CalendarFormProps) {
  const [address, setAddress] = useState<string>();
  if (address !== undefined) return <AddressShown address={address} onClose={onClose} />;
  return (
    <TaskDialog
      title={WORDS[act].title}
      initial={feed === null ? CALENDAR_FEED_DEFAULTS : choicesOf(feed)}
      check={(values) => checkRules(values, calendarFeedRules)}
      send={async (body) => {
        if (act !== 'change') return (await call('createCalendarFeed', { body })).address;
        await call('changeCalendarFeed', { body });
        return null;
      }}
      topics={['notifications']}
      onDone={(made) => {
        if (made !== null) return setAddress(made);
        toast({ title: 'Calendar changed', tone: 'positive' });
        onClose();
      }}
      summary="Please check the calendar"
      submit={WORDS[act].submit}
      onClose={onClose}
    >
      {({ paydayWords, hasArrivals, arrivalWords, hasBills, billWords }) => (
        <>
          {act === 'renew' && (
            <Notice tone="caution">
              The current address stops working. Add the new one to every calendar that used it.
            </Notice>
          )}
          <TextField label="A payday is called" isRequired autoComplete="off" {...paydayWords} />
          <Checkbox
            label="Show when withdrawals should arrive"
            {...hasArrivals}
            isChecked={hasArrivals.value}
          />
          <TextField label="An arrival is called" isRequired autoComplete="off" {...arrivalWords} />
          <Checkbox label="Show scheduled bills" {...hasBills} isChecked={hasBills.value} />
          <TextField label="A bill is called" isRequired autoComplete="off" {...billWords} />
        </>
      )}
    </TaskDialog>
  );
}

function choicesOf({ createdAt: _made, lastReadAt: _read, ...choices }: CalendarFeed) {
  return choices;
}

function AddressShown({ address, onClose }: { address: string; onClose: () => void }) {
  return (
    <DoneDialog
      title="Calendar address created"
      actions={
        <LinkButton href={address.replace(/^https?:/, 'webcal:')}>Open in Calendar</LinkButton>
      }
      onClose={onClose}
    >
      <ShownOnce
        title="Address for your calendar"
        value={address}
        copyLabel="Copy address"
        note="Shown only now. Subscribe to it in your calendar; it is read a few times a day."
      />
      <p>
        Anyone with the address can see your paydays and what else you chose, without signing in. If
        others get it, create a new one here.
      </p>
    </DoneDialog>
  );
}
