import { LogOut } from 'lucide-react';
import type { ReactNode } from 'react';
import type { User } from '#contract/api.ts';
import { useCompany } from '#web/lib/company.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Steps } from '#web/ui/steps.tsx';
import { Wordmark } from '#web/ui/wordmark.tsx';
import { LAST_STEP, WIZARD_STEPS, stepHref } from './wizard-plan.ts';
import './wizard.css';

interface WizardFrameProps {
  user: User;
  /** From 1. */
  step: number;
  /** State of each step, from the first. */
  complete: readonly boolean[];
  /** Completeness of the application. */
  percent: number;
  saved: ReactNode;
  onSignOut: () => void;
  /** Something is saved before the person is signed out. */
  isLeaving: boolean;
  children: ReactNode;
}

/** Frame around every step: the current step, the state of saving, the way out. */
export function WizardFrame({ user, step, complete, percent, ...frame }: WizardFrameProps) {
  const words = `${step} of ${LAST_STEP}`;
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <header className="wizard__bar">
        <div className="topbar">
          <Wordmark />
          <span className="topbar__company">{useCompany().name}</span>
          <div className="topbar__end">
            {frame.saved}
            <span className="topbar__welcome">Welcome, {user.firstName}</span>
            <Button
              kind="quiet"
              onPress={frame.onSignOut}
              isPending={frame.isLeaving}
              pendingLabel="Saving"
            >
              <Icon of={LogOut} size={16} />
              Log out
            </Button>
          </div>
        </div>
        <ProgressBar
          isThin
          label="Application progress"
          value={percent}
          valueText={`${words}, ${percent}% complete`}
        />
      </header>
      <div className="wizard">
        <nav className="wizard__side" aria-label="Application">
          <p className="wizard__count num">
            <span className="strong">{words}</span>
            <span className="muted">{percent}% complete</span>
          </p>
          <Steps
            label="Steps"
            steps={WIZARD_STEPS.map(({ title }) => title)}
            current={step - 1}
            complete={complete}
            hrefOf={(index) => stepHref(index + 1)}
          />
        </nav>
        <main id="main" tabIndex={-1}>
          {frame.children}
        </main>
      </div>
    </>
  );
}
