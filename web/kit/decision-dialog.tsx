import type { ReactNode } from 'react';
import type { RouteInput } from '#contract/api.ts';
import { REASON_MAX_LENGTH } from '#contract/limits.ts';
import type { EventTopic, RouteName } from '#contract/paths.ts';
import { call, type CallOptions } from '#web/api/client.ts';
import type { ButtonKind } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { ReasonDialog } from '#web/ui/reason-dialog.tsx';
import { OutcomeNotice } from './outcome-notice.tsx';
import { useDecision } from './use-decision.ts';

/** Operations that decide something by its id alone, or with a reason. */
type Takes<Input> = {
  [Name in RouteName]: Input extends RouteInput<Name> ? Name : never;
}[RouteName];
type PlainRoute = Takes<{ params: { id: string } }>;
type ReasonedRoute = Exclude<
  Takes<{ params: { id: string }; body: { reason: string } }>,
  PlainRoute
>;

interface DecisionWords {
  /** On its buttons: "Approve". */
  label: string;
  kind: ButtonKind;
  /** The question, or the title over the reason. */
  title: string;
  /** The answer that does it, where it is not the label. */
  confirm?: string;
  /** What is said meanwhile: "Approving". */
  pending: string;
  /** The title of the message once it is done: "Withdrawal Approved". */
  done: string;
}

/** A decision, as data. One with a reason asks for it, and the person it is about reads it. */
export type Decision = DecisionWords &
  (
    | { operation: PlainRoute; reason?: undefined }
    | {
        operation: ReasonedRoute;
        /**
         * Why the answer waits: "Enter a reason to reject." The safe answer: "Keep Request". And who
         * reads the reason, where it is not the person; the answer is red unless `kind` says otherwise.
         */
        reason: { emptyHint: string; keep: string; placeholder?: string; kind?: ButtonKind };
      }
  );

interface DecisionDialogProps {
  decision: Decision;
  /** Of what is decided about. */
  id: string;
  /** What the message names once it is done: "$250.00 of Maya Castellanos." */
  subject: string;
  topic: EventTopic;
  /** "The withdrawal was not changed." */
  unchanged: string;
  onClose: () => void;
  /** What it is about and what follows from it, with its amounts: a sentence or two. */
  children: ReactNode;
  /** Under them: what to compare, what follows point by point. */
  details?: ReactNode;
}

/** Asks before something is decided, for a reason where one is needed; closes itself with the result. */
export function DecisionDialog({
  decision,
  id,
  subject,
  topic,
  unchanged,
  onClose,
  children,
  details,
}: DecisionDialogProps) {
  const { label, kind, title, confirm = label, pending, done, reason } = decision;
  const decide = useDecision({
    send: (given: string | undefined, options) => sendDecision(decision, id, given, options),
    topic,
    done: () => ({ title: done, message: subject }),
    unchanged,
    saysUnknown: true,
    onSettled: onClose,
  });
  const outcome = <OutcomeNotice {...decide.outcome} what="your decision" where="in the list" />;
  const common = {
    title,
    confirmLabel: confirm,
    isPending: decide.isPending,
    pendingLabel: pending,
    onClose,
  };
  if (reason !== undefined) {
    return (
      <ReasonDialog
        {...common}
        keepLabel={reason.keep}
        kind={reason.kind}
        placeholder={reason.placeholder}
        details={details}
        emptyHint={reason.emptyHint}
        maxLength={REASON_MAX_LENGTH}
        notice={outcome}
        onConfirm={(given) => decide.mutate(given)}
      >
        {children}
      </ReasonDialog>
    );
  }
  return (
    <ConfirmDialog
      {...common}
      isOpen
      kind={kind}
      keepLabel="Not now"
      onConfirm={() => decide.mutate(undefined)}
    >
      <p>{children}</p>
      {details !== undefined && <div className="mt-4">{details}</div>}
      {outcome}
    </ConfirmDialog>
  );
}

/** Sends a decision about one: its operation, with the reason where it asks for one. */
export function sendDecision(
  { operation }: Decision,
  id: string,
  reason: string | undefined,
  options: CallOptions,
): Promise<unknown> {
  // Of a union of operations TypeScript cannot see that each takes this.
  const run = call as (name: RouteName, input: object, options: CallOptions) => Promise<unknown>;
  const params = { id };
  return run(operation, reason === undefined ? { params } : { params, body: { reason } }, options);
}
