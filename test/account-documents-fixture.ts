import { afterEach, beforeEach } from 'vitest';
import type { AccountDocument } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Db } from '#server/db/tx.ts';
import { withTx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { makeDocument } from '#server/modules/account-documents/make-document.ts';
import { ownDocumentScope } from '#server/modules/account-documents/scope.ts';
import { depositActs, requestDeposit } from '#server/modules/deposits/index.ts';
import { offerDeposits } from '#test/factories/deposits.ts';
import { createPayee } from './factories/money.ts';
import type { Payee } from './factories/money.ts';
import { createPersonBy } from './factories/people.ts';
import { createTestServices } from './factories/services.ts';
import { openTestDb } from './open-db.ts';
import type { TestDb } from './open-db.ts';

export const NOT_FOUND = { code: 'account_document_not_found' };

interface Company {
  db: Db;
  /** Renee Albright. */
  admin: CommandContext;
  /** Owner of the documents; paid 500,000 cents on October 20, 2025. */
  maya: Payee;
}

/**
 * A company for the tests of one file about documents, and what is done in it.
 *
 * @param onOpen given the company, before each test
 */
export function accountDocumentsFixture(onOpen: (company: Company) => void) {
  const services = createTestServices();
  let test: TestDb;
  let admin: CommandContext;
  let maya: Payee;

  const at = (time: string) => services.clock.set(time);
  // A database each: an account's time only advances.
  beforeEach(async () => {
    test = await openTestDb();
    at('2025-10-20T15:00:00.000Z');
    const { db } = test;
    await offerDeposits(db, services);
    admin = await createPersonBy(db, { role: 'admin', firstName: 'Renee', lastName: 'Albright' });
    maya = await createPayee(db, services, { admin, fundedMinor: 500_000n });
    onOpen({ db, admin, maya });
  });
  afterEach(() => test.close());

  const scopeOf = ({ actor }: CommandContext) => ownDocumentScope(test.db, services, actor.id);

  async function newestTransaction(): Promise<string> {
    const { transactionId } = await test.db
      .selectFrom('ledgerEntry')
      .select('transactionId')
      .where('accountId', '=', maya.wallet.ledgerAccountId)
      .orderBy('accountVersion', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return transactionId;
  }

  return {
    services,
    at,
    scopeOf,
    newestTransaction,
    make: async (id: string, { by } = { by: maya.by }, isWhole = true) =>
      makeDocument(test.db, await scopeOf(by), { id, isWhole }),
    /** A deposit of that much, approved at this moment; answers its transaction. */
    deposit: async (minor: bigint): Promise<string> => {
      const request = {
        walletId: maya.wallet.id,
        method: 'ach',
        amount: money(minor, 'USD'),
      } as const;
      const { id } = await withTx(test.db, (tx) => requestDeposit(tx, services, maya.by, request));
      await withTx(test.db, (tx) => depositActs.approve(tx, services, admin, { id }));
      return newestTransaction();
    },
  };
}

/** In minor units. */
export function minorOf(
  cell: AccountDocument['tables'][number]['rows'][number][number] | undefined,
): bigint {
  if (cell === undefined || typeof cell === 'string' || 'reference' in cell)
    throw new Error('not an amount');
  return BigInt(cell.amount.minor);
}

export const factOf = ({ facts }: AccountDocument, label: string) =>
  facts.flat().find((fact) => fact.label === label)?.value;
