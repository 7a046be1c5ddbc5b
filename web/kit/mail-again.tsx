import type { ReactNode } from 'react';
import type { EventTopic } from '#contract/live-topics.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useAction, ActionButton } from './action.tsx';

interface MailAgainProps {
  send: () => Promise<unknown>;
  topic: EventTopic;
  /** The event, and the step to take before this. */
  children: ReactNode;
}

/** Notice that mail to an address does not arrive, with a button that tries again. */
export function MailAgain({ send, topic, children }: MailAgainProps) {
  const resume = useAction({
    send,
    topics: [topic],
    done: { title: 'Mail is sent again' },
    failed: 'Mail is not sent again',
  });
  return (
    <div className="mb-4">
      <Notice tone="caution">
        {children}{' '}
        <ActionButton kind="quiet" shape="text" action={resume} pending="Sending again">
          Send Mail Again
        </ActionButton>
      </Notice>
    </div>
  );
}
