import type { AccountDocument } from '#contract/api.ts';
import { WALLET_TYPES } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { InvariantError, invariant } from '#server/lib/errors.ts';
import { makePayslip } from './payslip.ts';
import { makeReceipt } from './receipt.ts';
import type { DocumentScope } from './scope.ts';
import { makeStatement } from './statement.ts';

/**
 * One document of the person, by its id (contract/account-documents.ts).
 *
 * @param isWhole true for the PDF, which has every row; the screen shows the first rows of a long
 *   statement
 * @throws {AppError} `account_document_not_found`; `statement_too_long` if `isWhole` is true
 */
export function makeDocument(
  reader: Reader,
  scope: DocumentScope,
  { id, isWhole }: { id: string; isWhole: boolean },
): Promise<AccountDocument> {
  const [kind, first = '', second = ''] = id.split('.');
  switch (kind) {
    case 'payslip':
      return makePayslip(reader, scope, first);
    case 'receipt':
      return makeReceipt(reader, scope, `${first}.${second}`);
    case 'statement': {
      const type = WALLET_TYPES.find((known) => known === first);
      const wallet = invariant(type, 'the id of a statement names an account');
      return makeStatement(reader, scope, { wallet, month: second, isWhole });
    }
    default:
      throw new InvariantError('the id of a document names its kind');
  }
}
