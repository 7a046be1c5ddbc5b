import { sql } from 'kysely';
import type { EventProof, ProvenMovement } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { WalletType } from '#contract/wallets.ts';
import type { Reader } from '#server/db/tx.ts';
import { readAccountSeals, readHandovers, readSealProofs } from '#server/modules/ledger/index.ts';
import type { SealProof } from '#server/modules/ledger/index.ts';
import type { HistoryScope } from '../scope.ts';
import { systemAccountName } from '#contract/system-accounts.ts';
import { presentAccount, presentBlock, presentCommitment, presentProof } from './present.ts';

/** One side of a posting, with its account. */
export interface SideRow {
  accountId: string;
  accountVersion: bigint;
  amount: bigint;
  balanceAfter: bigint;
  currency: Currency;
  code: string | null;
  userId: string | null;
  walletType: WalletType;
  last4: string;
}

interface EntryRow extends SideRow {
  transactionId: string;
  name: string | null;
}

/**
 * Postings of a person by id, with both sides and their proofs. For an account that is not the
 * person's, only the amount is given: its number and balance would reveal how much money the
 * company, or a colleague, has (docs/decisions/029).
 */
export async function readMovements(
  reader: Reader,
  transactionIds: readonly string[],
  { ownerId }: Pick<HistoryScope, 'ownerId'>,
): Promise<Map<string, ProvenMovement>> {
  const proofs = await readSealProofs(reader, transactionIds);
  const { rows } = await sql<EntryRow>`
    SELECT entry.transaction_id, entry.account_id, entry.account_version, entry.amount,
           entry.balance_after, account.currency, account.code, employee.id AS user_id,
           employee.name, wallet.type AS wallet_type, wallet.last4
      FROM ledger_entry AS entry
      JOIN ledger_account AS account ON account.id = entry.account_id
      LEFT JOIN wallet ON wallet.ledger_account_id = account.id
      LEFT JOIN app_user AS employee ON employee.id = wallet.user_id
     WHERE entry.transaction_id = ANY (${transactionIds}::uuid[])
     ORDER BY entry.amount, entry.account_id, entry.account_version`.execute(reader);
  return new Map(
    transactionIds.map((id) => {
      const proof = proofs.get(id);
      const sides = rows.filter(({ transactionId }) => transactionId === id);
      const entries = sides.map((row) => presentSide(row, proof, row.userId === ownerId));
      return [id, { id, entries, proof: proof === undefined ? null : presentProof(proof) }];
    }),
  );
}

interface SealedAccountsOf {
  accountIds: readonly string[];
  /** Accounts of this person and the company's own alone; null for everybody's. */
  ownerId: string | null;
  /** Proofs of the postings. */
  proofs: readonly (ProvenMovement['proof'] | undefined)[];
}

/**
 * Seals of accounts, and the handovers between the first of them and the first of the postings. An
 * opening says whose an account is and since when, so an employee is not shown a colleague's.
 */
export async function readSealedAccounts(
  reader: Reader,
  { accountIds, ownerId, proofs }: SealedAccountsOf,
): Promise<Pick<EventProof, 'accounts' | 'handovers'>> {
  const all = await readAccountSeals(reader, accountIds);
  const accounts = all.filter(
    ({ sealed }) => ownerId === null || sealed.ownerId === null || sealed.ownerId === ownerId,
  );
  const first = lowest(proofs.flatMap((proof) => (proof ? BigInt(proof.block.height) : [])));
  const opened = lowest(accounts.map(({ block }) => block.height));
  const handovers =
    first === undefined || opened === undefined ? [] : await readHandovers(reader, opened, first);
  return { accounts: accounts.map(presentAccount), handovers: handovers.map(presentBlock) };
}

function lowest(heights: readonly bigint[]): bigint | undefined {
  return heights.toSorted((a, b) => Number(a - b))[0];
}

function presentSide(
  row: EntryRow,
  proof: SealProof | undefined,
  isOwn: boolean,
): ProvenMovement['entries'][number] {
  const { accountId, accountVersion: number, amount, balanceAfter, currency } = row;
  return {
    accountId,
    isOwn,
    account: nameOf(row, isOwn),
    amount: money(amount, currency),
    number: isOwn ? number.toString() : null,
    balanceAfter: isOwn ? money(balanceAfter, currency) : null,
    ...presentCommitment(proof, { accountId, number, balanceAfter }, isOwn),
  };
}

/** Only the name of a colleague: the account they were paid into is private to them. */
function nameOf({ code, name, walletType, last4 }: EntryRow, isOwn: boolean): string {
  if (code !== null) return systemAccountName(code);
  return isOwn ? `${WALLET_LABELS[walletType]} ••${last4}` : (name ?? '');
}
