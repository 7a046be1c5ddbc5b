import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { Money } from '#contract/money.ts';
import { markStale } from '#web/api/live.ts';
import { isOutcomeUnknown } from '#web/api/money-mutation.ts';
import { errorMessage } from '#web/api/query.ts';
import { useUnsavedWork } from '#web/lib/unsaved-work.ts';
import { AmountHead } from '#web/ui/amount-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { ShownAmounts } from '#web/ui/shown-amounts.tsx';
import { toast } from '#web/ui/toast-queue.ts';
import type { Sent } from './form.tsx';
import type { FormState } from './form-state.ts';
import { OutcomeNotice } from './outcome-notice.tsx';
import { useFormTask, type FormTaskOptions } from './use-form-task.ts';

type Step<Plan, Reply> =
  | { kind: 'fill' }
  | { kind: 'review'; plan: Plan }
  | { kind: 'done'; plan: Plan; reply: Reply };

interface ReviewedFormOptions<Values extends FieldValues, Plan, Reply, Input> extends Omit<
  FormTaskOptions<Values, Reply, Input>,
  'done' | 'onFailed'
> {
  /**
   * Request made of a plan. The same plan always makes the same input, by which a request that was not
   * answered is known again.
   */
  inputOf: (plan: Plan) => Input;
  /**
   * Message while nobody knows whether it arrived: "The bill could not be scheduled. Please try again."
   * Null if the review alone says so.
   */
  failed: string | null;
  /** True if what was typed is kept elsewhere, so that leaving loses nothing. */
  hasDraft?: boolean;
  /** Says a refusal that no field explains. Without it a message does, and leads back to the fields. */
  onRefused?: (error: Error) => void;
}

/** The review of a plan, for {@link ReviewDialog}. */
export interface Review {
  outcome: { isSending: boolean; isUnknown: boolean };
  onBack: () => void;
  onConfirm: () => void;
}

/**
 * A form that moves money, in three steps: fill in, review, receipt. Its values make a plan, which the
 * person confirms before it is sent. A refusal leads back to the fields. While nobody knows whether it
 * arrived, the review stays: confirming again sends the same request.
 */
export function useReviewedForm<Values extends FieldValues, Plan, Reply, Input>(
  state: FormState<Values>,
  options: ReviewedFormOptions<Values, Plan, Reply, Input>,
) {
  const {
    inputOf,
    failed,
    topics = [],
    onDone,
    onPlaced,
    onRefused,
    hasDraft = false,
    ...rest
  } = options;
  const queryClient = useQueryClient();
  const [step, setStep] = useState<Step<Plan, Reply>>({ kind: 'fill' });
  const sent = useRef<Plan>(undefined);
  const onBack = () => setStep({ kind: 'fill' });

  /** Marks shown data as stale that may have changed since the form was checked. */
  function readAgain(): void {
    for (const topic of topics) markStale(queryClient, topic);
  }

  const task = useFormTask<Values, Reply, Input>(state, {
    ...rest,
    topics,
    onDone: async (reply, input) => {
      await onDone?.(reply, input);
      if (sent.current !== undefined) setStep({ kind: 'done', plan: sent.current, reply });
    },
    onPlaced: (field) => {
      readAgain();
      onBack();
      onPlaced?.(field);
    },
    onFailed: (error) => {
      readAgain();
      if (isOutcomeUnknown(error)) {
        if (failed !== null) toast({ title: failed, tone: 'critical' });
        return;
      }
      if (onRefused !== undefined) return onRefused(error);
      toast({
        title: errorMessage(error, 'Nothing was changed. Please try again.'),
        tone: 'critical',
      });
      onBack();
    },
  });

  // The form asks by itself, but it is not on screen during the review.
  useUnsavedWork(step.kind === 'review' && !hasDraft && !task.isPending, 'dialog');

  return {
    step,
    onReview: (plan: Plan) => setStep({ kind: 'review', plan }),
    onBack,
    reviewOf: (plan: Plan): Review => ({
      outcome: { isSending: task.isPending, isUnknown: task.isUnanswered(inputOf(plan)) },
      onBack,
      onConfirm: () => {
        sent.current = plan;
        task.submit(inputOf(plan));
      },
    }),
  };
}

interface ReviewDialogProps {
  /** "Review bill" */
  title: string;
  review: Review;
  /** The answer that sends it: "Pay $70.00 on Dec 8". */
  confirm: string;
  /** Text above the amount: "You pay". */
  line: string;
  /** Amount with its sign. */
  amount: Money;
  facts: readonly Fact[];
  sent: Sent;
  /** Reason it cannot be sent yet. */
  why?: string | undefined;
  /** Under the amount: who gets it. */
  recipient?: ReactNode;
  /** Under the facts: what follows from it. */
  children: ReactNode;
}

/** A payment in full, before anything moves. Shown while it is mounted. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { title, review, confirm, line, amount, facts, sent, recipient, children } = props;
  const { outcome, onBack, onConfirm } = review;
  return (
    <Dialog
      title={title}
      onClose={onBack}
      actions={
        <>
          <Button onPress={onBack}>Back</Button>
          <Button
            kind="money"
            isPending={outcome.isSending}
            pendingLabel="Sending"
            why={props.why}
            onPress={onConfirm}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <div className="dialog__parts">
        <ShownAmounts>
          <AmountHead line={line} amount={amount} />
        </ShownAmounts>
        {recipient}
        <Facts isTight facts={facts} />
        {children}
        <OutcomeNotice {...outcome} {...sent} />
      </div>
    </Dialog>
  );
}
