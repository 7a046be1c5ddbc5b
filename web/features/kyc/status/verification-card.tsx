import type { Verification } from '#contract/api.ts';
import { CollapsibleSheet } from '#web/ui/collapsible-sheet.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { VerificationDocuments } from './verification-documents.tsx';
import {
  VERIFICATION_LABELS,
  uploadedCount,
  lastChange,
  verificationMessage,
} from './verification-words.ts';
import './identity.css';

interface VerificationCardProps {
  verification: Verification;
}

/** State of the wallet's verification, and the documents it takes. */
export function VerificationCard({ verification }: VerificationCardProps) {
  const { status, completionPercentage: percent, rejectionReason } = verification;
  const last = lastChange(verification);
  return (
    <CollapsibleSheet
      title="KYC Verification Status"
      end={
        last !== undefined && (
          <span className="muted num">
            {last.what} <Time at={last.at} as="date" />
          </span>
        )
      }
    >
      <div className="identity">
        <div className="identity__state">
          <Status status={status} label={VERIFICATION_LABELS[status]} />
          <p className="muted">{verificationMessage(verification)}</p>
          {status !== 'not_started' && (
            <div>
              <p className="identity__count num">
                <span className="muted">Documents uploaded</span>
                <span>{uploadedCount(verification)}</span>
              </p>
              <ProgressBar label="Completion" value={percent} valueText={`${percent}% complete`} />
              <p className="meta num mt-1">{percent}% complete</p>
            </div>
          )}
          {status === 'rejected' && rejectionReason !== null && (
            <Notice tone="critical">
              <p className="strong">Reason for the rejection</p>
              <p className="reviewer-notes__words">{rejectionReason}</p>
            </Notice>
          )}
        </div>
        <VerificationDocuments verification={verification} />
      </div>
    </CollapsibleSheet>
  );
}
