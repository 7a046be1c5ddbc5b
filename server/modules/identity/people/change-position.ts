import type { RouteArguments } from '#contract/api.ts';
import { person } from '#contract/things/person.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { journal } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';

type Change = RouteArguments<'adminChangePosition'>['body'];

/**
 * Changes where somebody works and as what. Payrolls that are drafted keep who is in them; one that
 * is previewed from now on finds the person at the new place.
 *
 * @throws {AppError} `person_not_found`; `conflict` when it is not any more what the admin saw
 */
export async function changePosition(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { id, department, position, seen }: Change & { id: string },
): Promise<void> {
  const before = await tx
    .selectFrom('appUser')
    .select(['department', 'position'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (before === undefined) throw new AppError('person_not_found');
  if (before.department !== seen.department || before.position !== seen.position) {
    throw new AppError('conflict');
  }
  if (before.department === department && before.position === position) return;
  const at = clock.now();
  await tx
    .updateTable('appUser')
    .set({ department, position, updatedAt: at })
    .where('id', '=', id)
    .execute();
  const details = changed(before, { department, position });
  journal(tx, by, person, 'changePosition', { id, at, details });
}

/** Differences, before and after, as the audit trail shows them. */
function changed(
  before: Readonly<Record<'department' | 'position', string>>,
  after: Readonly<Record<'department' | 'position', string>>,
): Record<'fields' | 'before' | 'after', string[]> {
  const fields = (['department', 'position'] as const).filter(
    (field) => before[field] !== after[field],
  );
  return {
    fields,
    before: fields.map((field) => before[field]),
    after: fields.map((field) => after[field]),
  };
}
