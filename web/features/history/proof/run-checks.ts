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

/** `partly`: what was checked is right, and something could not be checked yet. */
export type CheckState = 'waiting' | 'running' | 'right' | 'wrong' | 'partly' | 'skipped';

/** What is known so far. */
export interface Findings {
  states: Readonly<Record<NumberCheck, CheckState>>;
  /** Lines that do not fit the block they were sealed in. */
  changed: readonly ProvenLine[];
  /** Lines that wait for their seal. */
  unsealed: number;
  /** Lines in a format that shows no line without showing another account (docs/decisions/028). */
  unshown: number;
  /** How far the chain was followed, and the newest block that is known of. */
  followed: Followed | undefined;
  head: bigint;
  /** A block that does not follow from the one before. */
  brokenAt: bigint | undefined;
}

export const NOTHING_FOUND: Findings = {
  states: { sum: 'waiting', content: 'waiting', chain: 'waiting', signature: 'waiting' },
  ...{ changed: [], unsealed: 0, unshown: 0, followed: undefined, brokenAt: undefined },
  head: 0n,
};

/** Where the blocks after one come from. */
type ReadBlocks = (after: string) => Promise<RouteReply<'getSealedBlocks'>>;

interface Run {
  readBlocks: ReadBlocks;
  /** Called with everything that is known, whenever something new is. */
  onFound: (findings: Findings) => void;
  /** Findings of a run that stopped on the way along the chain, to go on from there. */
  from?: Findings | undefined;
}

/**
 * Does the sums, computes the seals, follows the chain to its newest block, and checks who signed it.
 * Nothing is taken from the server but what is compared. The chain is followed over a bounded number of
 * blocks at a time; a run that is given the findings goes on.
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
      // Blocks were sealed meanwhile, and a later run has more of them.
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

/** Each posting to zero, and a balance from the one before it, entry by entry. */
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

/** Leaf, path and block of every line. */
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

/** An account's entries are numbered, so that one that is taken out leaves a gap. */
function isNumberedWithoutGap(subject: ProofSubject): boolean {
  if (subject.kind === 'event') return true;
  const first = BigInt(subject.proof.before.number) + 1n;
  const isInLine = subject.lines.every(
    (line, index) => ownSide(line)?.number === (first + BigInt(index)).toString(),
  );
  return isInLine && first + BigInt(subject.lines.length) - 1n === BigInt(subject.proof.number);
}

/** Whether a line names a block that is not the one in the chain. Later blocks are not reached yet. */
function isOutOfChain(line: ProvenLine, { roots }: Followed): boolean {
  const root = roots.get(heightOf(line));
  return root !== undefined && root !== line.movement.proof?.block.root;
}

/** The newest block that was reached covers all before it; a line beyond it is signed by its own block. */
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
