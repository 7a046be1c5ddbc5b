import type { RouteReply } from '#contract/api.ts';
import { NUMBER_CHECKS, type NumberCheck } from '#contract/questions.ts';
import { PROOF_BLOCKS_FOLLOWED } from '#contract/limits.ts';
import { beginAt, follow, type Followed } from '#contract/verify-chain.ts';
import { checkSignature, verifyProof, type CheckResult } from '#contract/verify-proof.ts';
import {
  earliestSealed,
  heightOf,
  ownSide,
  type ProofSubject,
  type ProvenLine,
} from './subject.ts';

/** `partly`: everything that was checked is right, but some of it cannot be checked yet. */
export type CheckState = 'waiting' | 'running' | 'right' | 'wrong' | 'partly' | 'skipped';

/** Results so far. */
export interface Findings {
  states: Readonly<Record<NumberCheck, CheckState>>;
  /** Lines that do not match the block that seals them. */
  changed: readonly ProvenLine[];
  /** Number of lines that are not sealed yet. */
  unsealed: number;
  /**
   * Number of lines in a format that cannot be shown without another account's data
   * (docs/decisions/028).
   */
  unshown: number;
  /** Part of the chain that was followed, and the newest known block. */
  followed: Followed | undefined;
  head: bigint;
  /** Height of the first block that does not follow from the one before it. */
  brokenAt: bigint | undefined;
}

export const NOTHING_FOUND: Findings = {
  states: { sum: 'waiting', content: 'waiting', chain: 'waiting', signature: 'waiting' },
  ...{ changed: [], unsealed: 0, unshown: 0, followed: undefined, brokenAt: undefined },
  head: 0n,
};

/** Loads the blocks after a given one. */
type ReadBlocks = (after: string) => Promise<RouteReply<'getSealedBlocks'>>;

interface Run {
  readBlocks: ReadBlocks;
  /** Called with all results each time there is a new one. */
  onFound: (findings: Findings) => void;
  /** Results of a run that stopped on its way along the chain. The new run continues from there. */
  from?: Findings | undefined;
}

/**
 * Checks the sums, computes the seals, follows the chain to its newest block, and checks the
 * signature. The server supplies only the data to compare. One run follows a bounded number of
 * blocks. A run that receives the earlier findings continues from them.
 */
export async function runChecks(
  subject: ProofSubject,
  { readBlocks, onFound, from }: Run,
): Promise<Findings> {
  let found = from ?? NOTHING_FOUND;
  const note = (name: NumberCheck, state: CheckState, more: Partial<Findings> = {}): void => {
    found = { ...found, ...more, states: { ...found.states, [name]: state } };
    onFound(found);
  };
  if (from === undefined) {
    note('sum', 'running');
    note('sum', sumsUp(subject) ? 'right' : 'wrong');
    if (found.states.sum === 'wrong') return skipRest();
    note('content', 'running');
    const content = await checkContent(subject.lines);
    note('content', stateOf(content), content);
    if (found.states.content === 'wrong') return skipRest();
  }
  await followChain();
  if (found.states.chain === 'wrong') return skipRest();
  note('signature', 'running');
  note('signature', SIGNATURE_STATES[await checkWhoSigned(subject.lines, found.followed)]);
  return found;

  async function followChain(): Promise<void> {
    const first = earliestSealed(subject.lines);
    if (first?.movement.proof == null) return note('chain', 'partly');
    if (!isNumberedWithoutGap(subject)) return note('chain', 'wrong');
    let followed = found.followed ?? beginAt(first.movement.proof.block);
    let head = BigInt(subject.proof.head?.height ?? 0);
    const most = BigInt(followed.last.height) + BigInt(PROOF_BLOCKS_FOLLOWED);
    note('chain', 'running', { followed, head });
    while (BigInt(followed.last.height) < most) {
      const page = await readBlocks(followed.last.height);
      // More blocks were sealed since the last page, so the head has moved.
      head = BigInt(page.head?.height ?? head);
      if (BigInt(followed.last.height) === head) break;
      const next = page.blocks.length === 0 ? undefined : await follow(followed, page.blocks);
      if (next === undefined || 'brokenAt' in next) {
        const brokenAt = next?.brokenAt ?? BigInt(followed.last.height) + 1n;
        return note('chain', 'wrong', { brokenAt });
      }
      followed = next;
      note('chain', 'running', { followed, head });
    }
    const stray = subject.lines.find((line) => isOutOfChain(line, followed));
    if (stray !== undefined) return note('chain', 'wrong', { brokenAt: heightOf(stray) });
    note('chain', BigInt(followed.last.height) < head ? 'partly' : 'right', { followed });
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
    (line) => sumOf(line.movement.entries) === 0n && ownSide(line) !== undefined,
  );
  if (!eachSums || subject.kind === 'event') return eachSums;
  let balance = BigInt(subject.proof.before.balance.minor);
  for (const line of subject.lines) {
    balance += BigInt(line.event.amount.minor);
    if (ownSide(line)?.balanceAfter?.minor !== balance.toString()) return false;
  }
  return balance.toString() === subject.proof.balance.minor;
}

function sumOf(entries: ProvenLine['movement']['entries']): bigint {
  return entries.reduce((sum, { amount }) => sum + BigInt(amount.minor), 0n);
}

type Content = Pick<Findings, 'changed' | 'unsealed' | 'unshown'>;

/** Checks the leaf, path and block of every line. */
async function checkContent(lines: readonly ProvenLine[]): Promise<Content> {
  const changed: ProvenLine[] = [];
  let [unsealed, unshown] = [0, 0];
  for (const line of lines) {
    const { id, entries, proof } = line.movement;
    if (proof === null) {
      unsealed += 1;
      continue;
    }
    const { leaf, merkleRoot, blockRoot } = await verifyProof({ id, entries, proof });
    if ([leaf, merkleRoot, blockRoot].includes('wrong')) changed.push(line);
    else if (leaf === 'unknown') unshown += 1;
  }
  return { changed, unsealed, unshown };
}

function stateOf({ changed, unsealed, unshown }: Content): CheckState {
  if (changed.length > 0) return 'wrong';
  return unsealed + unshown > 0 ? 'partly' : 'right';
}

/** True if the account's entry numbers have no gap. A removed entry would leave one. */
function isNumberedWithoutGap(subject: ProofSubject): boolean {
  if (subject.kind === 'event') return true;
  const first = BigInt(subject.proof.before.number) + 1n;
  const isInLine = subject.lines.every(
    (line, index) => ownSide(line)?.number === (first + BigInt(index)).toString(),
  );
  return isInLine && first + BigInt(subject.lines.length) - 1n === BigInt(subject.proof.number);
}

/**
 * True if a line names a block that differs from the one in the chain. Blocks not reached yet pass.
 */
function isOutOfChain(line: ProvenLine, { roots }: Followed): boolean {
  const root = roots.get(heightOf(line));
  return root !== undefined && root !== line.movement.proof?.block.root;
}

/**
 * Checks signatures. The newest block reached covers all before it. A later line is covered by its
 * own block.
 */
async function checkWhoSigned(
  lines: readonly ProvenLine[],
  followed: Followed | undefined,
): Promise<CheckResult> {
  if (followed === undefined) return 'unknown';
  const reached = BigInt(followed.last.height);
  const beyond = lines.flatMap((line) =>
    heightOf(line) > reached && line.movement.proof !== null ? [line.movement.proof.block] : [],
  );
  for (const block of [followed.last, ...beyond]) {
    const result = await checkSignature(block);
    if (result !== 'right') return result;
  }
  return 'right';
}
