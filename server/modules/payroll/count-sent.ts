import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import type { AuditDetails } from '#server/modules/journal/index.ts';
import { countAmount, thresholdOf, usedFacts } from '#server/modules/security/index.ts';
import type { AmountLimit } from '#server/modules/security/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

interface Sent {
  settings: CompanySettings;
  amountMinor: bigint;
  /** True if the duty is in force and the amount stays below what is left of its threshold. */
  isAlone: boolean;
}

/**
 * Counts a payroll or a funding to what administrators sent alone in this month.
 *
 * @returns facts for its record, and false where another one was faster, so that it takes a second person after all
 */
export async function countSent(
  tx: Tx,
  _by: CommandContext,
  { settings, amountMinor, isAlone }: Sent,
): Promise<{ facts: AuditDetails; isWithin: boolean }> {
  const belowMinor = thresholdOf(settings, 'payroll');
  const limits: AmountLimit[] =
    isAlone && belowMinor !== null ? [{ name: 'payroll', subjectId: null, belowMinor }] : [];
  const counted = await countAmount(tx, settings, amountMinor, limits);
  return { facts: usedFacts(amountMinor, counted), isWithin: counted.size === limits.length };
}
