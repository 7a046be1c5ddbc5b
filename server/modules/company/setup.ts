import type { SetupReply } from '#contract/api.ts';
import { SETUP_STEPS } from '#contract/company-setup.ts';
import type { SetupStep, SetupStepOutcome } from '#contract/company-setup.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import type { AuditContext, CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { record } from '#server/modules/journal/index.ts';
import type { Services } from '#server/services.ts';

/** Progress of the set-up, with the admin who decided each step. */
export async function getSetup(reader: Reader): Promise<SetupReply> {
  const { outcome, endedBy } = await reader
    .selectFrom('companySetup')
    .leftJoin('appUser', 'appUser.id', 'companySetup.endedBy')
    .select(['outcome', 'appUser.name as endedBy'])
    .executeTakeFirstOrThrow();
  const decided = await reader
    .selectFrom('companySetupStep')
    .innerJoin('appUser', 'appUser.id', 'companySetupStep.decidedBy')
    .select(['step', 'outcome', 'appUser.name as by'])
    .execute();
  return {
    outcome,
    endedBy,
    steps: SETUP_STEPS.map((step) => {
      const one = decided.find((row) => row.step === step);
      return { step, outcome: one?.outcome ?? null, by: one?.by ?? null };
    }),
  };
}

/**
 * Marks a step as done or skipped. A done step stays done, whoever skips it later. When no step is
 * left to decide, the set-up is finished.
 *
 * @throws {AppError} `setup_ended`
 */
export async function decideSetupStep(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: CommandContext,
  { step, outcome }: { step: SetupStep; outcome: SetupStepOutcome },
): Promise<SetupReply> {
  await lockOpenSetup(tx);
  const decidedBy = by.actor.id;
  const decision = { outcome, decidedBy, decidedAt: clock.now() };
  const written = await tx
    .insertInto('companySetupStep')
    .values({ step, ...decision })
    .onConflict((conflict) =>
      conflict
        .column('step')
        .doUpdateSet(decision)
        .where('companySetupStep.outcome', '=', 'skipped')
        .where('companySetupStep.outcome', '!=', outcome),
    )
    .returning('step')
    .execute();
  if (written.length > 0) {
    const event = outcome === 'done' ? 'setup.step_done' : 'setup.step_skipped';
    record(tx, by, event, { id: null, details: { step } });
  }
  const { steps } = await getSetup(tx);
  if (steps.every((one) => one.outcome !== null)) await endSetup(tx, { clock }, by, 'finished');
  return getSetup(tx);
}

/**
 * Ends the set-up before every step was decided. The settings stay as they are.
 *
 * @throws {AppError} `setup_ended`
 */
export async function dismissSetup(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  by: AuditContext,
): Promise<SetupReply> {
  await lockOpenSetup(tx);
  await endSetup(tx, services, by, 'dismissed');
  return getSetup(tx);
}

/** The second of two concurrent admins sees the first one's decision. */
async function lockOpenSetup(tx: Tx): Promise<void> {
  await tx.selectFrom('companySetup').select('id').forNoKeyUpdate().execute();
  const { outcome, endedBy } = await getSetup(tx);
  if (outcome !== null) throw new AppError('setup_ended', { who: endedBy ?? 'Purser' });
}

async function endSetup(
  tx: Tx,
  { clock }: Pick<Services, 'clock'>,
  by: AuditContext,
  outcome: 'finished' | 'dismissed',
): Promise<void> {
  const endedBy = typeof by.actor === 'object' ? by.actor.id : null;
  await tx.updateTable('companySetup').set({ outcome, endedBy, endedAt: clock.now() }).execute();
  record(tx, by, `setup.${outcome}`, { id: null });
}
