import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorMessage } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { PageTitle } from '#web/ui/page-title.tsx';
import { ActionButton } from './action.tsx';

interface MailedLinkTaskProps<Reply> {
  title: string;
  /** Sentence that says what the link does, shown before it does it. */
  what: string;
  /** The button that does it. */
  label: string;
  pendingLabel: string;
  kind?: 'solid' | 'danger' | undefined;
  act: () => Promise<Reply>;
  /** Runs after the act, for a page that then shows something else. */
  onSuccess?: ((reply: Reply) => Promise<void>) | undefined;
  /** Sentence for a refusal without a reason from the server. */
  refusal: string;
  /** Text that is shown after the act. */
  done?: ((reply: Reply) => ReactNode) | undefined;
  /** Leads on, once it is done or refused. */
  onward?: { label: string; onPress: () => void } | undefined;
}

/**
 * The page of a mailed link that changes something. It asks with a button first: mail programs and their
 * scanners open links, and some run the scripts of the page.
 */
export function MailedLinkTask<Reply>(props: MailedLinkTaskProps<Reply>) {
  const { title, what, label, pendingLabel, kind = 'solid', act, onSuccess, refusal } = props;
  const { done, onward } = props;
  const task = useMutation({ mutationFn: act, ...(onSuccess && { onSuccess }) });
  const isDone = task.isSuccess && done !== undefined;
  return (
    <>
      <PageTitle>{title}</PageTitle>
      {isDone ? (
        <div className="mt-6">
          <Notice tone="positive" role="status">
            {done(task.data)}
          </Notice>
        </div>
      ) : (
        <p className="mt-3">{what}</p>
      )}
      {task.error !== null && (
        <div className="mt-6">
          <Notice tone="critical" role="alert">
            {errorMessage(task.error, refusal)}
          </Notice>
        </div>
      )}
      {!isDone && (
        <div className="mt-6">
          <ActionButton kind={kind} shape="block" action={task} pending={pendingLabel}>
            {label}
          </ActionButton>
        </div>
      )}
      {onward !== undefined && (isDone || task.error !== null) && (
        <div className="mt-3">
          <Button kind={isDone ? 'solid' : 'outline'} shape="block" onPress={onward.onPress}>
            {onward.label}
          </Button>
        </div>
      )}
    </>
  );
}
