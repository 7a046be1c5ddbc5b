import type { KycApplication, RouteReply } from '#contract/api.ts';
import { can } from '#contract/can.ts';
import { kycCan } from '#contract/kyc.ts';
import { DatedRail } from '#web/ui/dated-rail.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { applicationRail } from './application-rail.ts';
import { StatusMessage } from './status-message.tsx';
import './identity.css';

/** More do not fit side by side. */
const LYING_STATIONS = 4;

interface StatusCardProps {
  application: RouteReply<'getMyApplication'>;
  onStarted: (application: KycApplication) => void;
}

/** State of the identity application, its completeness, its past steps and the next one. */
export function StatusCard({ application, onStarted }: StatusCardProps) {
  const { status, submittedAt, completion } = application;
  const percent = completion.statusPage;
  const steps = applicationRail(application);
  return (
    <section className="sheet" aria-labelledby="verification-status">
      <div className="sheet__head">
        <h2 className="section-title" id="verification-status">
          Verification Status
        </h2>
        {submittedAt !== null && (
          <span className="muted num">
            Submitted on <Time at={submittedAt} as="date" />
          </span>
        )}
      </div>
      <div className="identity">
        <div className="identity__state">
          <Status status={status} isFinal={status === 'approved'} />
          <div>
            <p className="identity__count num">
              <span className="muted">Completion</span>
              <span>{percent}% complete</span>
            </p>
            <ProgressBar label="Completion" value={percent} valueText={`${percent}% complete`} />
            {percent < 100 && !can(kycCan, 'edit', status) && (
              <p className="meta mt-1">
                Three wallet documents complete the rest. You can withdraw without them.{' '}
                <TextLink href="/employee/bank-details">Add documents</TextLink>
              </p>
            )}
          </div>
        </div>
        <div className="sheet__body identity__course">
          <StatusMessage application={application} onStarted={onStarted} />
          <DatedRail
            label="What happened with the application"
            layout={steps.length > LYING_STATIONS ? 'stacked' : 'lying'}
            moments="dateTime"
            steps={steps}
          />
        </div>
      </div>
    </section>
  );
}
