import type { ReactNode } from 'react';
import type { RouteInput, RouteName } from '#contract/api.ts';
import { ALONE_AFTER_HOURS } from '#contract/duties.ts';
import type { EventTopic } from '#contract/live-topics.ts';
import { operationOf } from '#contract/things/operations.ts';
import type { ActOffer, OfferedAct, Thing } from '#contract/things/thing.ts';
import { call, type CallOptions } from '#web/api/client.ts';
import type { ButtonKind } from '#web/ui/button.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { CompletionDialog, type Completion } from './completion.tsx';
import { ReasonDialog } from './reason-dialog.tsx';
import { OutcomeNotice } from './outcome-notice.tsx';
import { useDecision } from './use-decision.ts';

/** Operations that decide something by its id alone, or with a reason or what completes it. */
type Takes<Input> = {
  [Name in RouteName]: Input extends RouteInput<Name> ? Name : never;
}[RouteName];
type PlainRoute = Takes<{ params: { id: string } }>;
type ReasonedRoute = Exclude<
  Takes<{ params: { id: string }; body: { reason: string } }>,
  PlainRoute
>;

type CompletingRoute = Extract<
  Takes<{ params: { id: string }; body: Completion }>,
  'adminCompleteWithdrawal' | 'adminCompleteBill' | 'adminSettlePayoutFile'
>;

/** Body that is sent besides the id. */
export type DecisionBody = { reason: string } | Completion;

interface DecisionWords {
  /** On its buttons: "Approve". */
  label: string;
  kind: ButtonKind;
  /** The question, or the title over the reason. */
  title: string;
  /** The answer that does it, where it is not the label. */
  confirm?: string;
  /** Label of the button while it is sent: "Approving". */
  pending: string;
  /** The title of the message once it is done: "Withdrawal Approved". */
  done: string;
}

/** A decision, as data. One with a reason asks for it, and the person it is about reads it. */
export type Decision = DecisionWords &
  (
    | { operation: PlainRoute; reason?: undefined; isCompletion?: undefined }
    /** One that completes a payout also asks when it left the bank. */
    | { operation: CompletingRoute; reason?: undefined; isCompletion: true }
    | {
        operation: ReasonedRoute;
        isCompletion?: undefined;
        /**
         * Why the answer waits: "Enter a reason to reject." The safe answer: "Keep Request". And who
         * reads the reason, where it is not the person; the answer is red unless `kind` says otherwise.
         */
        reason: { emptyHint: string; keep: string; placeholder?: string; kind?: ButtonKind };
      }
  );

/** A decision that the back office offers about a thing. */
export type Offered = Decision & Pick<ActOffer, 'reasonForSome'> & { consequence: string };

/** The decisions that the back office offers about a thing, each with what follows from it. */
export function decisionsOf<T extends Thing>(thing: T): Readonly<Record<OfferedAct<T>, Offered>> {
  const offered = Object.entries(thing.acts).filter(([, { offer }]) => offer !== undefined);
  return Object.fromEntries(
    offered.map(([act, { offer }]) => [
      act,
      { operation: operationOf(thing, act), consequence: '', ...offer },
    ]),
  ) as never;
}

interface DecisionDialogProps {
  decision: Decision;
  /** ID of the thing that is decided about. */
  id: string;
  /** Subject of the message once it is done: "$250.00 of Maya Castellanos." */
  subject: string;
  topic: EventTopic;
  /** "The withdrawal was not changed." */
  unchanged: string;
  onClose: () => void;
  /** Subject and consequence of the decision, with its amounts: a sentence or two. */
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
    send: (given: DecisionBody | undefined, options) => sendDecision(decision, id, given, options),
    topic,
    done: (reply) => proposedWords(reply, subject) ?? { title: done, message: subject },
    unchanged,
    saysUnknown: true,
    saysRefusal: (given) => given !== undefined,
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
        refusal={decide.refusal}
        notice={outcome}
        onConfirm={(given) => decide.mutate({ reason: given })}
      >
        {children}
      </ReasonDialog>
    );
  }
  if (decision.isCompletion === true) {
    return (
      <CompletionDialog {...common} kind={kind} refusal={decide.refusal} onConfirm={decide.mutate}>
        <p>{children}</p>
        {details}
        {outcome}
      </CompletionDialog>
    );
  }
  return (
    <ConfirmDialog
      {...common}
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

/** Message of a decision that was proposed, and waits for another administrator or for a day; undefined if it was done. */
function proposedWords(reply: unknown, subject: string) {
  const { proposal } = reply as { proposal?: { opensAt: string | null } | null };
  if (proposal == null) return undefined;
  const next =
    proposal.opensAt === null
      ? 'Another administrator has to accept it.'
      : `You can accept it after ${ALONE_AFTER_HOURS} hours.`;
  return { title: 'Proposed', message: `${subject} ${next}` };
}

/** Sends a decision about one: its operation, with what it asks for. */
export function sendDecision(
  { operation }: Decision,
  id: string,
  body: DecisionBody | undefined,
  options: CallOptions,
): Promise<unknown> {
  // TypeScript cannot see that each operation of the union takes this.
  const run = call as (name: RouteName, input: object, options: CallOptions) => Promise<unknown>;
  const params = { id };
  return run(operation, body === undefined ? { params } : { params, body }, options);
}
