import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply, SettingsReply } from '#contract/api.ts';
import {
  SETTINGS,
  SETTINGS_SECTIONS,
  settingsOf,
  type SettingName,
  type SettingsSection,
  type SettingsTab as TabName,
  type SettingValues,
} from '#contract/settings.ts';
import { ApiError, call } from '#web/api/client.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { ActBar } from '#web/kit/act-bar.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { Section } from '#web/ui/section.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { Paydays } from './paydays.tsx';
import { SettingRow } from './setting-row.tsx';
import { readAll, type Typed } from './typed-settings.ts';
import type { SettingsDraft } from './use-settings-draft.ts';

type Problems = Partial<Record<SettingName, string>>;

interface SettingsTabProps {
  tab: TabName;
  reply: SettingsReply;
  draft: SettingsDraft;
  onSaved: (at: Date) => void;
}

/** The settings of one tab, and the bar that saves them. */
export function SettingsTab({ tab, reply, draft, onSaved }: SettingsTabProps) {
  const names = settingsOf(tab).filter((name) => isOffered(name, reply));
  const edited = names.filter(draft.isEdited);
  const [problems, setProblems] = useState<Problems>({});
  const [attempt, setAttempt] = useState(0);
  const save = useSaveSettings({
    reply,
    draft,
    onSaved,
    onProblems: (found) => {
      setProblems(found);
      setAttempt((count) => count + 1);
    },
  });
  const sections = (Object.keys(SETTINGS_SECTIONS) as SettingsSection[]).filter((section) =>
    names.some((name) => SETTINGS[name].section === section),
  );

  function submit(): void {
    const typed: Partial<Record<SettingName, Typed>> = {};
    for (const name of edited) typed[name] = draft.typedOf(name);
    const read = readAll(typed, reply.values, reply.currency);
    const found = Object.fromEntries(
      Object.entries(read.problems).filter(([name]) => names.includes(name as SettingName)),
    );
    if (Object.keys(found).length > 0) {
      setProblems(found);
      setAttempt((count) => count + 1);
    } else save.mutate(read.settings);
  }

  return (
    <form
      noValidate
      className="settings-form"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <FormSummary
        title="Please check the settings"
        problems={names.flatMap((name) => {
          const message = problems[name];
          return message === undefined ? [] : [{ name, message }];
        })}
        attempt={attempt}
      />
      {sections.map((section) => (
        <div className="settings" key={section}>
          <Section title={SETTINGS_SECTIONS[section].title}>
            {names
              .filter((name) => SETTINGS[name].section === section)
              .map((name) => (
                <SettingRow
                  key={name}
                  name={name}
                  reply={reply}
                  draft={draft}
                  error={problems[name]}
                  onEdit={() => setProblems(({ [name]: _, ...others }) => others)}
                >
                  <Consequence name={name} reply={reply} />
                </SettingRow>
              ))}
            {section === 'time' && <CurrencyRow reply={reply} />}
            {section === 'schedule' && (
              <Paydays
                days={reply.nextPaydays}
                isStale={draft.isEdited('payrollFrequency') || draft.isEdited('payrollDay')}
              />
            )}
          </Section>
        </div>
      ))}
      {edited.length > 0 && (
        <ActBar
          label="Unsaved changes"
          what={
            <span className="strong" role="status">
              {edited.length === 1 ? '1 unsaved change' : `${edited.length} unsaved changes`}
            </span>
          }
        >
          <Button
            onPress={() => {
              setProblems({});
              draft.drop(edited);
            }}
          >
            Discard
          </Button>
          <Button
            kind="solid"
            type="submit"
            isPending={save.isPending}
            pendingLabel="Saving"
            why={
              edited.some(draft.isClashing)
                ? 'Choose first which of the two values is kept.'
                : undefined
            }
          >
            Save Changes
          </Button>
        </ActBar>
      )}
    </form>
  );
}

/** What cannot be in force is not offered: separating duties takes two admins. */
function isOffered(name: SettingName, { canSeparateDuties, values }: SettingsReply): boolean {
  return SETTINGS[name].section !== 'duties' || canSeparateDuties || values[name] !== null;
}

function Consequence({ name, reply: { admins } }: { name: SettingName; reply: SettingsReply }) {
  if (name !== 'requireAdminTwoFactor') return null;
  const { total, withoutTwoFactor } = admins;
  const having = `${total - withoutTwoFactor.length} of ${total} have it.`;
  const others = withoutTwoFactor.length === 0 ? '' : ` Without: ${withoutTwoFactor.join(', ')}.`;
  return <p className="field__hint">{having + others}</p>;
}

/** Shown, so that nobody looks for it; it cannot be changed. */
function CurrencyRow({ reply: { currency } }: { reply: SettingsReply }) {
  return (
    <div className="setting">
      <div className="setting__name">
        <span className="field__label">Currency</span>
        <p className="field__hint">The first account was opened in it, so the currency stays.</p>
      </div>
      <p className="setting__fixed num">{currency}</p>
    </div>
  );
}

interface SaveOptions extends Omit<SettingsTabProps, 'tab'> {
  onProblems: (problems: Problems) => void;
}

function useSaveSettings({ reply, draft, onSaved, onProblems }: SaveOptions) {
  const queryClient = useQueryClient();
  const { queryKey } = apiQuery('adminGetSettings', {});
  return useMutation({
    mutationFn: (settings: Partial<SettingValues>) =>
      call('adminUpdateSettings', { body: { version: reply.version, settings } }),
    onSuccess: ({ proposed, ...saved }: RouteReply<'adminUpdateSettings'>, settings) => {
      queryClient.setQueryData(queryKey, saved);
      draft.drop(Object.keys(settings) as SettingName[]);
      // The name and the zone of the company are on every screen.
      void queryClient.invalidateQueries({ queryKey: ['getSession'] });
      if (Object.keys(settings).length > proposed.length) onSaved(new Date());
      if (proposed.length > 0) {
        toast({
          title: 'Another administrator has to agree',
          message: `${proposed.map((name) => SETTINGS[name].label).join(', ')} stays as it is until then.`,
        });
      } else toast({ title: 'Settings saved', tone: 'positive' });
    },
    onError: (error) => {
      // Shows what the other admin changed, beside what is typed.
      void queryClient.invalidateQueries({ queryKey });
      const found = error instanceof ApiError ? fieldsOf(error) : {};
      if (Object.keys(found).length > 0) onProblems(found);
      else {
        toast({
          title: 'Not saved',
          message: errorMessage(error, 'Nothing was changed. Please try again.'),
          tone: 'critical',
        });
      }
    },
  });
}

/** The server's refusals of single settings, by name. */
function fieldsOf(error: ApiError): Problems {
  return Object.fromEntries(
    error.fields.flatMap(({ path, message }) => {
      const [, name = ''] = /^settings\.(\w+)/.exec(path) ?? [];
      return name in SETTINGS ? [[name, message]] : [];
    }),
  );
}
