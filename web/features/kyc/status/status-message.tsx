import type { ReactNode } from 'react';
import type { KycApplication } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { itemLine } from '#web/features/kyc/history.ts';
import { useAction, ActionButton } from '#web/kit/action.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Notice } from '#web/ui/notice.tsx';

interface StatusMessageProps {
  application: KycApplication;
  /** A new application was begun after a rejected one. */
  onStarted: (application: KycApplication) => void;
}

/** Meaning of the status for the person, and what they can do about it. */
export function StatusMessage({ application, onStarted }: StatusMessageProps) {
  switch (application.status) {
    case 'in_progress':
      return (
        <Message
          tone="motion"
          title="Not submitted yet"
          action={<LinkButton href="/onboarding">Continue Application</LinkButton>}
        >
          <p>Your answers are kept. Complete and submit them to have your identity verified.</p>
        </Message>
      );
    case 'submitted':
    case 'in_review':
      return (
        <Message tone="motion" title="Under Review">
          <p>
            Our team reviews your application within 1–2 business days. You will be notified of the
            decision.
          </p>
        </Message>
      );
    case 'approved':
      return (
        <Message tone="positive" title="Congratulations!">
          <p>Your identity has been verified. You can send money out of your wallet.</p>
        </Message>
      );
    case 'rejected':
      return (
        <Message
          tone="critical"
          title="Your application was rejected"
          action={<StartNew onStarted={onStarted} />}
        >
          {application.rejectionReason !== null && (
            <p className="reviewer-notes__words">{application.rejectionReason}</p>
          )}
          <p>You can start again. The rejected application is kept for the record.</p>
        </Message>
      );
    case 'resubmit_required':
      return (
        <Message
          tone="caution"
          title="Please update your application"
          action={<LinkButton href="/onboarding">Update Documents</LinkButton>}
        >
          {application.resubmissionNotes !== null && (
            <p className="reviewer-notes__words">{application.resubmissionNotes}</p>
          )}
          <ul>
            {application.resubmissionItems.map((asked) => (
              <li key={asked.item}>{itemLine(asked)}</li>
            ))}
          </ul>
        </Message>
      );
  }
}

interface MessageProps {
  tone: 'motion' | 'positive' | 'critical' | 'caution';
  title: string;
  children: ReactNode;
  action?: ReactNode;
}

function Message({ tone, title, children, action }: MessageProps) {
  return (
    <Notice tone={tone}>
      <p className="strong">{title}</p>
      {children}
      {action !== undefined && <div className="mt-3">{action}</div>}
    </Notice>
  );
}

function StartNew({ onStarted }: Pick<StatusMessageProps, 'onStarted'>) {
  const start = useAction({
    send: () => call('startNewApplication'),
    topics: ['kyc'],
    failed: 'No new application was started',
    onDone: onStarted,
  });
  return (
    <ActionButton action={start} pending="Starting">
      Start New Application
    </ActionButton>
  );
}
