import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply, SettingsReply } from '#contract/api.ts';
import {
  settingLabel,
  SETTINGS,
  type SettingName,
  type SettingValues,
} from '#contract/settings.ts';
import { ApiError, call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { toastFailure } from '#web/kit/action.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import { readAll, type Typed } from './typed-settings.ts';
import type { SettingsDraft } from './use-settings-draft.ts';

type Problems = Partial<Record<SettingName, string>>;

interface SettingsFormOptions {
  /** Settings in the form. */
  names: readonly SettingName[];
  reply: SettingsReply;
  draft: SettingsDraft;
  /** Not called if all changes wait for another admin. */
  onSaved: (at: Date) => void;
}

/** Checks and saves the values typed into a form of settings. */
export function useSettingsForm({ names, reply, draft, onSaved }: SettingsFormOptions) {
  const [problems, setProblems] = useState<Problems>({});
  const [attempt, setAttempt] = useState(0);
  const show = (found: Problems) => {
    setProblems(found);
    setAttempt((count) => count + 1);
  };
  const save = useSaveSettings({ reply, draft, onSaved, onProblems: show });
  const edited = names.filter(draft.isEdited);
  return {
    edited,
    problems,
    /** Content of the summary at the top of the form. */
    summary: {
      problems: names.flatMap((name) => {
        const message = problems[name];
        return message === undefined ? [] : [{ name, message }];
      }),
      attempt,
    },
    isPending: save.isPending,
    /** Reason it cannot be saved yet. */
    why: edited.some(draft.isClashing)
      ? 'First choose which of the two values to keep.'
      : undefined,
    /** Removes the errors of settings that are being corrected. */
    forget: (some: readonly SettingName[]) =>
      setProblems((current) =>
        Object.fromEntries(
          Object.entries(current).filter(([name]) => !some.includes(name as SettingName)),
        ),
      ),
    submit: () => {
      const typed: Partial<Record<SettingName, Typed>> = {};
      for (const name of edited) typed[name] = draft.typedOf(name);
      const read = readAll(typed, reply.values, reply.values.currency);
      const found = Object.fromEntries(
        Object.entries(read.problems).filter(([name]) => names.includes(name as SettingName)),
      );
      if (Object.keys(found).length > 0) show(found);
      else save.mutate(read.settings);
    },
  };
}

export type SettingsForm = ReturnType<typeof useSettingsForm>;

interface SaveOptions extends Omit<SettingsFormOptions, 'names'> {
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
      draft.dropSent(settings, saved.values);
      // Every screen shows the company's name and uses its zone.
      void queryClient.invalidateQueries({ queryKey: ['getSession'] });
      if (Object.keys(settings).length > proposed.length) onSaved(new Date());
      if (proposed.length > 0) {
        toast({
          title: 'Another administrator must accept it',
          message: `${proposed.map((name) => settingLabel(name, reply.values.currency)).join(', ')} stays as it is until then.`,
        });
      } else toast({ title: 'Settings saved', tone: 'positive' });
    },
    onError: (error) => {
      // Shows the other admin's change next to the typed value.
      void queryClient.invalidateQueries({ queryKey });
      const found = error instanceof ApiError ? fieldsOf(error) : {};
      if (Object.keys(found).length > 0) onProblems(found);
      else toastFailure('Not saved', error, 'Nothing was changed. Please try again.');
    },
  });
}

/** Refusals of single settings, by name. */
function fieldsOf(error: ApiError): Problems {
  return Object.fromEntries(
    error.fields.flatMap(({ path, message }) => {
      const [, name = ''] = /^settings\.(\w+)/.exec(path) ?? [];
      return name in SETTINGS ? [[name, message]] : [];
    }),
  );
}
