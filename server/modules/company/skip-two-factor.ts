import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { AppError } from '#server/lib/errors.ts';
import { maySkipTwoFactor } from '#server/modules/identity/index.ts';
import type { Identity } from '#server/modules/identity/index.ts';
import { lockSettings, readSettings } from '#server/modules/settings/index.ts';
import type { Services } from '#server/services.ts';
import { changeSettings } from './change-settings.ts';

/**
 * Goes on without the two-factor that a new company requires of administrators: a change of that setting like any other,
 * recorded and mailed to administrators. It is open to the only admin of a company that is not in production.
 *
 * @throws {AppError} `two_factor_required` for everybody else
 */
export async function skipTwoFactor(
  tx: Tx,
  services: Pick<Services, 'clock'> & Pick<Identity, 'isProduction'>,
  by: CommandContext,
): Promise<void> {
  await lockSettings(tx);
  if (!(await maySkipTwoFactor(services, tx))) throw new AppError('two_factor_required');
  const { version } = await readSettings(tx);
  const settings = { requireAdminTwoFactor: false };
  const { proposed } = await changeSettings(tx, services, by, { version, settings });
  if (proposed.length > 0) throw new AppError('two_factor_required');
}
