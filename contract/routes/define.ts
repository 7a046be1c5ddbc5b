import type { z } from 'zod';
import type { ApiScope } from '../api-keys.ts';
import type { ErrorCode } from '../errors.ts';
import type { HourlyLimit } from '../hourly-limits.ts';
import { rangeProblem } from '../list.ts';
import type { EventTopic } from '../live-topics.ts';
import type { LiveTopics } from '../things/thing.ts';

/**
 * Callers of an operation. `signedIn` is any role; `employee` and `admin` are that role alone.
 */
export type Access = 'public' | 'signedIn' | 'employee' | 'admin';

/**
 * Confirmation, by the owner of a session, of what a stolen one must not do: with the password or, where two-factor is
 * on, with the second factor.
 * `recent`: confirmed in this session within the last minutes (CONFIRMATION_MINUTES).
 * `password`: its body has the present password, which confirms; only a second factor is asked for.
 * `none`: a session is enough.
 */
export type Confirms = 'recent' | 'password' | 'none';

/** Address of an operation, with the names of its path parameters in braces: "GET /api/wallets/{id}". */
export type Address = `${Method} ${Path}`;
export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type Path = `/api/${string}`;

/** One operation of the API. `access` has no default: leaving it out does not compile. */
export interface RouteSpec {
  readonly method: Method;
  readonly path: Path;
  readonly summary: string;
  readonly access: Access;
  /** The scope that an API key needs for it; null: no key may. */
  readonly scope: ApiScope | null;
  /**
   * `required`: an Idempotency-Key must come with it (everything that moves or promises money).
   * `none`: repeating it is harmless, or the transition table refuses the second time.
   */
  readonly idempotency: 'required' | 'none';
  /**
   * Confirmation that is needed first, that the user of the session is its owner. An API key is asked for none: it has
   * nobody who could confirm, and making it was confirmed.
   */
  readonly confirms: Confirms;
  /** Limit on the number of times a person may do it within an hour; null: none. */
  readonly hourly: HourlyLimit | null;
  /** True if an admin may do it who still has to set up two-factor; of operations that are not public. */
  readonly isBeforeTwoFactor: boolean;
  /** True if a person who left may call it with their documents open. It only reads them. */
  readonly isForLeavers: boolean;
  /**
   * True for a read that a replica may answer, some seconds late: lists, exports, documents, history. Nothing by which
   * money, access or a confirmation is decided may be late. A person's own changes are in it, and so are those that
   * a live event announced (docs/decisions/076).
   */
  readonly mayBeLate: boolean;
  /**
   * Topics of live events that change its reply: the browser then asks for it again. Every GET of JSON
   * names them, `[]` if none does; null for the rest.
   */
  readonly topics: readonly EventTopic[] | null;
  /**
   * Topics of live events that a command changes whenever it is done: on the screens of its actor or of the person
   * it concerns (`owner`), and on those of all administrators. Every command names them, `{}` if there are none; null for
   * the rest. Acts and events publish their own; the pipeline publishes the others, to the actor and to administrators.
   */
  readonly changes: LiveTopics | null;
  /** Topics that a command changes in some cases, and publishes in these. */
  readonly mayChange: LiveTopics;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** True if the body can be left out, as if `{}` were sent. */
  readonly isBodyOptional: boolean;
  /**
   * The body is the bytes of a file as they are, never together with `body`: of an image, JPEG, PNG or WebP,
   * or of a CSV file.
   */
  readonly upload?: 'image' | 'csv';
  /**
   * The reply's JSON; everything sent is encoded through it. `csv` streams text/csv instead, `image`
   * sends the bytes of one, `pdf` those of a PDF.
   */
  readonly reply: z.ZodType | 'csv' | 'image' | 'pdf' | 'zip';
  readonly status: 200 | 201;
  /** Refusals of its own, besides those every operation may give. */
  readonly errors: readonly ErrorCode[];
}

type Defaults =
  | 'scope'
  | 'idempotency'
  | 'confirms'
  | 'hourly'
  | 'isBeforeTwoFactor'
  | 'isForLeavers'
  | 'mayBeLate'
  | 'topics'
  | 'changes'
  | 'mayChange'
  | 'isBodyOptional'
  | 'status'
  | 'errors';
type Filled<S> = S &
  Pick<RouteSpec, 'method' | 'path'> & {
    readonly [K in Defaults]: S extends Record<K, infer Given> ? Given : RouteSpec[K];
  };

/** Keeps the exact schema types of one operation, with the quiet defaults filled in. */
export function defineRoute<
  S extends Omit<RouteSpec, Defaults | 'method' | 'path'> & Partial<Pick<RouteSpec, Defaults>>,
>(address: Address, spec: S): Filled<S> {
  const [method, path] = address.split(' ') as [Method, Path];
  return {
    method,
    path,
    scope: null,
    idempotency: 'none',
    confirms: 'none',
    hourly: null,
    isBeforeTwoFactor: false,
    isForLeavers: false,
    mayBeLate: false,
    topics: null,
    changes: null,
    mayChange: {},
    isBodyOptional: false,
    status: 200,
    errors: [],
    ...spec,
    ...(spec.query !== undefined && { query: withRanges(spec.query) }),
  } as unknown as Filled<S>;
}

/** A query that is refused where a range of its days or amounts ends before it starts. */
function withRanges(query: z.ZodObject): z.ZodObject {
  return query.superRefine((values, context) => {
    const problem = rangeProblem(values);
    if (problem === undefined) return;
    context.addIssue({ code: 'custom', path: [problem.field], message: problem.message });
  });
}
