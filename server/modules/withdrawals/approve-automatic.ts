import type { Tx } from '#server/db/tx.ts';
import { withSavepoint } from '#server/db/savepoint.ts';
import { AppError } from '#server/lib/errors.ts';
import { act } from '#server/modules/acts/index.ts';
import {
  countAmount,
  isInForce,
  readDuties,
  thresholdOf,
  usedFacts,
} from '#server/modules/security/index.ts';
import type { AmountLimit, Duties } from '#server/modules/security/index.ts';
import type { Services } from '#server/services.ts';
import { withdrawals } from './withdrawal.ts';

/** Duties of payouts that nobody fulfils where nobody approves. */
const DUTIES = ['payout', 'bankAccount'] as const;

/**
 * Approves a withdrawal that a rule of its owner requested, where the company's setting has such withdrawals pass below an
 * amount. Under duties that are in force it counts as done by one administrator alone (decision 061): one that would
 * reach a threshold waits for an administrator. The caller has checked that its money may leave.
 *
 * @returns true if it was approved
 */
export async function approveAutomatic(
  tx: Tx,
  services: Pick<Services, 'clock'>,
  withdrawal: { id: string; userId: string; amountMinor: bigint },
): Promise<boolean> {
  const { id, userId, amountMinor } = withdrawal;
  const duties = await readDuties(tx);
  const { automaticPayoutBelowMinor: belowMinor } = duties.settings;
  if (belowMinor === null || amountMinor >= belowMinor) return false;
  const limits = limitsOf(duties, userId);
  try {
    await withSavepoint(tx, async () => {
      const counted = await countAmount(tx, duties.settings, amountMinor, limits);
      // Nothing counts to one of two limits alone.
      if (counted.size < limits.length) throw new AppError('second_person_needed');
      const details = usedFacts(amountMinor, counted);
      await act(tx, services, { actor: 'system' }, withdrawals, 'approveAutomatic', {
        id,
        details,
      });
    });
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'second_person_needed') return false;
    throw error;
  }
}

function limitsOf(duties: Duties, userId: string): AmountLimit[] {
  return DUTIES.filter((name) => isInForce(duties, name)).map((name) => ({
    name,
    subjectId: name === 'bankAccount' ? userId : null,
    belowMinor: thresholdOf(duties.settings, name) ?? 0n,
  }));
}
