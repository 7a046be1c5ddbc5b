import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import type { KycApplication, RouteReply, User } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import {
  answerOf,
  type AnswerValues,
  type FlagField,
  type TextField,
} from '#web/features/kyc/answer-values.ts';
import { ANSWER_LABELS } from '#web/features/kyc/answer-words.ts';
import { useField } from '#web/lib/form.ts';
import { useCompany } from '#web/lib/company.ts';
import { accountAnswers } from './account-answers.ts';
import { Autosave, type AutosaveServer } from './autosave.ts';
import { isRequired } from './wizard-plan.ts';

export const applicationQuery = apiQuery('getMyApplication', {});

const server: AutosaveServer = {
  save: ({ id, version }, answers) =>
    call('saveMyApplication', { body: { id, version, answers } }, { outlivesPage: true }),
  load: () => call('getMyApplication'),
};

/**
 * Unsaved input outlives the wizard within this page: signing in again after a session
 * ended finds it. One application's at a time, so that the next person finds nothing of this one's.
 */
let kept: { applicationId: string; autosave: Autosave } | null = null;

function autosaveOf(application: KycApplication, user: User, companyName: string): Autosave {
  // The server, which draws the applications of many, keeps and saves nothing of any.
  if (typeof document === 'undefined') return new Autosave(application, server);
  if (kept?.applicationId !== application.id) {
    forgetUnsavedAnswers();
    const autosave = new Autosave(application, server);
    for (const [field, value] of accountAnswers(application, user, companyName)) {
      autosave.edit(field, value);
    }
    kept = { applicationId: application.id, autosave };
  }
  return kept.autosave;
}

/** Forgets what was typed and not saved: its owner leaves. */
export function forgetUnsavedAnswers(): void {
  kept?.autosave.forget();
  kept = null;
}

/** The autosaving of an application that is on screen, and how it stands. */
export function useAutosave(application: RouteReply<'getMyApplication'>, user: User) {
  const queryClient = useQueryClient();
  const { name: companyName } = useCompany();
  const [autosave] = useState(() => autosaveOf(application, user, companyName));
  const state = useSyncExternalStore(autosave.subscribe, autosave.state, autosave.state);

  useEffect(() => autosave.adopt(application), [autosave, application]);

  useEffect(() => {
    // Back after a session ended, or with something a lost connection left behind.
    void autosave.flush();
  }, [autosave]);

  useEffect(() => {
    // A phone says no more than this before it closes a page.
    const saveNow = () => {
      if (document.visibilityState === 'hidden') void autosave.flush();
    };
    document.addEventListener('visibilitychange', saveNow);
    return () => document.removeEventListener('visibilitychange', saveNow);
  }, [autosave]);

  useEffect(() => {
    queryClient.setQueryData(applicationQuery.queryKey, (read) =>
      read !== undefined && read.version >= state.application.version ? read : state.application,
    );
  }, [queryClient, state.application]);

  useEffect(() => {
    if (state.status !== 'stopped') return;
    void queryClient.invalidateQueries({ queryKey: ['getSession'] });
    void queryClient.invalidateQueries({ queryKey: applicationQuery.queryKey });
  }, [queryClient, state.status]);

  useEffect(() => {
    if (!state.hasUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [state.hasUnsaved]);

  return { autosave, state };
}

/** State that the steps share: one form over all answers, saved as it is typed. */
export interface Wizard {
  form: UseFormReturn<AnswerValues>;
  autosave: Autosave;
  /** The company's today, `2026-12-08`. */
  today: string;
  /** The employer of an employee: this company. Null for others, who are asked. */
  employer: string | null;
  /** For what may move the screen. */
  afterPress: (act: () => void) => void;
}

/** The field of an answer that is typed or chosen: its label, its mark, and its value, saved when it changes. */
export function useAnswer(wizard: Wizard, name: TextField) {
  const field = useField(wizard.form, name);
  const country = useWatch({ control: wizard.form.control, name: 'country' });
  return {
    ...field,
    label: ANSWER_LABELS[answerOf(name)],
    isRequired: isRequired(answerOf(name), country),
    onBlur: () => wizard.afterPress(field.onBlur),
    onChange: (value: string) => {
      field.onChange(value);
      wizard.autosave.edit(name, value);
    },
  };
}

/** The field of an answer that is yes or no. */
export function useFlag(wizard: Wizard, name: FlagField) {
  const field = useField(wizard.form, name);
  return {
    name,
    isChecked: field.value,
    error: field.error,
    onBlur: () => wizard.afterPress(field.onBlur),
    onChange: (isChecked: boolean) => {
      field.onChange(isChecked);
      wizard.autosave.edit(name, isChecked);
    },
  };
}
