import type { ErrorCode } from '#contract/errors.ts';
import { specOf } from '#contract/things/thing.ts';
import type { ActOf, Thing } from '#contract/things/thing.ts';
import type { Reader } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { describeLastAct } from '#server/modules/audit/index.ts';

/**
 * Checks that an act is legal in the status of a thing.
 *
 * @throws {AppError} as `refusalOfStatus`
 */
export async function checkStatus<T extends Thing>(
  reader: Reader,
  thing: T,
  act: ActOf<T>,
  row: { id: string; status: string },
): Promise<void> {
  const from: readonly string[] = specOf(thing, act).from;
  if (!from.includes(row.status)) throw await refusalOfStatus(reader, thing, act, row);
}

/**
 * Makes the refusal of an act by the status of a thing. It names to administrators who acted last; an employee is not
 * shown which administrator it was.
 */
export async function refusalOfStatus<T extends Thing>(
  reader: Reader,
  thing: T,
  act: ActOf<T>,
  { id, status }: { id: string; status: string },
): Promise<AppError> {
  const { name, refusals } = thing;
  const { by, refusal } = specOf(thing, act);
  const ofAct = typeof refusal === 'string' ? refusal : inStatus(refusal, status);
  const code = ofAct ?? inStatus(refusals.in, status) ?? refusals.wrongStatus;
  const isAdmin = by === 'admin' || by === 'anyAdmin';
  const lastAct = isAdmin ? await describeLastAct(reader, { type: name, id }) : {};
  return new AppError(code, { status: status.replaceAll('_', ' '), ...lastAct });
}

function inStatus(
  refusals: Readonly<Partial<Record<string, ErrorCode>>> = {},
  status: string,
): ErrorCode | undefined {
  return refusals[status];
}
