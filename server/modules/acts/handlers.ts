import type { RouteReply } from '#contract/api.ts';
import type { RouteName } from '#contract/paths.ts';
import { specOf } from '#contract/things/thing.ts';
import type { ActBy, ActOf, Thing } from '#contract/things/thing.ts';
import type { Tx } from '#server/db/tx.ts';
import { command } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { Services } from '#server/services.ts';
import { act } from './act.ts';
import type { ActInput, Kept, KeptRow } from './kept.ts';

type Clocked = Pick<Services, 'clock'>;

/** The acts of a thing that a person does without a form, by its id alone or with a reason. */
type PlainAct<T extends Thing, By extends ActBy = 'admin' | 'anyAdmin' | 'owner'> = {
  [Act in ActOf<T>]: T['acts'][Act] extends { hasForm: true }
    ? never
    : T['acts'][Act] extends { by: By; operation: RouteName }
      ? Act
      : never;
}[ActOf<T>];
type OperationOf<T extends Thing, Act extends ActOf<T>> = T['acts'][Act] extends {
  operation: infer Name extends RouteName;
}
  ? Name
  : never;

/** Reads a thing for the reply: as admins see it, and as its owner does. */
interface Loads<T extends Thing, Needs extends Clocked> {
  admin: Load<T, Needs, 'admin' | 'anyAdmin'>;
  /** Left out where no act is the owner's. */
  owner?: Load<T, Needs, 'owner'>;
}
type Load<T extends Thing, Needs extends Clocked, By extends ActBy> = (
  tx: Tx,
  services: Needs,
  by: CommandContext,
  id: string,
) => Promise<RouteReply<OperationOf<T, PlainAct<T, By>>>>;

/** An act as a command, which replies with the thing as whoever did it sees it. */
type ActCommand<Needs extends Clocked, Reply> = (
  tx: Tx,
  services: Needs,
  by: CommandContext,
  input: ActInput,
) => Promise<Reply>;

/**
 * The acts of a thing as commands, one by one and as the handlers of their operations.
 *
 * @param loads reads the reply
 */
export function actsOf<
  T extends Thing,
  Legal extends KeptRow,
  Row extends Legal,
  Needs extends Clocked,
  Facts extends object,
>(kept: Kept<T, Row, Needs, Facts, Legal>, loads: Loads<T, Needs>) {
  const commandOf =
    <Act extends PlainAct<T>>(name: Act): ActCommand<Needs, RouteReply<OperationOf<T, Act>>> =>
    async (tx, services, by, input) => {
      await act(tx, services, by, kept, name, input);
      const isOwners = specOf(kept.thing, name).by === 'owner';
      const load = isOwners ? (loads.owner ?? loads.admin) : loads.admin;
      return load(tx, services, by, input.id);
    };
  return {
    commandOf,
    handlers: (services: Needs): Pick<Handlers, OperationOf<T, PlainAct<T>>> => {
      const handlers = Object.entries(kept.thing.acts).flatMap(([name, spec]) => {
        if (spec.operation === undefined || spec.hasForm === true) return [];
        const run = commandOf(name as PlainAct<T>);
        const handler = command<'adminRejectWithdrawal'>(
          (tx, by, { params, body }) => run(tx, services, by, { id: params.id, ...body }) as never,
        );
        return [[spec.operation, handler]];
      });
      return Object.fromEntries(handlers) as never;
    },
  };
}
