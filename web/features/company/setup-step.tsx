import type { ReactNode } from 'react';
import type { SettingsReply } from '#contract/api.ts';
import { SETUP_SETTINGS, SETUP_STEPS, type SetupStep } from '#contract/company-setup.ts';
import { Button } from '#web/ui/button.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import { Section } from '#web/ui/section.tsx';
import { CurrencyRow, isLegal } from './setting-consequence.tsx';
import { SettingRows } from './setting-row.tsx';
import { SETUP_WORDS } from './setup-words.ts';
import type { SettingsDraft } from './use-settings-draft.ts';
import { useSettingsForm } from './use-settings-form.ts';

interface SetupStepFormProps {
  step: SetupStep;
  reply: SettingsReply;
  draft: SettingsDraft;
  /** True while the decision about a step is being saved. */
  isDeciding: boolean;
  onBack: (() => void) | undefined;
  onDone: () => void;
  onSkip: () => void;
  /** Content of the step besides its settings. */
  children?: ReactNode;
}

/** One step of the set-up, with the same fields and operation as the settings. */
export function SetupStepForm(props: SetupStepFormProps) {
  const { step, reply, draft, isDeciding, onBack, onDone, onSkip, children } = props;
  const names = SETUP_SETTINGS[step].filter((name) => isLegal(name, reply, draft));
  const form = useSettingsForm({ names, reply, draft, onSaved: onDone });
  const { label, why } = SETUP_WORDS[step];
  return (
    <div className="setup">
      <div className="settings">
        <Section
          title={label}
          end={
            <span className="setup__place muted num">
              {`Step ${SETUP_STEPS.indexOf(step) + 1} of ${SETUP_STEPS.length}`}
            </span>
          }
        >
          <p className="setup__why muted">{why}</p>
        </Section>
      </div>
      {/* Outside the form, because their dialogs contain forms. */}
      {children !== undefined && <div className="setup__part">{children}</div>}
      <form
        noValidate
        className="settings-form"
        onSubmit={(event) => {
          event.preventDefault();
          // Unchanged settings need no saving.
          if (form.edited.length === 0) onDone();
          else form.submit();
        }}
      >
        <FormSummary title="Please check the settings" {...form.summary} />
        <SettingRows names={names} reply={reply} draft={draft} form={form} />
        {step === 'time' && reply.isCurrencyFixed && <CurrencyRow reply={reply} />}
        <div className="setup__acts">
          {onBack !== undefined && <Button onPress={onBack}>Back</Button>}
          <Button isDisabled={isDeciding} onPress={onSkip}>
            Skip This Step
          </Button>
          <Button
            kind="solid"
            type="submit"
            isPending={form.isPending || isDeciding}
            pendingLabel="Saving"
            why={form.why}
          >
            {names.length === 0 ? 'Continue' : 'Save and Continue'}
          </Button>
        </div>
      </form>
    </div>
  );
}
