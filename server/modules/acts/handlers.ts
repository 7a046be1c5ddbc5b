import type { RouteReply, RouteName } from '#contract/api.ts';
import { operationOf } from '#contract/things/operations.ts';
import type { OperationOf } from '#contract/things/operations.ts';
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
    : T['acts'][Act] extends { by: By } & ({ operation: string } | { route: object })
      ? Act
      : never;
}[ActOf<T>];
type PlainOperation<T extends Thing, Act extends ActOf<T> = PlainAct<T>> = OperationOf<T, Act> &
  RouteName;

/** Reads a thing for the reply: as admins see it, and as its owner does. */
interface Loads<T extends Thing, Needs extends Clocked> {
  admin: Load<Needs, RouteReply<PlainOperation<T, PlainAct<T, 'admin' | 'anyAdmin'>>>>;
  /** Left out where no act is the owner's. */
  owner?: Load<Needs, RouteReply<PlainOperation<T, PlainAct<T, 'owner'>>>>;
}
type Command<Needs extends Clocked, Input, Reply> = (
  tx: Tx,
  services: Needs,
  by: CommandContext,
  input: Input,
) => Promise<Reply>;
type Load<Needs extends Clocked, Reply> = Command<Needs, string, Reply>;
/** An act as a command, which replies with the thing as whoever did it sees it. */
type ActCommand<Needs extends Clocked, Reply> = Command<Needs, ActInput, Reply>;

/** The acts of a thing as commands by their names, and as the handlers of their operations. */
type ActCommands<T extends Thing, Needs extends Clocked> = {
  readonly [Act in PlainAct<T>]: ActCommand<Needs, RouteReply<PlainOperation<T, Act>>>;
} & {
  readonly handlers: (services: Needs) => Pick<Handlers, PlainOperation<T>>;
};

/**
 * The acts of a thing that somebody does without a form.
 *
 * @param loads reads the reply
 */
export function actsOf<
  T extends Thing,
  Legal extends KeptRow,
  Row extends Legal,
  Needs extends Clocked,
  Facts extends object,
>(kept: Kept<T, Row, Needs, Facts, Legal>, loads: Loads<T, Needs>): ActCommands<T, Needs> {
  const { thing } = kept;
  const plain = (Object.keys(thing.acts) as ActOf<T>[]).flatMap((name) => {
    const { by, hasForm } = specOf(thing, name);
    const operation = operationOf(thing, name);
    if (operation === undefined || hasForm === true) return [];
    const load: Load<Needs, unknown> = (by === 'owner' ? loads.owner : undefined) ?? loads.admin;
    const run: ActCommand<Needs, unknown> = async (tx, services, who, input) => {
      await act(tx, services, who, kept, name, input);
      return load(tx, services, who, input.id);
    };
    return [{ name, operation, run }];
  });
  const handlers = (services: Needs) =>
    Object.fromEntries(
      plain.map(({ operation, run }) => [
        operation,
        command<'adminRejectWithdrawal'>(
          (tx, by, { params, body }) => run(tx, services, by, { id: params.id, ...body }) as never,
        ),
      ]),
    );
  const commands = plain.map(({ name, run }) => [name, run] as const);
  return { ...Object.fromEntries(commands), handlers } as never;
}
