import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { useId, useState } from 'react';
import type { Role } from '#contract/identity.ts';
import {
  EMAIL_FREQUENCIES,
  type EmailPreferences as Preferences,
} from '#contract/notifications.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { counted } from '#web/lib/format.ts';
import { Icon } from '#web/ui/icon.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { FREQUENCY_WORDS, SWITCHES } from './preference-words.ts';
import './email-preferences.css';

type Change = Partial<Preferences>;

const QUERY = apiQuery('getEmailPreferences', {});

interface EmailPreferencesProps {
  area: Role;
  /** Recipient address. */
  email: string;
}

/** Preferences for mail. Each switch takes effect immediately. */
export function EmailPreferences({ area, email }: EmailPreferencesProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery(QUERY);
  const { unsaved, save } = useSave();
  const preferences = query.data && { ...query.data, ...unsaved };
  return (
    <section className="sheet preferences" aria-labelledby={`${id}-title`}>
      <div className="sheet__head">
        <h2 className="section-title" id={`${id}-title`}>
          Email Preferences
        </h2>
      </div>
      <button
        type="button"
        className="preferences__fold"
        aria-expanded={isOpen}
        aria-controls={`${id}-body`}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span>
          <span className="section-title">Email Preferences</span>
          <span className="meta">{preferences && summaryOf(preferences, area)}</span>
        </span>
        <Icon of={isOpen ? ChevronUp : ChevronDown} />
      </button>
      <div className="sheet__body" id={`${id}-body`}>
        <LoadedQuery query={query} what="your email preferences" lines={8} />
        {preferences && <PreferenceFields {...{ area, email, preferences }} onChange={save} />}
      </div>
    </section>
  );
}

/**
 * Saves changes. The screen shows a change before the server confirms it, and reverts it on
 * failure.
 */
function useSave() {
  const queryClient = useQueryClient();
  const [unsaved, setUnsaved] = useState<Change>({});
  const { mutate } = useMutation({
    // One after the other: the last change must arrive last.
    scope: { id: 'email-preferences' },
    mutationFn: (body: Change) => call('changeEmailPreferences', { body }),
    onSuccess: () => toast({ title: 'Preferences saved', tone: 'positive' }),
    onError: () =>
      toast({ title: 'Failed to save email preferences. Please try again.', tone: 'critical' }),
    onSettled: async (_saved, _error, change) => {
      await queryClient.invalidateQueries({ queryKey: QUERY.queryKey });
      setUnsaved((current) => without(current, change));
    },
  });
  const save = (change: Change) => {
    setUnsaved((current) => ({ ...current, ...change }));
    mutate(change);
  };
  return { unsaved, save };
}

/**
 * Removes the answered change from the unsaved ones, except values that were changed again since.
 */
function without(unsaved: Change, answered: Change): Change {
  const done: Readonly<Record<string, unknown>> = answered;
  return Object.fromEntries(
    Object.entries(unsaved).filter(([name, value]) => done[name] !== value),
  );
}

interface PreferenceFieldsProps extends EmailPreferencesProps {
  preferences: Preferences;
  onChange: (change: Change) => void;
}

/** The switches. */
export function PreferenceFields({ area, email, preferences, onChange }: PreferenceFieldsProps) {
  const isOff = !preferences.emailEnabled;
  return (
    <>
      <div className="preferences__main">
        <Switch
          label="Email me"
          meaning={`To ${email}`}
          isOn={preferences.emailEnabled}
          onChange={(emailEnabled) => onChange({ emailEnabled })}
        />
      </div>
      {isOff && (
        <p className="preferences__why meta">
          Only changes to your sign-in and to your bank accounts are mailed. Your choices below are
          kept, and notifications still appear here.
        </p>
      )}
      {SWITCHES[area].map(({ name, label, meaning }) => (
        <Switch
          key={name}
          label={label}
          meaning={meaning}
          isOn={preferences[name]}
          isDisabled={isOff}
          onChange={(isOn) => onChange({ [name]: isOn })}
        />
      ))}
      <div className="preferences__frequency">
        <RadioChoices
          label="Frequency"
          name="frequency"
          value={preferences.emailFrequency}
          isDisabled={isOff}
          choices={EMAIL_FREQUENCIES.map((value) => ({
            value,
            label: FREQUENCY_WORDS[value].label,
            consequence: FREQUENCY_WORDS[value].when,
          }))}
          onChange={(emailFrequency) => onChange({ emailFrequency })}
        />
      </div>
    </>
  );
}

/** Summary in one line: "Immediate, 6 of 7 kinds". */
function summaryOf(preferences: Preferences, area: Role): string {
  if (!preferences.emailEnabled) return 'Off';
  const switches = SWITCHES[area];
  const on = switches.filter(({ name }) => preferences[name]).length;
  const { label } = FREQUENCY_WORDS[preferences.emailFrequency];
  return `${label}, ${on} of ${counted(switches.length, 'kind')}`;
}
