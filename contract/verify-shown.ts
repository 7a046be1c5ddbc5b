import type {
  AccountSeal,
  BalanceProof,
  EventProof,
  HistoryItem,
  ProvenMovement,
  SealedBlock,
  TransactionPage,
} from './api.ts';
import type { Money } from './money.ts';
import { systemAccountName } from './system-accounts.ts';
import { leadsTo } from './verify-chain.ts';
import { type CheckResult, verifyAccount } from './verify-proof.ts';
import { WALLET_LABELS, type WalletType } from './wallets.ts';

/**
 * One of the person's entries, with its posting. Of a history row it has what the seal has as well.
 * Descriptions, names of people and notes can be erased, so they are not sealed, and no screen shows
 * them next to the result of a check.
 */
export interface ProvenLine {
  event: Pick<
    HistoryItem,
    | 'id'
    | 'transactionId'
    | 'type'
    | 'reference'
    | 'status'
    | 'amount'
    | 'at'
    | 'balanceAfter'
    | 'entryNumber'
  > & { account: { type: WalletType } };
  movement: Omit<ProvenMovement, 'entries'> & { entries: readonly ProvenSide[] };
}

type ProvenSide = Omit<ProvenMovement['entries'][number], 'account'>;

interface Asked {
  personId: string;
  /** The person's account, as it was opened. Undefined until that is sealed. */
  own: AccountSeal | undefined;
  lines: readonly ProvenLine[];
}

/** The number to prove, with its parts and with what was asked for. */
export type ProofSubject = Asked &
  (
    | { kind: 'event'; id: string; proof: ProvenLine & Pick<EventProof, 'accounts' | 'handovers'> }
    | {
        kind: 'balance';
        account: WalletType;
        /** The entry after which the account had the balance; empty for the newest. */
        number: string;
        proof: Pick<
          BalanceProof,
          'number' | 'balance' | 'before' | 'held' | 'accounts' | 'handovers'
        > & { account: { type: WalletType }; entries: readonly ProvenLine[] };
      }
  );

/** @param asked the id of the row that was asked for, and who asked */
export function ofEvent(
  proof: EventProof,
  { id, personId }: { id: string; personId: string },
): ProofSubject {
  const own = ownAccount(proof.accounts, personId, proof.event.account.type);
  return { kind: 'event', id, personId, own, proof, lines: [proof] };
}

/** @param asked the account and the entry that were asked for, and who asked */
export function ofBalance(
  proof: BalanceProof,
  { account, number, personId }: { account: WalletType; number: string; personId: string },
): ProofSubject {
  const own = ownAccount(proof.accounts, personId, account);
  return { kind: 'balance', account, number, personId, own, proof, lines: proof.entries };
}

function ownAccount(
  accounts: readonly AccountSeal[],
  personId: string,
  type: WalletType,
): AccountSeal | undefined {
  return accounts.find(({ sealed }) => sealed.ownerId === personId && sealed.kind === type);
}

/** The person's own side of a line's posting. */
export function ownSide(
  { own }: Pick<Asked, 'own'>,
  { event, movement }: ProvenLine,
): ProvenSide | undefined {
  return movement.entries.find(
    ({ accountId, isOwn, amount }) =>
      (own === undefined ? isOwn : accountId === own.id) && amount.minor === event.amount.minor,
  );
}

/** Name of an account by its seal. The account of another person has none. */
export function sealedName(accounts: readonly AccountSeal[], accountId: string): string {
  const sealed = accounts.find(({ id }) => id === accountId)?.sealed;
  if (sealed === undefined) return 'The other account';
  if (sealed.code !== null) return systemAccountName(sealed.code);
  return `Your ${WALLET_LABELS[sealed.kind as WalletType]}`;
}

/** The earliest block of the lines, where following the chain starts. Undefined if none is sealed. */
export function earliestBlock({ lines, own }: Asked): SealedBlock | undefined {
  const [first] = lines
    .flatMap(({ movement }) => movement.proof?.block ?? [])
    .toSorted((a, b) => Number(BigInt(a.height) - BigInt(b.height)));
  return first ?? (lines.length === 0 ? own?.block : undefined);
}

export function heightOf({ movement }: ProvenLine): bigint {
  return BigInt(movement.proof?.block.height ?? 0);
}

/** True if the reply is about the number that was asked for. */
export function isAnswer(subject: ProofSubject): boolean {
  if (subject.kind === 'event') return subject.proof.event.id === subject.id;
  const { account, number, proof } = subject;
  return proof.account.type === account && (number === '' || proof.number === number);
}

/** True if everything that a line shows is what its seal has. */
export function isShownAsSealed(subject: ProofSubject, line: ProvenLine): boolean {
  const { event, movement } = line;
  const side = ownSide(subject, line);
  const type = subject.kind === 'event' ? subject.proof.event.account.type : subject.account;
  const sealed = movement.proof?.sealed;
  return (
    side !== undefined &&
    sealed !== undefined &&
    event.id === `${movement.id}.${type}` &&
    event.transactionId === movement.id &&
    event.account.type === type &&
    event.type === sealed.kind &&
    event.reference === sealed.reference &&
    event.status === 'completed' &&
    isMoment(event.at, sealed.effectiveAt) &&
    event.entryNumber === side.number &&
    isSame(event.amount, side.amount) &&
    isSame(event.balanceAfter, side.balanceAfter)
  );
}

/** True if both are the same amount of the same currency. */
export function isSame(a: Money | null, b: Money | null): boolean {
  return a !== null && b !== null && a.minor === b.minor && a.currency === b.currency;
}

/** True if a shown moment is the sealed one, which has microseconds. */
export function isMoment(at: string, micros: string): boolean {
  return new Date(Number(BigInt(micros) / 1000n)).toISOString() === at;
}

/**
 * Checks the seals of the accounts: whose they are, their kind and currency, and that their blocks were
 * signed by the key that signed the postings, or by one that handed over to it.
 *
 * @returns `unknown` while an account is not sealed yet
 */
export async function checkAccounts(subject: ProofSubject): Promise<CheckResult> {
  const { own, personId, lines } = subject;
  const { accounts, handovers } = subject.proof;
  const used = new Set(lines.flatMap(({ movement }) => movement.entries.map(sideAccount)));
  const ids = accounts.map(({ id }) => id);
  const areMeant = accounts.every(
    ({ id, sealed: { ownerId, code } }) =>
      (ownerId === null ? code !== null : ownerId === personId && code === null) &&
      (used.has(id) || id === own?.id),
  );
  if (!areMeant || new Set(ids).size < ids.length) return 'wrong';
  for (const seal of accounts) {
    const { leaf, merkleRoot, blockRoot } = await verifyAccount(seal);
    if ([leaf, merkleRoot, blockRoot].includes('wrong')) return 'wrong';
  }
  if (!(await areBound(subject, accounts, handovers))) return 'wrong';
  if (own === undefined) return 'unknown';
  if (currenciesOf(subject).some((currency) => currency !== own.sealed.currency)) return 'wrong';
  return lines.every((line) => isNamed(line, ids)) ? 'right' : 'unknown';
}

function sideAccount({ accountId }: ProvenSide): string {
  return accountId;
}

/** Between two people, the other side stays unnamed. */
function isNamed({ event, movement }: ProvenLine, ids: readonly string[]): boolean {
  if (event.type === 'transfer') return true;
  return movement.entries.every(({ accountId }) => ids.includes(accountId));
}

function currenciesOf({ kind, proof, lines }: ProofSubject): string[] {
  const shown = lines.flatMap(({ event, movement }) => [
    event.amount,
    ...movement.entries.flatMap(({ amount, balanceAfter }) => [amount, balanceAfter ?? []].flat()),
  ]);
  const sums = kind === 'balance' ? [proof.balance, proof.before.balance] : [];
  const held = kind === 'balance' ? proof.held.map(({ amount }) => amount) : [];
  return [...shown, ...sums, ...held].map(({ currency }) => currency);
}

function areBound(
  subject: ProofSubject,
  accounts: readonly AccountSeal[],
  handovers: readonly SealedBlock[],
): Promise<boolean> {
  const first = earliestBlock(subject);
  return first === undefined ? Promise.resolve(true) : areLed(accounts, handovers, first);
}

/** True if the keys of all accounts that were opened before lead to that of a posting. */
async function areLed(
  accounts: readonly AccountSeal[],
  handovers: readonly SealedBlock[],
  first: SealedBlock,
): Promise<boolean> {
  const earlier = accounts.filter(({ block }) => BigInt(block.height) < BigInt(first.height));
  const isUsed = (handover: SealedBlock) =>
    earlier.some(({ block }) => BigInt(block.height) < BigInt(handover.height));
  if (!handovers.every(isUsed)) return false;
  for (const { block } of earlier) {
    const later = handovers.filter(({ height }) => BigInt(height) > BigInt(block.height));
    if (!(await leadsTo(block, later, first))) return false;
  }
  return true;
}

/**
 * Checks that the page of a transaction shows what its seal and those of its accounts have: reference,
 * kind, times, amounts, which accounts they are and whose. Names of people are not sealed, their ids are.
 *
 * @returns `unknown` while the transaction or an account is not sealed
 */
export async function checkPage(page: TransactionPage): Promise<CheckResult> {
  const { proof, entries, accounts, facts, employee } = page;
  if (proof === null) return 'unknown';
  const { sealed } = proof;
  const isSealed =
    page.type === sealed.kind &&
    page.reference === sealed.reference &&
    page.status === 'completed' &&
    isMoment(page.at, sealed.effectiveAt) &&
    facts.recordedAt !== null &&
    isMoment(facts.recordedAt, sealed.recordedAt) &&
    (facts.reverses?.id ?? null) === sealed.reversesId &&
    entries.some(({ holder, amount }) => holder?.id === employee.id && isSame(amount, page.amount));
  if (!isSealed) return 'wrong';
  for (const { accountId, holder, account, amount, balanceAfter } of entries) {
    const seal = accounts.find(({ id }) => id === accountId);
    if (seal === undefined) return 'unknown';
    const { code, kind, ownerId, currency } = seal.sealed;
    const { leaf, merkleRoot, blockRoot, signature } = await verifyAccount(seal);
    const isSealedSo =
      ![leaf, merkleRoot, blockRoot, signature].includes('wrong') &&
      ownerId === (holder?.id ?? null) &&
      [amount, balanceAfter].every((money) => money.currency === currency) &&
      (code === null
        ? account.startsWith(WALLET_LABELS[kind as WalletType])
        : account === systemAccountName(code));
    if (!isSealedSo) return 'wrong';
  }
  return (await areLed(accounts, page.handovers, proof.block)) ? 'right' : 'wrong';
}
