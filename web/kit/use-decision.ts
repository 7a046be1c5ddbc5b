import { useQueryClient } from '@tanstack/react-query';
import type { EventTopic } from '#contract/live-topics.ts';
import { isUnconfirmed, type CallOptions } from '#web/api/client.ts';
import { markStale } from '#web/api/live.ts';
import { isOutcomeUnknown, useKeyedMutation } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { toast } from '#web/ui/toast-queue.ts';

interface DecisionOptions<Input, Reply> {
  send: (input: Input, options: CallOptions) => Promise<Reply>;
  /** Queries that are fetched again after it, because their replies may differ now. */
  topic: EventTopic;
  /** Message once it is done. */
  done: (reply: Reply, input: Input) => { title: string; message: string };
  /** Message of a failure without words of its own: "The withdrawal was not changed." */
  unchanged: string;
  /** The question itself says when nobody knows whether it was decided, so that no message does. */
  saysUnknown?: boolean;
  /** The question stays open with what was typed and says why it was refused, so that no message does. */
  saysRefusal?: (input: Input) => boolean;
  /** The question can close: it was decided, or refused. */
  onSettled: () => void;
  /** Takes the reply, before anything is asked for again. */
  onReply?: (reply: Reply, input: Input) => void;
  /** Work to wait for after it is done, still shown as pending. */
  afterwards?: () => Promise<unknown>;
}

/**
 * Decides something and says what came of it. Everything that shows it is asked for again: after a
 * refusal too, since another admin may have been faster. While the outcome is unknown the question
 * stays open: pressing again sends the same request and cannot decide twice.
 */
export function useDecision<Input, Reply>(options: DecisionOptions<Input, Reply>) {
  const { send, topic, done, unchanged, saysUnknown, saysRefusal, onSettled } = options;
  const { onReply, afterwards } = options;
  const queryClient = useQueryClient();
  const decide = useKeyedMutation<Input, Reply>({
    send,
    onSuccess: async (reply, input) => {
      onReply?.(reply, input);
      markStale(queryClient, topic);
      toast({ ...done(reply, input), tone: 'positive' });
      onSettled();
      await afterwards?.();
    },
    onError: (error, input) => {
      markStale(queryClient, topic);
      const isUnknown = isOutcomeUnknown(error);
      // The question stays open, with what was typed.
      if (isUnconfirmed(error)) return;
      if (isUnknown ? saysUnknown === true : saysRefusal?.(input) === true) return;
      if (!isUnknown) onSettled();
      toast({
        title: isUnknown ? 'No response' : 'Action Failed',
        message: isUnknown
          ? 'We can’t tell whether it was done. It’s safe to try again; nothing is done twice.'
          : errorMessage(error, unchanged),
        tone: 'critical',
      });
    },
  });
  const { error } = decide;
  const isRefused =
    error !== null && !decide.isPending && !isOutcomeUnknown(error) && !isUnconfirmed(error);
  return {
    ...decide,
    /** Why it was refused, for a question that says so. */
    refusal: isRefused ? errorMessage(decide.error, unchanged) : undefined,
  };
}
