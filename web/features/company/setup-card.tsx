import { SETUP_STEPS } from '#contract/company-setup.ts';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import './setup.css';

/** Card on the dashboard that links to the set-up while it is open. */
export function SetupCard({ decided }: { decided: number }) {
  return (
    <div className="setup__card">
      <Notice tone="motion">
        <p>
          <span className="strong">The company is not set up yet.</span>{' '}
          {`${decided} of ${SETUP_STEPS.length} steps are done or skipped.`}
        </p>
        <p className="mt-3">
          <LinkButton href="/admin/company-setup">
            {decided === 0 ? 'Start Set-up' : 'Continue Set-up'}
          </LinkButton>
        </p>
      </Notice>
    </div>
  );
}
