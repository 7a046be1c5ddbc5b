import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SettingsReply, SetupReply } from '#contract/api.ts';
import { SETUP_STEPS, type SetupStep, type SetupStepOutcome } from '#contract/company-setup.ts';
import { SETTING_NAMES } from '#contract/settings.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ConfirmAction, useAction } from '#web/kit/action.tsx';
import { Button } from '#web/ui/button.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Stepper } from '#web/ui/stepper.tsx';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { SetupEnd } from './setup-end.tsx';
import { SetupStepForm } from './setup-step.tsx';
import { SETUP_WORDS } from './setup-words.ts';
import { useSettingsDraft } from './use-settings-draft.ts';
import './settings.css';
import './setup.css';

interface CompanySetupProps {
  setup: SetupReply;
  settings: SettingsReply;
  /** Content of a step besides its settings. */
  parts: Partial<Record<SetupStep, ReactNode>>;
}

/** Guided set-up, starting at the first undecided step. */
export function CompanySetup({ setup, settings, parts }: CompanySetupProps) {
  const draft = useSettingsDraft(settings);
  useUnsavedWork(SETTING_NAMES.some(draft.isEdited), 'screen');
  // Kept here, so that another admin's decision does not change the step on this screen.
  const [index, setIndex] = useState(() => Math.max(firstOpen(setup, 0), 0));
  const decide = useDecideStep((reply) => setIndex((now) => nextOf(reply, now)));
  const step = SETUP_STEPS[index] ?? 'company';
  if (setup.outcome !== null) return <SetupEnd setup={setup} />;
  const names = SETUP_STEPS.map((one) => SETUP_WORDS[one].label);
  return (
    <>
      <Stepper steps={names} current={index} onGoTo={setIndex} />
      <Decided {...(setup.steps[index] ?? { outcome: null, by: null })} />
      <SetupStepForm
        key={step}
        step={step}
        reply={settings}
        draft={draft}
        isDeciding={decide.isPending}
        onBack={index === 0 ? undefined : () => setIndex(index - 1)}
        onDone={() => decide.mutate({ step, outcome: 'done' })}
        onSkip={() => {
          draft.drop(SETTING_NAMES);
          decide.mutate({ step, outcome: 'skipped' });
        }}
      >
        {parts[step]}
      </SetupStepForm>
      <div className="setup__leave">
        <LinkButton href="/admin/dashboard">Leave for Now</LinkButton>
        <Dismiss />
      </div>
    </>
  );
}

function firstOpen({ steps }: SetupReply, from: number): number {
  return steps.findIndex(({ outcome }, place) => place >= from && outcome === null);
}

/** Next undecided step after this one, or else before it. */
function nextOf(setup: SetupReply, now: number): number {
  const next = firstOpen(setup, now + 1);
  return next === -1 ? Math.max(firstOpen(setup, 0), 0) : next;
}

function Decided({ outcome, by }: Pick<SetupReply['steps'][number], 'outcome' | 'by'>) {
  if (outcome === null) return null;
  return (
    <p className="meta" role="status">
      {`${outcome === 'done' ? 'Done' : 'Skipped'} by ${by ?? 'Purser'}.`}
    </p>
  );
}

/** The server's state of the set-up is shown after a refusal too: another admin may have ended it. */
function useSetupChange() {
  const queryClient = useQueryClient();
  const { queryKey } = apiQuery('adminGetSetup', {});
  return {
    topics: ['settings'] as const,
    failed: 'Not saved',
    onDone: (reply: SetupReply) => queryClient.setQueryData(queryKey, reply),
  };
}

function useDecideStep(onDecided: (reply: SetupReply) => void) {
  const change = useSetupChange();
  return useAction({
    ...change,
    send: (body: { step: SetupStep; outcome: SetupStepOutcome }) =>
      call('adminDecideSetupStep', { body }),
    onDone: (reply) => {
      change.onDone(reply);
      onDecided(reply);
    },
  });
}

function Dismiss() {
  const [isAsking, setIsAsking] = useState(false);
  const change = useSetupChange();
  return (
    <>
      <Button shape="text" onPress={() => setIsAsking(true)}>
        Dismiss Set-up
      </Button>
      {isAsking && (
        <ConfirmAction
          title="Dismiss the set-up?"
          keep="Keep Set-up"
          confirm="Dismiss"
          pending="Dismissing"
          send={() => call('adminDismissSetup', {})}
          {...change}
          onClose={() => setIsAsking(false)}
        >
          The set-up ends for every administrator. You can still change everything in Settings.
        </ConfirmAction>
      )}
    </>
  );
}
