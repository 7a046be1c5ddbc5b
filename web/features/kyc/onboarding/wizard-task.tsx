import type { ApplicationDocumentType } from '#contract/kyc.ts';
import { documentTarget } from '#web/features/kyc/document-target.ts';
import { useUpload, type Upload } from '#web/kit/use-upload.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useEffectEvent, useState } from 'react';
import { RequiredMark } from '#web/ui/field.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import {
  LAST_STEP,
  stepAt,
  FIRST_STEP,
  WIZARD_STEPS,
  completionPercent,
  firstOpenStep,
  isStepComplete,
} from './wizard-plan.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { RouteReply, KycApplication, User } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import { useCompany } from '#web/lib/company.ts';
import { useAfterPress } from '#web/lib/after-press.ts';
import { Button } from '#web/ui/button.tsx';
import { FormSummary } from '#web/ui/form-summary.tsx';
import type { Autosave, SaveState } from './autosave.ts';
import { SaveLine } from './save-line.tsx';
import { SignOutGuard } from './sign-out-guard.tsx';
import { StepContent } from './steps.tsx';
import { ReviewStep } from './step-review.tsx';
import { useSubmit } from './use-submit.ts';
import { useWizardForm } from './use-wizard-form.ts';
import { applicationQuery, type Wizard } from './use-wizard.ts';
import { WizardFrame } from './wizard-frame.tsx';
import { WizardNotices } from './wizard-notices.tsx';
import type { ReactNode } from 'react';

export interface OnboardingWizardProps {
  user: User;
  /** The step to show; without one, where the person left off. */
  step: number | undefined;
  onStep: (step: number) => void;
  /** No step was asked for: this is where the person left off. */
  onResume: (step: number) => void;
  onSignOut: () => void;
  /** The application's status changed: it can no longer be edited. */
  onLeave: (status: KycApplication['status']) => void;
  /** Content shown while something loads. */
  loading: (message: string) => ReactNode;
}

interface WizardTaskProps extends OnboardingWizardProps {
  /** As it was read last; its documents are newer than those of the last save. */
  loaded: RouteReply<'getMyApplication'>;
  autosave: Autosave;
  state: SaveState;
}

/** One step at a time, with everything around it. */
export function WizardTask(props: WizardTaskProps) {
  const { user, loaded, autosave, state, onStep } = props;
  const { timeZone, name: companyName } = useCompany();
  const queryClient = useQueryClient();
  const application = { ...state.application, documents: loaded.documents };
  // The step at which the person left off does not change while they go on from there.
  const [resumeAt] = useState(() => firstOpenStep(application));
  const isResuming = props.step === undefined;
  const resume = useEffectEvent(() => props.onResume(resumeAt));
  useEffect(() => {
    if (isResuming) resume();
  }, [isResuming]);
  const [today] = useState(() => dayIn(timeZone, new Date()));
  const step = props.step ?? resumeAt;
  const uploads = useApplicationUploads();
  const { form, problems, attempt, submit } = useWizardForm({
    step,
    autosave,
    refused: state.refused,
    rules: { today, minAgeYears: loaded.minAgeYears },
  });
  const submission = useSubmit({
    autosave,
    onSubmitted: (submitted) => queryClient.setQueryData(applicationQuery.queryKey, submitted),
    onChanged: () => void queryClient.invalidateQueries({ queryKey: applicationQuery.queryKey }),
  });
  const isUploading = Object.values(uploads).some(({ share }) => share !== null);
  const wizard: Wizard = {
    form,
    autosave,
    today,
    afterPress: useAfterPress(),
    employer: user.employeeId === null ? null : companyName,
  };
  const isLast = step === LAST_STEP;

  function goOn(): void {
    void autosave.flush();
    onStep(step + 1);
  }

  return (
    <SignOutGuard autosave={autosave} onSignOut={props.onSignOut}>
      {(askToSignOut, isLeaving) => (
        <WizardFrame
          user={user}
          step={step}
          complete={WIZARD_STEPS.map((_, index) => isStepComplete(index + 1, application))}
          percent={completionPercent(application)}
          saved={<SaveLine state={state} />}
          onSignOut={askToSignOut}
          isLeaving={isLeaving}
        >
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (isLast) submission.submit.mutate();
              else submit(goOn);
            }}
          >
            <StepHead key={step} step={step} />
            <div className="form wizard__form">
              <WizardNotices
                step={step}
                application={application}
                autosave={autosave}
                status={state.status}
              />
              {isLast ? (
                <ReviewStep
                  application={application}
                  documents={application.documents}
                  problems={submission.problems}
                  attempt={submission.attempt}
                />
              ) : (
                <>
                  <FormSummary
                    title="Please check your answers"
                    problems={problems}
                    attempt={attempt}
                  />
                  <StepContent
                    step={step}
                    wizard={wizard}
                    application={application}
                    uploads={uploads}
                  />
                </>
              )}
            </div>
            <WizardButtons
              step={step}
              isSubmitting={submission.submit.isPending}
              why={isLast && isUploading ? 'An image is still being uploaded.' : undefined}
              onBack={() => onStep(step - 1)}
            />
          </form>
        </WizardFrame>
      )}
    </SignOutGuard>
  );
}

interface WizardButtonsProps {
  step: number;
  isSubmitting: boolean;
  why: string | undefined;
  onBack: () => void;
}

function WizardButtons({ step, isSubmitting, why, onBack }: WizardButtonsProps) {
  return (
    <div className="wizard__buttons">
      {step > FIRST_STEP && <Button onPress={onBack}>Back</Button>}
      {step < LAST_STEP ? (
        <Button kind="solid" type="submit">
          Next
        </Button>
      ) : (
        <div className="wizard__submit">
          <span className="meta">Reviewed within 1–2 business days</span>
          <Button
            kind="solid"
            type="submit"
            isPending={isSubmitting}
            pendingLabel="Submitting"
            why={why}
          >
            Submit Application
          </Button>
        </div>
      )}
    </div>
  );
}

/**
 * The title of a step. A change link names the field to begin at in the address; without one the
 * title takes the focus, as everywhere.
 */
function StepHead({ step }: { step: number }) {
  const head = useRef<HTMLDivElement>(null);
  const field = useLocation({ select: ({ hash }) => hash });
  const { title, line } = stepAt(step);

  useEffect(() => {
    if (field === '') return;
    const form = head.current?.closest('form');
    form?.querySelector<HTMLElement>(`[name="${CSS.escape(field)}"]`)?.focus();
  }, [field]);

  return (
    <div ref={head}>
      <PageTitle>{title}</PageTitle>
      <p className="muted mt-1">
        {line}
        {step < LAST_STEP && (
          <>
            {' '}
            Fields marked <RequiredMark /> are required.
          </>
        )}
      </p>
    </div>
  );
}

const HANDLERS: Parameters<typeof useUpload>[1] = {
  onUploaded: ({ name }) =>
    toast({
      title: 'Document Uploaded',
      message: `${name} has been uploaded successfully`,
      tone: 'positive',
    }),
  onFailed: () =>
    toast({ title: 'Upload Failed', message: 'Failed to upload document', tone: 'critical' }),
};

/** The uploads of the wizard; they go on while other steps are on screen. */
function useApplicationUploads(): Record<ApplicationDocumentType, Upload> {
  const front = useUpload(documentTarget('id_front'), HANDLERS);
  const back = useUpload(documentTarget('id_back'), HANDLERS);
  return { id_front: front, id_back: back };
}
