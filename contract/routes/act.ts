import { z } from 'zod';
import type { ErrorCode } from '../errors.ts';
import { madeOperation } from '../things/operations.ts';
import type { MadeAct, OperationOf } from '../things/operations.ts';
import { liveOf, specOf } from '../things/thing.ts';
import type { ActSpec, Thing } from '../things/thing.ts';
import { completion } from './common.ts';
import { idParams, reason } from './values.ts';
import { defineRoute } from './define.ts';
import type { Address, RouteSpec } from './define.ts';

const reasonBody = z.object({ reason });
const reasonForSome = z.object({ reason: reason.optional() });

/** Shapes of a thing as its readers see it after an act of theirs. */
interface Replies {
  readonly admin: z.ZodType;
  /** Left out where no act is the owner's. */
  readonly owner?: z.ZodType;
}

type ActRoute<Spec extends ActSpec, Shapes extends Replies> = Omit<
  RouteSpec,
  'access' | 'params' | 'query' | 'body' | 'isBodyOptional' | 'reply'
> & {
  readonly access: Spec['by'] extends 'owner' ? 'employee' : 'admin';
  readonly params: typeof idParams;
  readonly isBodyOptional: Spec extends
    | { offer: { isCompletion: true } }
    | { offer: { reasonForSome: object } }
    ? true
    : false;
  readonly reply: Spec['by'] extends 'owner'
    ? Shapes extends { owner: infer Owner extends z.ZodType }
      ? Owner
      : Shapes['admin']
    : Shapes['admin'];
} & (Spec extends { offer: { reason: object } } ? { readonly body: typeof reasonBody } : unknown) &
  (Spec extends { offer: { reasonForSome: object } }
    ? { readonly body: typeof reasonForSome }
    : unknown) &
  (Spec extends { offer: { isCompletion: true } } ? { readonly body: typeof completion } : unknown);

/** The operations of acts, by their names. */
type ActRoutes<T extends Thing, Shapes extends Replies> = {
  readonly [Act in MadeAct<T> as OperationOf<T, Act>]: ActRoute<T['acts'][Act], Shapes>;
};

/**
 * The operations of a thing's acts that its declaration describes, spread into a module's routes.
 *
 * @param replies the thing, as an admin and as its owner see it after an act
 */
export function actRoutes<T extends Thing, const Shapes extends Replies>(
  thing: T,
  replies: Shapes,
): ActRoutes<T, Shapes> {
  const routes = Object.keys(thing.acts).flatMap((act) => {
    const made = madeOperation(thing, act);
    return made === undefined ? [] : [[made.name, routeOf(thing, act, made.address, replies)]];
  });
  return Object.fromEntries(routes) as never;
}

function routeOf(thing: Thing, act: string, address: Address, replies: Replies): RouteSpec {
  const { by, offer, route } = specOf(thing, act);
  const isOwners = by === 'owner';
  return defineRoute(address, {
    summary: route?.summary ?? '',
    access: isOwners ? 'employee' : 'admin',
    scope: route?.scope ?? null,
    confirms: route?.confirms ?? 'none',
    idempotency: thing.movesMoney ? 'required' : (route?.idempotency ?? 'none'),
    changes: liveOf(thing, act),
    mayChange: route?.mayChange ?? {},
    params: idParams,
    ...(offer?.reason !== undefined && { body: reasonBody }),
    ...(offer?.reasonForSome !== undefined && { body: reasonForSome, isBodyOptional: true }),
    ...(offer?.isCompletion === true && { body: completion, isBodyOptional: true }),
    reply: (isOwners ? replies.owner : undefined) ?? replies.admin,
    errors: refusalsOf(thing, act),
  });
}

/** The codes of all refusals of an act. */
function refusalsOf(thing: Thing, act: string): ErrorCode[] {
  const { by, from, refusal, secondPerson, firstOf, offer, route } = specOf(thing, act);
  const { notFound, wrongStatus, own = 'own_request', in: others } = thing.refusals;
  const isAlwaysLegal = from.length === thing.statuses.length;
  const ofStatus =
    typeof refusal === 'string' ? [refusal] : [...values(refusal), wrongStatus, ...values(others)];
  const codes = [
    notFound,
    ...(isAlwaysLegal ? [] : ofStatus),
    ...(by === 'admin' ? [own] : []),
    ...(route?.errors ?? []),
    ...(firstOf === undefined ? [] : [firstOf.unneeded]),
    ...(secondPerson ?? []).flatMap(({ unlessDone }) => unlessDone ?? []),
    ...(secondPerson === undefined ? [] : (['second_person_needed'] as const)),
    ...(offer?.isCompletion === true ? (['payout_day_invalid'] as const) : []),
  ];
  return [...new Set(codes)];
}

function values(codes: Readonly<Partial<Record<string, ErrorCode>>> = {}): ErrorCode[] {
  return Object.values(codes).filter((code) => code !== undefined);
}
