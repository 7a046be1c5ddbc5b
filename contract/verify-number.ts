import type { RouteReply, SealedBlock } from './api.ts';
import { PROOF_BLOCKS_FOLLOWED } from './limits.ts';
import { NUMBER_CHECKS, type NumberCheck } from './questions.ts';
import { beginAt, follow, type Followed, type KeptRoot } from './verify-chain.ts';
import { checkSignature, verifyProof, type CheckResult } from './verify-proof.ts';
import {
  checkAccounts,
  earliestBlock,
  isAnswer,
  isSame,
  isShownAsSealed,
  ownSide,
  type ProofSubject,
  type ProvenLine,
} from './verify-shown.ts';

/** `partly`: everything that was checked is right, but some of it cannot be checked yet. */
export type CheckState = 'waiting' | 'running' | 'right' | 'wrong' | 'partly' | 'skipped';

/** Part of the books that is missing, or that is not what it was. */
export type Missing =
  /** The entries are not numbered without a gap. */
  | { what: 'number' }
  /** The block does not follow from the one before it. */
  | { what: 'block'; height: bigint }
  /** The chain ends before this block, or has another one in its place. */
  | { what: 'root'; height: bigint }
  /** The account had this entry, as this browser has seen. */
  | { what: 'entry'; number: bigint }
  /** Another reply says that the account has other entries, as it does just after a payment. */
  | { what: 'newer' };

/** Results so far. */
export interface Findings {
  states: Readonly<Record<NumberCheck, CheckState>>;
  /** Lines that do not match the block that seals them. */
  changed: readonly ProvenLine[];
  /** Fault outside of the lines: the answer is about another number, or an account is not the sealed one. */
  fault: 'answer' | 'account' | undefined;
  /** Number of lines that are not sealed yet, or of which an account is not. */
  unsealed: number;
  /**
   * Number of lines in a format that cannot be shown without another account's data
   * (docs/decisions/029).
   */
  unshown: number;
  /** Part of the chain that was followed, and the newest known block. */
  followed: Followed | undefined;
  head: bigint;
  missing: Missing | undefined;
}

export const NOTHING_FOUND: Findings = {
  states: { sum: 'waiting', content: 'waiting', chain: 'waiting', signature: 'waiting' },
  changed: [],
  fault: undefined,
  unsealed: 0,
  unshown: 0,
  followed: undefined,
  missing: undefined,
  head: 0n,
};

/** Marks that a device keeps of earlier checks, out of the company's reach. */
export interface KeptMarks extends KeptRoot {
  /** Highest entry number that was seen of each account, by the account's id. */
  numbers: Readonly<Record<string, string>>;
}

/** Marks to keep after a number was proven; the former ones where it was not proven. */
export function marksAfter(
  { own, lines }: ProofSubject,
  { states, followed }: Findings,
  kept: KeptMarks | undefined,
): KeptMarks | undefined {
  const isProven = NUMBER_CHECKS.every((name) => states[name] === 'right');
  if (!isProven || followed === undefined || own === undefined) return kept;
  const { height, root } = followed.last;
  const numbers = lines.flatMap(({ event }) => BigInt(event.entryNumber ?? 0));
  const most = [BigInt(kept?.numbers[own.id] ?? 0), ...numbers].reduce((a, b) => (a > b ? a : b));
  return {
    height: BigInt(height),
    root,
    numbers: { ...kept?.numbers, [own.id]: most.toString() },
  };
}

/** Replies that are loaded apart from the proof, so that one of them alone cannot hide anything. */
export interface Sources {
  /** Loads the blocks after a given one. */
  readBlocks: (after: string) => Promise<RouteReply<'getSealedBlocks'>>;
  readRoots: () => Promise<RouteReply<'getLedgerRoots'>>;
  readTotals: () => Promise<RouteReply<'proveTotal'>>;
}

interface Run extends Sources {
  kept: KeptMarks | undefined;
  /** Called with all results each time there is a new one. */
  onFound?: (findings: Findings) => void;
  /** Results of a run that stopped on its way along the chain. The new run continues from there. */
  from?: Findings | undefined;
}

/**
 * Checks the sums, computes the seals, compares with them what is shown, follows the chain to its newest
 * block, and checks the signature. The server supplies only the data to compare. One run follows a
 * bounded number of blocks. A run that receives the earlier findings continues from them.
 *
 * @throws whatever a source throws, and errors for replies that are not of their shape; then the number
 *   is not proven
 */
export async function verifyNumber(subject: ProofSubject, run: Run): Promise<Findings> {
  let found = run.from ?? NOTHING_FOUND;
  const note = (name: NumberCheck, state: CheckState, more: Partial<Findings> = {}): void => {
    found = { ...found, ...more, states: { ...found.states, [name]: state } };
    run.onFound?.(found);
  };
  if (run.from === undefined) {
    note('sum', 'running');
    note('sum', sumsUp(subject) ? 'right' : 'wrong');
    if (found.states.sum === 'wrong') return skipRest();
    note('content', 'running');
    const content = await checkContent(subject);
    note('content', stateOf(content), content);
    if (found.states.content === 'wrong') return skipRest();
  }
  await followChain();
  if (found.states.chain === 'wrong') return skipRest();
  note('signature', 'running');
  note('signature', SIGNATURE_STATES[await checkWhoSigned(subject, found.followed)]);
  return found;

  async function followChain(): Promise<void> {
    const first = earliestBlock(subject);
    if (first === undefined) return note('chain', 'partly');
    if (!isNumberedWithoutGap(subject)) return isMissing({ what: 'number' });
    let followed = found.followed ?? beginAt(first);
    const newest = (await run.readRoots()).roots.at(-1);
    if (newest === undefined) return isMissing({ what: 'root', height: BigInt(first.height) });
    let head = BigInt(newest.height);
    const most = BigInt(followed.last.height) + BigInt(PROOF_BLOCKS_FOLLOWED);
    note('chain', 'running', { followed, head });
    while (BigInt(followed.last.height) < most) {
      const page = await run.readBlocks(followed.last.height);
      // More blocks were sealed since the last page, so the head has moved.
      head = BigInt(page.head?.height ?? 0);
      if (BigInt(followed.last.height) === head && page.blocks.length === 0) break;
      const next = page.blocks.length === 0 ? undefined : await follow(followed, page.blocks);
      if (next === undefined || 'brokenAt' in next) {
        const height = next?.brokenAt ?? BigInt(followed.last.height) + 1n;
        return isMissing({ what: 'block', height });
      }
      followed = next;
      note('chain', 'running', { followed, head });
    }
    note('chain', 'running', { followed, head });
    const missing = findMissing(subject, { followed, head, newest, kept: run.kept });
    if (missing !== undefined) return isMissing(missing);
    if (!(await isNewest(subject, run))) {
      return note('chain', 'partly', { missing: { what: 'newer' } });
    }
    const isWhole = BigInt(followed.last.height) === head && areNumbersProven(subject, found);
    note('chain', isWhole ? 'right' : 'partly');
  }

  function isMissing(missing: Missing): void {
    note('chain', 'wrong', { missing });
  }

  function skipRest(): Findings {
    for (const name of NUMBER_CHECKS) if (found.states[name] === 'waiting') note(name, 'skipped');
    return found;
  }
}

const SIGNATURE_STATES: Record<CheckResult, CheckState> = {
  right: 'right',
  wrong: 'wrong',
  unknown: 'partly',
};

/** True if each posting sums to zero, and each balance follows from the one before it. */
function sumsUp(subject: ProofSubject): boolean {
  const eachSums = subject.lines.every(
    (line) => sumOf(line.movement.entries) === 0n && ownSide(subject, line) !== undefined,
  );
  if (!eachSums || subject.kind === 'event') return eachSums;
  const { before, balance: last } = subject.proof;
  let balance = BigInt(before.balance.minor);
  for (const line of subject.lines) {
    balance += BigInt(line.event.amount.minor);
    if (ownSide(subject, line)?.balanceAfter?.minor !== balance.toString()) return false;
  }
  // Before the first entry there is nothing that a seal could prove: it is zero.
  const isEmpty = BigInt(before.number) === 0n;
  return balance.toString() === last.minor && (!isEmpty || before.balance.minor === '0');
}

function sumOf(entries: ProvenLine['movement']['entries']): bigint {
  return entries.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n);
}

type Content = Pick<Findings, 'changed' | 'fault' | 'unsealed' | 'unshown'>;

/** Checks leaf, path and block of every line and account, and that they say what is shown. */
async function checkContent(subject: ProofSubject): Promise<Content> {
  const changed: ProvenLine[] = [];
  let [unsealed, unshown] = [0, 0];
  for (const line of subject.lines) {
    const { id, entries, proof } = line.movement;
    if (proof === null) {
      unsealed += 1;
      continue;
    }
    const { leaf, merkleRoot, blockRoot } = await verifyProof({ id, entries, proof });
    if ([leaf, merkleRoot, blockRoot].includes('wrong') || !isShownAsSealed(subject, line)) {
      changed.push(line);
    } else if (leaf === 'unknown') unshown += 1;
  }
  const accounts = await checkAccounts(subject);
  if (accounts === 'unknown') unsealed = Math.max(unsealed, 1);
  const fault = isAnswer(subject) ? (accounts === 'wrong' ? 'account' : undefined) : 'answer';
  return { changed, fault, unsealed, unshown };
}

function stateOf({ changed, fault, unsealed, unshown }: Content): CheckState {
  if (changed.length > 0 || fault !== undefined) return 'wrong';
  return unsealed + unshown > 0 ? 'partly' : 'right';
}

/** True if the account's entry numbers have no gap. A removed entry would leave one. */
function isNumberedWithoutGap(subject: ProofSubject): boolean {
  if (subject.kind === 'event') return true;
  const { before, number } = subject.proof;
  const first = BigInt(before.number) + 1n;
  // Digits in one form only: an empty text would count as zero.
  if (before.number !== (first - 1n).toString()) return false;
  const isInLine = subject.lines.every(
    (line, index) => ownSide(subject, line)?.number === (first + BigInt(index)).toString(),
  );
  return isInLine && first + BigInt(subject.lines.length) - 1n === BigInt(number);
}

/** True if the numbers of a balance's entries are sealed ones. */
function areNumbersProven({ kind }: ProofSubject, { unsealed, unshown }: Findings): boolean {
  return kind === 'event' || unsealed + unshown === 0;
}

interface Reached {
  followed: Followed;
  head: bigint;
  /** The newest root, loaded apart from the chain. */
  newest: RouteReply<'getLedgerRoots'>['roots'][number];
  kept: KeptMarks | undefined;
}

function findMissing(
  subject: ProofSubject,
  { followed, head, newest, kept }: Reached,
): Missing | undefined {
  const { own, lines, proof } = subject;
  const seals = [...lines.flatMap(({ movement }) => movement.proof ?? []), ...proof.accounts];
  const stray = seals.find(({ block }) => isAnother(block, followed));
  if (stray !== undefined) return { what: 'block', height: BigInt(stray.block.height) };
  const height = BigInt(newest.height);
  const start = BigInt(followed.first.height);
  if (isAnother({ ...newest, height: newest.height.toString() }, followed) || height < start) {
    return { what: 'root', height };
  }
  for (const one of kept === undefined ? [{ height }] : [{ height }, kept]) {
    if (one.height > head) return { what: 'root', height: one.height };
  }
  const known = kept && followed.blocks.get(kept.height);
  if (kept !== undefined && known !== undefined && known.root !== kept.root) {
    return { what: 'root', height: kept.height };
  }
  const seen = BigInt((own && kept?.numbers[own.id]) ?? 0);
  const isNewestAsked = subject.kind === 'balance' && subject.number === '';
  return isNewestAsked && BigInt(subject.proof.number) < seen
    ? { what: 'entry', number: seen }
    : undefined;
}

/** True if the chain has another block at that height. Blocks that were not reached pass. */
function isAnother(
  block: Pick<SealedBlock, 'height' | 'root' | 'sealedAt' | 'publicKey' | 'signature'>,
  { blocks }: Followed,
): boolean {
  const known = blocks.get(BigInt(block.height));
  const fields = ['root', 'sealedAt', 'publicKey', 'signature'] as const;
  return known !== undefined && fields.some((field) => known[field] !== block[field]);
}

/** Compares the newest entry of an account with a reply that was loaded apart. */
async function isNewest(subject: ProofSubject, { readTotals }: Sources): Promise<boolean> {
  if (subject.kind === 'event' || subject.number !== '') return true;
  const { flows } = await readTotals();
  const flow = flows.find(({ type }) => type === subject.account);
  const { number, balance } = subject.proof;
  return flow?.number === number && isSame(flow.balance, balance);
}

/** Checks the signatures of the newest block that was reached, and of every block that seals a part. */
async function checkWhoSigned(
  { lines, proof }: ProofSubject,
  followed: Followed | undefined,
): Promise<CheckResult> {
  if (followed === undefined) return 'unknown';
  const seals = [...lines.flatMap(({ movement }) => movement.proof ?? []), ...proof.accounts];
  for (const block of [followed.last, ...seals.map((seal) => seal.block)]) {
    const result = await checkSignature(block);
    if (result !== 'right') return result;
  }
  return 'right';
}
