import type { KeyObject } from 'node:crypto';
import { sql } from 'kysely';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { LedgerError } from '../errors.ts';
import { publicKeyBytes } from './block.ts';
import type { Block } from './block.ts';
import { readNewestBlock } from './chain.ts';
import { examineChain } from './examine-chain.ts';
import type { Refusal } from './examine-chain.ts';
import { chooseKey } from './choose-key.ts';
import { appendHandover } from './hand-over.ts';
import type { HandOverOptions } from './hand-over.ts';
import { createRootExport } from './root-export.ts';
import type { RootExportOptions } from './root-export.ts';
import { isSame, sealBlock } from './seal-block.ts';
import { SEALED_KINDS } from './sealed-kinds.ts';
import { createSealerLock } from './sealer-lock.ts';
import { readSigners } from './trusted-keys.ts';
import type { FormerKey } from './trusted-keys.ts';

const MAX_BLOCK_LEAVES = 4_096;
/** Maximum retries of a run after another process was quicker. */
const MAX_MOVES = 5;

/** `roots` is the place that roots are exported to, and that is read before anything is sealed. */
export interface SealerOptions extends RootExportOptions {
  db: Db;
  /** A private Ed25519 key; see `loadSigningKey`. */
  signingKey: KeyObject;
  /** Keys that signed before it. */
  formerKeys: readonly FormerKey[];
  /**
   * Private keys that may have replaced it. Called only if the chain was handed over. Default:
   * none.
   */
  furtherKeys?: () => readonly KeyObject[];
  /** Maximum number of leaves of a kind in a block. */
  maxBlockLeaves?: number;
}

/** Result of one run of the sealer. */
export interface SealResult {
  blocks: number;
  transactions: number;
  accounts: number;
  auditEvents: number;
}

export interface SealerState {
  /** Reason why nothing is sealed; null while sealing works. */
  refusal: Refusal | null;
  /** Time since when roots could not be exported; null while they can. */
  exportFailingSince: Date | null;
}

export interface Sealer {
  /**
   * Seals all committed rows that are not sealed yet, in as many blocks as needed, and exports the
   * newest root. Rows that commit during the run are left to the next one. Does nothing while
   * another process seals. Seals nothing when the chain fails its checks; `state` then has the
   * reason.
   */
  run(): Promise<SealResult>;
  /**
   * Hands the chain over to another private key, which signs all later blocks, and exports the root
   * of the handover block.
   *
   * @returns that block; null if the chain is already signed by that key
   * @throws {LedgerError} `handover_refused` when the chain fails its checks, or nothing is sealed
   *   yet
   */
  handOver(successor: KeyObject): Promise<Block | null>;
  state(): SealerState;
}

/**
 * Creates the sealer of this process. Any number of processes may have one on the same database.
 */
export function createSealer(options: SealerOptions): Sealer {
  const { db, signingKey, formerKeys, roots, log } = options;
  const ownKeys = { current: signingKey, further: options.furtherKeys ?? (() => []) };
  const maxLeaves = options.maxBlockLeaves ?? MAX_BLOCK_LEAVES;
  const keys = { current: signingKey, former: formerKeys };
  const rootExport = createRootExport(options);
  const lock = createSealerLock(log);
  /**
   * The last head that passed the checks, and the key that signs the next block. The block is
   * undefined while nothing is sealed.
   */
  let seen: { head: Block | undefined; key: KeyObject } | undefined;
  let refusal: Refusal | null = null;

  function note(next: Refusal | null): void {
    if (next !== null && next.sentence !== refusal?.sentence) {
      const msg = `The ledger is not sealed: ${next.sentence} Nothing is signed until that is settled; docs/backups.md says how.`;
      log.error({ msg, code: next.code });
    } else if (next === null && refusal !== null) {
      log.info({ msg: 'The ledger is sealed again' });
    }
    refusal = next;
  }

  /**
   * Compares the chain with the facts known from outside the database. Returns its head and the key
   * that signs the next block, or the reason to refuse.
   */
  async function examine(): Promise<
    { head: Block | undefined; key: KeyObject } | { refusal: Refusal }
  > {
    const read = await rootExport.readNewest();
    if ('error' in read) {
      const sentence = `The roots in ${roots.place} cannot be read (${String(read.error)}).`;
      return { refusal: { code: 'roots_unreadable', sentence } };
    }
    // The head is read after the roots. A root is exported only after its block is committed, so
    // the chain read here has the block of every root.
    const head = await readNewestBlock(db);
    const known = { exported: read.newest, place: roots.place, seen: seen?.head };
    const signers = await readSigners(db, keys);
    const found = await examineChain(db, head, known, signers);
    if (found !== undefined) return { refusal: found };
    return { head, ...chooseKey(signers, head, ownKeys) };
  }

  /** Checks the chain. With `isSeenEnough`, a head that passed before is not checked again. */
  async function mayGoOn({ isSeenEnough }: { isSeenEnough: boolean }): Promise<boolean> {
    const isKnown = (head: Block | undefined) => seen !== undefined && isSame(head, seen.head);
    if (isSeenEnough && isKnown(await readNewestBlock(db))) return true;
    const found = await examine();
    note('refusal' in found ? found.refusal : null);
    if ('refusal' in found) return false;
    if (!isKnown(found.head)) lock.noteProgress();
    seen = found;
    return true;
  }

  /**
   * `busy`: another process is sealing. `moved`: another process has sealed, so the chain has a new
   * head.
   */
  async function sealNext(): Promise<Block | 'nothing' | 'busy' | 'moved'> {
    try {
      return await withTx(db, async (tx) =>
        (await lock.mayTakeTurn(tx))
          ? sealBlock(tx, { head: seen?.head, signingKey: seen?.key ?? signingKey, maxLeaves })
          : 'busy',
      );
    } catch (error) {
      if (error instanceof LedgerError && error.code === 'seal_conflict') return 'moved';
      throw error;
    }
  }

  async function runOnce(): Promise<SealResult> {
    const result: SealResult = { blocks: 0, transactions: 0, accounts: 0, auditEvents: 0 };
    const isWaiting = await isAnythingWaiting(db);
    // The newest root is read before anything is signed, because another process may have exported
    // it.
    if (!(await mayGoOn({ isSeenEnough: !isWaiting }))) return result;
    if (isWaiting) await sealAll(result);
    if (refusal === null && seen?.head !== undefined) await rootExport.exportRoot(seen.head);
    return result;
  }

  /** Seals block after block until nothing waits, and adds them to `result`. */
  async function sealAll(result: SealResult): Promise<void> {
    for (let moves = 0; moves <= MAX_MOVES;) {
      const sealed = await sealNext();
      if (sealed === 'nothing' || sealed === 'busy') return;
      if (sealed === 'moved') {
        moves += 1;
        if (!(await mayGoOn({ isSeenEnough: false }))) return;
        continue;
      }
      seen = { head: sealed, key: seen?.key ?? signingKey };
      add(result, sealed);
      if (!isFull(sealed, maxLeaves)) return;
    }
  }

  async function handOverOnce(successor: KeyObject): Promise<Block | null> {
    for (let moves = 0; moves <= MAX_MOVES; moves += 1) {
      const isRight = await mayGoOn({ isSeenEnough: false });
      const { head, key } = seen ?? {};
      if (!isRight || head === undefined || key === undefined) {
        const why =
          refusal?.sentence ?? 'Nothing is sealed yet: configure the key as the first one.';
        throw new LedgerError('handover_refused', why);
      }
      if (publicKeyBytes(key).equals(publicKeyBytes(successor))) {
        await rootExport.exportRoot(head);
        return null;
      }
      const block = await tryHandOver({ head, signingKey: key, successor });
      if (block === 'moved') continue;
      seen = { head: block, key: successor };
      await rootExport.exportRoot(block);
      return block;
    }
    throw new LedgerError('handover_refused', 'Other processes seal all the time; try again.');
  }

  async function tryHandOver(handover: HandOverOptions): Promise<Block | 'moved'> {
    try {
      return await withTx(db, (tx) => appendHandover(tx, handover));
    } catch (error) {
      if (error instanceof LedgerError && error.code === 'seal_conflict') return 'moved';
      throw error;
    }
  }

  let last: Promise<unknown> = Promise.resolve();
  /**
   * Runs one job after another. Two runs at the same time would each see the other as another
   * process.
   */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  }
  return {
    run: () => inTurn(runOnce),
    handOver: (successor) => inTurn(() => handOverOnce(successor)),
    state: () => ({ refusal, exportFailingSince: rootExport.failingSince() }),
  };
}

async function isAnythingWaiting(db: Db): Promise<boolean> {
  const queues = SEALED_KINDS.map(({ queue }) => sql`EXISTS (SELECT FROM ${sql.table(queue)})`);
  const { rows } = await sql<{ isWaiting: boolean }>`
    SELECT ${sql.join(queues, sql` OR `)} AS is_waiting`.execute(db);
  return rows[0]?.isWaiting === true;
}

function add(result: SealResult, { transactions, accounts, auditEvents }: Block): void {
  result.blocks += 1;
  result.transactions += transactions.count;
  result.accounts += accounts.count;
  result.auditEvents += auditEvents.count;
}

/** A full block: more rows may wait than it took. */
function isFull({ transactions, accounts, auditEvents }: Block, maxLeaves: number): boolean {
  return [transactions, accounts, auditEvents].some(({ count }) => count === maxLeaves);
}
