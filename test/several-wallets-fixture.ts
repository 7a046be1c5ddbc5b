import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { PayrollDraft, PayrollPreview } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { WalletType } from '#contract/wallets.ts';
import { withTx } from '#server/db/tx.ts';
import type { Actor } from '#server/lib/actor.ts';
import { addDraftWallet } from '#server/modules/payroll/drafts/parts.ts';
import { getPayrollDraft } from '#server/modules/payroll/drafts/rows.ts';
import { savePayrollDraft } from '#server/modules/payroll/drafts/save-draft.ts';
import {
  previewPayrollDraft,
  sendPayrollDraft,
} from '#server/modules/payroll/drafts/send-draft.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import { openWallet } from '#server/modules/wallets/index.ts';
import { retireEverybody, seedAdmin, seedEmployees } from './factories/payroll.ts';
import type { SeededEmployee } from './factories/payroll.ts';
import { createTestServices } from './factories/services.ts';
import { openTestDb } from './open-db.ts';
import type { TestDb } from './open-db.ts';
import { draftOwnAmounts, expectDraftSums, sendDraftAsSeen } from './payroll-fixture.ts';

export const usd = (minor: number) => money(BigInt(minor), 'USD');

interface Company {
  test: TestDb;
  admin: Actor;
  other: Actor;
  people: SeededEmployee[];
}

/**
 * Two administrators and three people, of whom two have savings and one has a wallet for taxes, for the tests of one file.
 *
 * @param onBegin given them before each test, which has others
 */
export function severalWalletsFixture(onBegin: (company: Company) => void) {
  const services = createTestServices();
  let test: TestDb;
  let admin: Actor;
  let people: SeededEmployee[];
  beforeAll(async () => {
    test = await openTestDb();
  });
  afterAll(() => test.close());
  afterEach(() => expectDraftSums(test.db));
  beforeEach(async () => {
    services.clock.set('2026-12-11T15:00:00.000Z');
    await retireEverybody(test.db);
    await sql`UPDATE company_settings SET payroll_cancel_seconds = 0, separate_payroll_minor = NULL,
                payroll_line_limit_minor = 1000000, payroll_batch_limit_minor = 100000000`.execute(
      test.db,
    );
    admin = await seedAdmin(test.db);
    const other = await seedAdmin(test.db);
    people = await seedEmployees(test.db, { count: 3 });
    for (const index of [0, 1]) await open(index, 'savings');
    await open(0, 'irs');
    onBegin({ test, admin, other, people });
  });

  const idOf = (index: number) => people[index]?.id ?? '';
  const open = (index: number, type: WalletType) =>
    withTx(test.db, (tx) => openWallet(tx, services, { userId: idOf(index), type }));
  const addWallet = (id: string, walletType: WalletType) =>
    withTx(test.db, (tx) => addDraftWallet(tx, services, { actor: admin }, { id, walletType }));
  type Save = Omit<Parameters<typeof savePayrollDraft>[3], 'id' | 'version'>;
  const save = (draft: Pick<PayrollDraft, 'id' | 'version'>, body: Save, by = admin) =>
    withTx(test.db, (tx) =>
      savePayrollDraft(
        tx,
        services,
        { actor: by },
        { id: draft.id, version: draft.version, ...body },
      ),
    );
  const read = async (id: string) => getPayrollDraft(test.db, await readSettings(test.db), id);
  const preview = (id: string) =>
    previewPayrollDraft(test.db, services, { id, readerId: admin.id });
  const send = (id: string) => sendDraftAsSeen(test.db, admin, id, services);
  const seenOf = (id: string, { hash, alreadyPaid }: PayrollPreview) => ({
    id,
    previewHash: hash,
    alreadyPaidHash: alreadyPaid?.hash,
  });
  const sendSeen = (seen: ReturnType<typeof seenOf>, by = admin) =>
    withTx(test.db, (tx) => sendPayrollDraft(tx, services, { actor: by }, seen));
  async function batchesNow(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM payroll_batch`.execute(test.db);
    return rows[0]?.count ?? 0;
  }
  /** Everything that those batches paid, by person and type of wallet. */
  async function paidBy(batchIds: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ line: string }>`
      SELECT line.user_id || ' ' || batch.wallet_type || ' ' || line.amount_minor AS line
        FROM payroll_line AS line JOIN payroll_batch AS batch ON batch.id = line.batch_id
       WHERE batch.id = ANY (${batchIds}::uuid[]) AND line.status = 'processed' ORDER BY 1`.execute(
      test.db,
    );
    return rows.map(({ line }) => line);
  }

  /** Pays 100.00, 200.01 and 300.02 into salary wallets, and 5.00 and 6.01 into savings of the first two. */
  async function ofTwoTypes(): Promise<{ whole: PayrollDraft; part: PayrollDraft }> {
    const whole = await draftOwnAmounts(
      test.db,
      admin,
      new Map([
        [idOf(0), 10_000n],
        [idOf(1), 20_001n],
        [idOf(2), 30_002n],
      ]),
      services,
    );
    const part = await save(await addWallet(whole.id, 'savings'), {
      people: [
        { id: idOf(0), amount: usd(500) },
        { id: idOf(1), amount: usd(601) },
      ],
    });
    return { whole: await read(whole.id), part };
  }
  return {
    services,
    idOf,
    addWallet,
    save,
    read,
    preview,
    send,
    seenOf,
    sendSeen,
    batchesNow,
    paidBy,
    ofTwoTypes,
  };
}
