/**
 * The shape of a thing: what a person asks for or hands in, the statuses it goes through, and the acts
 * that take it from one to the next. A thing is declared once (withdrawal.ts, deposit.ts, ...). The server and
 * the screens read from there what is legal, recorded, notified, sent to webhooks and offered.
 */
import type { ApiScope } from '../api-keys.ts';
import type { AuditSubject } from '../audit.ts';
import type { ErrorCode } from '../errors.ts';
import type { DutySetting } from '../duties.ts';
import type { EventTopic } from '../live-topics.ts';

/**
 * Actor of an act: the owner of the thing, an administrator who is not its owner, any administrator (its owner,
 * too), or Purser itself.
 */
export type ActBy = 'owner' | 'admin' | 'anyAdmin' | 'system';

/** A notification. The server fills in the words in braces: "{amount}". */
export interface ActNotice {
  readonly kind: string;
  /** Its title, where it is not made of the kind: "Deposit Rejected" of `deposit-rejected`. */
  readonly title?: string;
  /** The first sentence of which all words are known. */
  readonly message: string | readonly string[];
}

/** Words and look of an act in the back office. */
export interface ActOffer {
  /** Text of its button: "Approve". */
  readonly label: string;
  readonly kind: 'solid' | 'outline' | 'money' | 'danger';
  /** The question, or the title over the reason. */
  readonly title: string;
  /** The answer that does it, where it is not the label. */
  readonly confirm?: string;
  /** Text of the button during the request: "Approving". */
  readonly pending: string;
  /** The title of the message afterwards: "Withdrawal Approved". */
  readonly done: string;
  /** Consequence of the act, in a sentence or two. */
  readonly consequence?: string;
  /** Set if the act needs a reason: the hint while there is none, the safe answer, and who reads the reason. */
  readonly reason?: {
    readonly emptyHint: string;
    readonly keep: string;
    readonly placeholder?: string;
    /** Look of the answer that does it, where it is not red. */
    readonly kind?: 'solid';
  };
  /** Set in place of `reason` if only some rows need one: the effect of the act refuses those without it. */
  readonly reasonForSome?: ActOffer['reason'];
  /** True if the act completes a payout: it also asks on which day the money left the bank. */
  readonly isCompletion?: true;
  /** Offer for several things together; left out where each is decided alone. */
  readonly bulk?: BulkOffer;
}

/** Topics of the screens that are read again, the owner's and those of all administrators. */
export interface LiveTopics {
  readonly owner?: readonly EventTopic[];
  readonly admins?: readonly EventTopic[];
}

/** Words of an act for several things of a list in the back office. */
export interface BulkOffer {
  /** "Withdrawals to approve", "3 of 4 withdrawals approved". */
  readonly verb: string;
  readonly done: string;
  /** Consequence of the act for all of them. */
  readonly consequence: string;
  /** Name of their sum afterwards: "Paid out". */
  readonly total?: string;
  /** True if their owners receive the amounts. */
  readonly isReceived?: true;
}

/** Earlier acts whose actor may not do this one too. */
export interface Separation {
  /** The setting with the least amount for which it holds; `always` if a company cannot switch it off. */
  readonly rule: DutySetting | 'always';
  /** The earlier acts, of this thing or of another: `bank_account.verify`. */
  readonly after: readonly string[];
  /** The reason in the refusal: "you approved this payout". */
  readonly did: string;
  /** Refusal where nobody did the earlier act, which `firstOf` names; left out where it may be missing. */
  readonly unlessDone?: ErrorCode;
}

/** The operation of an act without a form. Its name, address, input and most refusals follow from the act. */
export interface ActRoute {
  readonly summary: string;
  /** Verb in its name, where that is not the name of the act. */
  readonly verb?: string;
  /** Last part of its address, where that is not the verb. */
  readonly step?: string;
  /** Refusals by what is special about the act. */
  readonly errors?: readonly ErrorCode[];
  readonly scope?: ApiScope;
  /** Set if a session alone is not enough (decision 018). */
  readonly confirms?: 'recent';
  /** Screens that are also read again in some cases, by what is special about the act. */
  readonly mayChange?: LiveTopics;
  /** Set if it needs an Idempotency-Key, though the thing moves no money of its owner. */
  readonly idempotency?: 'required';
}

export interface ActSpec<Status extends string = string> {
  readonly by: ActBy;
  /** Statuses in which it is legal; none for an act that makes the thing. */
  readonly from: readonly Status[];
  /** The status afterwards; left out where it stays. */
  readonly to?: Status;
  /** Word after the name of the thing in the audit trail: `approved` is recorded as `withdrawal.approved`. */
  readonly past: string;
  /** Begin of its event, where it is not that of the thing: `email` of `email.set`. */
  readonly event?: string;
  /** Its words on the audit page, where they are not made of its event. */
  readonly words?: string;
  /** Screens that are read again, where they are not those of the thing. */
  readonly live?: LiveTopics;
  /**
   * Words after the name of the person who did it, where they differ from `past`: "began to process". Null for an act
   * that comes before no other's.
   */
  readonly did?: string | null;
  /** The operation that does it, where contract/routes/ declares one for it. */
  readonly operation?: string;
  /** The operation that does it, where it is made from this declaration (operations.ts). */
  readonly route?: ActRoute;
  /** True if it changes how the person signs in, of which the record then has hashes. */
  readonly changesSignIn?: true;
  /** True if Purser does it without a record, because another record says when. */
  readonly isUnrecorded?: true;
  /** True if a person fills in a form for it, whose command is not `act` alone. */
  readonly hasForm?: true;
  /** True if its command is about something else, such as a file of the bank, and is not offered at the thing itself. */
  readonly isNotOffered?: true;
  /** True if webhooks can send it to the company's own systems. */
  readonly isSent?: true;
  /** Refusal in the statuses in which it is not legal, or in some of them, where it differs from that of the thing. */
  readonly refusal?: ErrorCode | Readonly<Partial<Record<Status, ErrorCode>>>;
  /**
   * Set if it is the first of two steps, which is legal where a separation of the second one needs it: the second step,
   * and the refusal where it is not needed, or done already.
   */
  readonly firstOf?: { readonly act: string; readonly unneeded: ErrorCode };
  /** Separations of duties, in the order in which they refuse. */
  readonly secondPerson?: readonly Separation[];
  readonly toOwner?: ActNotice;
  readonly toAdmins?: ActNotice;
  readonly offer?: ActOffer;
}

export interface Thing<
  Status extends string = string,
  Acts extends Readonly<Record<string, ActSpec<Status>>> = Readonly<
    Record<string, ActSpec<Status>>
  >,
> {
  /** Name in the audit trail: `bank_account`. */
  readonly name: AuditSubject;
  /** Begin of its events in the audit trail, where it is not the name: `payroll` of `payroll.sent`. */
  readonly event?: string;
  /** Its words in the sentence about the last act on it, where they are not "this". */
  readonly called?: string;
  /** True if its rows keep the moments of its acts, so that its records do not. No column has its status. */
  readonly keepsMoments?: true;
  /** True if it is the company's: its records are about no person, and only administrators see it. */
  readonly isOfCompany?: true;
  readonly statuses: readonly Status[];
  /** Its place in addresses, where it is not the name in the plural: `payroll/batches`. */
  readonly path?: string;
  /** Topic by which screens that show it are read again. */
  readonly topic: EventTopic;
  /** True if an act changes what its owner has in their wallets. */
  readonly movesMoney: boolean;
  /** Screens that an act changes, where they do not follow from `topic` and `movesMoney`. */
  readonly live?: LiveTopics;
  /** `own`: of a decision on one's own, where it is not `own_request`. `in`: those that one status has of its own. */
  readonly refusals: {
    readonly notFound: ErrorCode;
    readonly wrongStatus: ErrorCode;
    readonly own?: ErrorCode;
    readonly in?: Readonly<Partial<Record<Status, ErrorCode>>>;
  };
  readonly acts: Acts;
}

/** A thing with the exact types of its name and its acts. */
export function defineThing<
  const Name extends AuditSubject,
  const Status extends string,
  const Acts extends Readonly<Record<string, ActSpec<Status>>>,
  const Event extends string = Name,
>(thing: Thing<Status, Acts> & Named<Name, Event>): Thing<Status, Acts> & Named<Name, Event> {
  return thing;
}
interface Named<Name, Event> {
  readonly name: Name;
  readonly event?: Event;
}

export type ActOf<T extends Thing> = keyof T['acts'] & string;
export type StatusOf<T extends Thing> = T['statuses'][number];

/** The acts on an existing thing: all except those that make it. */
export type DecidedAct<T extends Thing> = {
  [Act in ActOf<T>]: T['acts'][Act]['from'] extends readonly [] ? never : Act;
}[ActOf<T>];

/** Statuses in which each act of a thing is legal. */
export function legalIn<T extends Thing>(
  thing: T,
): { readonly [Act in DecidedAct<T>]: T['acts'][Act]['from'] } {
  const decided = Object.entries(thing.acts).filter(([, { from }]) => from.length > 0);
  return Object.fromEntries(decided.map(([act, { from }]) => [act, from])) as never;
}

/** The acts that the back office offers. */
export type OfferedAct<T extends Thing> = {
  [Act in ActOf<T>]: T['acts'][Act] extends { offer: ActOffer } ? Act : never;
}[ActOf<T>];

/** The acts on an existing thing that a person does by an operation. Reads reply for each if it is refused. */
export type PersonalAct<T extends Thing> = {
  [Act in DecidedAct<T>]: T['acts'][Act] extends { isNotOffered: true }
    ? never
    : T['acts'][Act] extends { operation: string } | { route: ActRoute }
      ? Act
      : never;
}[DecidedAct<T>];

export function personalActs<T extends Thing>(thing: T): readonly PersonalAct<T>[] {
  return personalActNames(thing) as never;
}

const personalActNames = oncePerThing((thing) =>
  Object.entries(thing.acts)
    .filter(
      ([, { from, operation, route, isNotOffered = false }]) =>
        from.length > 0 && (operation ?? route) !== undefined && !isNotOffered,
    )
    .map(([act]) => act),
);

/** Remembers what a function makes of a declaration, which never changes. Lists need it for each row. */
export function oncePerThing<Made>(make: (thing: Thing) => Made): (thing: Thing) => Made {
  const made = new Map<Thing, Made>();
  return (thing) => {
    const known = made.get(thing) ?? make(thing);
    made.set(thing, known);
    return known;
  };
}

/** The earlier acts that the separations of a thing name. */
export type EarlierAct<T extends Thing> = T extends Thing
  ? {
      [Act in ActOf<T>]: T['acts'][Act] extends {
        secondPerson: readonly { after: readonly (infer Earlier extends string)[] }[];
      }
        ? Earlier
        : never;
    }[ActOf<T>]
  : never;

/** The event of an act in the audit trail: `withdrawal.approved`. */
export function eventOf<T extends Thing>(thing: T, act: ActOf<T>): `${string}.${string}` {
  const { event = thing.event ?? thing.name, past } = specOf(thing, act);
  return `${event}.${past}`;
}

/** Begin of its events in the audit trail. */
export type WordOf<T extends Thing> = NonNullable<T['event']>;
export function wordOf({ name, event = name }: Thing): string {
  return event;
}

/** @throws TypeError for an act that the thing does not have */
export function specOf<T extends Thing>(thing: T, act: ActOf<T>): ActSpec<StatusOf<T>> {
  const spec = thing.acts[act];
  if (spec === undefined) throw new TypeError(`${thing.name} has no act ${act}`);
  return spec;
}

/** Screens that are read again after an act. */
export function liveOf<T extends Thing>(thing: T, act: ActOf<T>): LiveTopics {
  const { topic, movesMoney, isOfCompany } = thing;
  const ofThing: LiveTopics =
    isOfCompany === true
      ? { admins: [topic] }
      : { owner: movesMoney ? [topic, 'wallets'] : [topic], admins: [topic] };
  return specOf(thing, act).live ?? thing.live ?? ofThing;
}
