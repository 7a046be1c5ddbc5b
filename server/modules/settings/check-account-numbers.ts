import { ACCOUNT_FORMAT_OF, accountProblems } from '#contract/account-formats.ts';
import type { AccountNumbers } from '#contract/account-formats.ts';
import type { Tx } from '#server/db/tx.ts';
import { AppError } from '#server/lib/errors.ts';
import { readMoneyRules } from './read-settings.ts';

/**
 * Checks that the numbers of a bank account are those that the company's currency takes: a routing number and an account
 * number in USD, a sort code and an account number in GBP, an IBAN in EUR.
 *
 * @throws {AppError} `invalid_request`, naming each number that is wrong
 */
export async function checkAccountNumbers(
  tx: Tx,
  { routingNumber, accountNumber }: AccountNumbers,
): Promise<void> {
  const { currency } = await readMoneyRules(tx);
  const problems = accountProblems(ACCOUNT_FORMAT_OF[currency], { routingNumber, accountNumber });
  const fields = Object.entries(problems).flatMap(([path, message]) =>
    message === undefined ? [] : [{ path, message }],
  );
  if (fields.length > 0) throw new AppError('invalid_request', {}, fields);
}
