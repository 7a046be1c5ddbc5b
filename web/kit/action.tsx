import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EventTopic } from '#contract/live-topics.ts';
import { isUnconfirmed, type CallOptions } from '#web/api/client.ts';
import { readAgain } from '#web/api/live.ts';
import { isOutcomeUnknown, useKeyedMutation } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { titleCase } from '#web/lib/format.ts';
import { Button, type ButtonKind, type ButtonOptions } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import type { Named } from '#web/ui/named.ts';
import { toast, type ToastWords } from '#web/ui/toast-queue.ts';
import type { Sent } from './form.tsx';
import { OutcomeNotice } from './outcome-notice.tsx';

/**
 * Shows that something failed, with the server's reason if it gave one. Says nothing if the person was
 * asked to confirm who they are, and closed the question.
 */
export function toastFailure(title: string, error: unknown, hint = 'Please try again.'): void {
  if (isUnconfirmed(error)) return;
  toast({ title, message: errorMessage(error, hint), tone: 'critical' });
}

interface ActionOptions<Reply, Input> {
  send: (input: Input, options: CallOptions) => Promise<Reply>;
  /** Topics whose reads are asked for again, after a failure too: somebody may have been faster. */
  topics?: readonly EventTopic[];
  /** Message once it is done. */
  done?: ToastWords | ((reply: Reply, input: Input) => ToastWords);
  /** Title above the reason of a failure: "Payee not removed". */
  failed: string;
  /** Text under that title if the server gave no reason. */
  hint?: string;
  onDone?: (reply: Reply, input: Input) => unknown;
  /** Called when it is done, and when it failed. */
  onSettled?: () => void;
  /** True if a notice says when nobody knows whether it was done. It is then not settled either. */
  saysUnknown?: boolean;
}

/**
 * Does something by a button, without anything that was typed, and says what came of it. A retry after
 * an unknown outcome carries the same Idempotency-Key.
 */
export function useAction<Reply, Input = void>(options: ActionOptions<Reply, Input>) {
  const { send, topics = [], done, failed, hint, onDone, onSettled, saysUnknown } = options;
  const queryClient = useQueryClient();

  /** It is pending until what it changed has been read again. */
  async function settle(): Promise<void> {
    onSettled?.();
    await readAgain(queryClient, topics);
  }

  return useKeyedMutation<Input, Reply>({
    send,
    onSuccess: async (reply, input) => {
      const words = typeof done === 'function' ? done(reply, input) : done;
      if (words !== undefined) toast({ ...words, tone: 'positive' });
      await onDone?.(reply, input);
      await settle();
    },
    onError: async (error) => {
      if (saysUnknown === true && isOutcomeUnknown(error)) return;
      toastFailure(failed, error, hint);
      await settle();
    },
  });
}

type ActionButtonProps = Named &
  Omit<ButtonOptions, 'isPending' | 'pendingLabel' | 'onPress'> & {
    /** A {@link useAction} without input. */
    action: { isPending: boolean; mutate: () => void };
    /** Text while it is done: "Removing". */
    pending?: string;
  };

/** Button that does an action. */
export function ActionButton({ action, pending, ...button }: ActionButtonProps) {
  return (
    <Button
      {...button}
      isPending={action.isPending}
      pendingLabel={pending}
      onPress={() => action.mutate()}
    />
  );
}

/** Verbs of questions, with the words while it is done. */
const PENDING = {
  Cancel: 'Cancelling',
  Delete: 'Deleting',
  Discard: 'Discarding',
  Remove: 'Removing',
  Stop: 'Stopping',
} as const;

/**
 * Words of a question before something ends: "Remove this payee?", answered by "Keep Payee" or "Remove Payee".
 *
 * @param noun as on the buttons: "payee"
 * @param asked in the question, if not "this payee"
 */
export function questionTo(verb: keyof typeof PENDING, noun: string, asked = `this ${noun}`) {
  const name = titleCase(noun);
  return {
    title: `${verb} ${asked}?`,
    keep: `Keep ${name}`,
    confirm: `${verb} ${name}`,
    pending: PENDING[verb],
  };
}

interface ConfirmActionProps<Reply> extends Omit<
  ActionOptions<Reply, void>,
  'onSettled' | 'saysUnknown'
> {
  /** Question: "Remove this payee?" */
  title: string;
  /** Safe answer: "Keep Payee". */
  keep: string;
  /** Confirming answer: "Remove Payee". */
  confirm: string;
  /** Text while it is done: "Removing". */
  pending: string;
  kind?: ButtonKind;
  /** Reason for which it cannot be done now, known beforehand. */
  why?: string | undefined;
  /** For what moves money: the question stays open while nobody knows whether it was done. */
  sent?: Sent;
  onClose: () => void;
  /** Subject and consequence. */
  children: ReactNode;
  /** Paragraphs under that. */
  details?: ReactNode;
}

/** Asks, does it, and closes itself with the result. Open while mounted. */
export function ConfirmAction<Reply>(props: ConfirmActionProps<Reply>) {
  const { title, keep, confirm, pending, kind, why, sent, onClose, children, details, ...options } =
    props;
  const saysUnknown = sent !== undefined;
  const action = useAction<Reply>({ ...options, saysUnknown, onSettled: onClose });
  return (
    <ConfirmDialog
      title={title}
      onClose={onClose}
      onConfirm={() => action.mutate()}
      keepLabel={keep}
      confirmLabel={confirm}
      kind={kind}
      why={why}
      isPending={action.isPending}
      pendingLabel={pending}
    >
      <p>{children}</p>
      {details}
      {sent !== undefined && <OutcomeNotice {...action.outcome} {...sent} />}
    </ConfirmDialog>
  );
}
