import { AppError } from '#server/lib/errors.ts';
import type { Identity } from './identity.ts';

/** True if one more mail that another asked for may go to a person; it counts. */
export async function mayMailAnother({ attempts }: Identity, userId: string): Promise<boolean> {
  try {
    await attempts.spend('confirmationOfAccount', userId);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
