import { randomUUID } from 'node:crypto';
import { administratorMoves } from './administrators.ts';
import { apiKeyMoves, byPersonOrKey } from './api-keys.ts';
import type { Attempt, Move } from './attempt.ts';
import { bankAccountMoves } from './bank-accounts.ts';
import { bankMoves } from './bank.ts';
import { billChangeMoves } from './bill-changes.ts';
import { billMoves } from './bills.ts';
import { compareBalances, compareEverything } from './compare.ts';
import { openCompany } from './company.ts';
import type { Company } from './company.ts';
import { PLAYED } from './commands.ts';
import type { Coverage } from './coverage.ts';
import { codeOf, expectRefusal, isKeyed, repeat, sendBy, spoil } from './illegal.ts';
import { isoAnswerMoves } from './iso-answers.ts';
import { leaverMoves } from './leavers.ts';
import { inSomeBrowser } from './new-browsers.ts';
import { officeMoves } from './office.ts';
import { paymentMoves } from './payments.ts';
import { payoutMoves } from './payouts.ts';
import { payrollAgainMoves } from './payroll-again.ts';
import { payrollMoves } from './payroll.ts';
import { requestMoves } from './requests.ts';
import { resendMoves } from './resends.ts';
import { returnMoves } from './returns.ts';
import { reversalMoves } from './reversals.ts';
import { rightsMoves } from './rights.ts';
import { sessionMoves } from './sessions.ts';
import { settingsMoves } from './settings.ts';
import { compareTrail } from './trail.ts';
import { standingBillMoves } from './standing-bills.ts';
import { transferMoves } from './transfers.ts';
import { usualPayMoves } from './usual-pay.ts';

const MOVES: readonly Move[] = [
  ...requestMoves,
  ...resendMoves,
  ...paymentMoves,
  ...billMoves,
  ...billChangeMoves,
  ...payrollMoves,
  ...payrollAgainMoves,
  ...transferMoves,
  ...usualPayMoves,
  ...bankAccountMoves,
  ...payoutMoves,
  ...reversalMoves,
  ...returnMoves,
  ...isoAnswerMoves,
  ...standingBillMoves,
  ...bankMoves,
  ...officeMoves,
  ...rightsMoves,
  ...leaverMoves,
  ...settingsMoves,
  ...sessionMoves,
  ...administratorMoves,
  ...apiKeyMoves,
];
/** Moves that a step tries until one has something to do. */
const TRIES = 4;
/** Steps after which lists, sums and documents are compared as well. */
const COMPARE_EVERY = 100;

export interface Played {
  steps: number;
  granted: number;
  /** Number of granted requests by the operation's path. */
  grantedTo: Map<string, number>;
  /** Number of refusals by code. */
  refused: Map<string, number>;
  /** Requests sent again with their key. */
  repeated: number;
  comparisons: number;
  /** Commands that were sent, also as a part of a step. */
  coverage: Coverage;
}

/**
 * Plays a company by chance: legal and illegal requests of several people to the real application, each compared with the
 * oracle's opinion, balances after each and everything else now and then.
 *
 * @throws Error that names the seed, the step and the difference
 */
export async function play(
  seed: number,
  steps: number,
  say: (sentence: string) => void = () => undefined,
): Promise<Played> {
  const company = await openCompany(seed);
  const played: Played = {
    steps,
    granted: 0,
    repeated: 0,
    comparisons: 0,
    refused: new Map(),
    grantedTo: new Map(),
    coverage: company.coverage,
  };
  let step = 0;
  try {
    for (step = 1; step <= steps; step += 1) {
      await company.refresh();
      await takeStep(company, played);
      if (step % COMPARE_EVERY !== 0 && step !== steps) continue;
      await compareEverything(company);
      played.comparisons += 1;
      say(`  step ${step}: ${played.granted} granted, ${company.today()}`);
    }
    const unlisted = [...company.coverage.sent.keys()].filter((name) => !PLAYED.includes(name));
    if (unlisted.length > 0) throw new Error(`played and not listed: ${unlisted.join(', ')}`);
    return played;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`seed ${seed}, step ${step}: ${reason}`, { cause: error });
  } finally {
    await company.close();
  }
}

async function takeStep(company: Company, played: Played): Promise<void> {
  const { random } = company;
  company.pass(random.chance(0.05) ? random.int(60, 2_000) : random.int(1, 15));
  let made: Attempt | null = null;
  for (let tries = 0; made === null && tries < TRIES; tries += 1) {
    made = await chooseMove(company).make(company);
  }
  if (made !== null) {
    made = inSomeBrowser(company, made);
    const illegal = spoil(company, made);
    if (illegal === null) await ask(company, byPersonOrKey(company, made), played);
    else await expectRefusal(company, made, illegal);
  }
  await compareBalances(company);
}

function chooseMove({ random }: Company): Move {
  const sum = MOVES.reduce((total, { weight }) => total + weight, 0);
  let left = random.int(1, sum);
  for (const move of MOVES) {
    left -= move.weight;
    if (left <= 0) return move;
  }
  throw new Error('the weights do not add up');
}

async function ask(company: Company, made: Attempt, played: Played): Promise<void> {
  const { random } = company;
  const { by, path, body, method = 'POST' } = made;
  const expected = made.refusals.filter((code) => code !== false);
  const key = randomUUID();
  const response = await company.at(made.at ?? company.now(), () => sendBy(company, made, key));
  const reply: unknown = await response.json();
  const code = response.ok ? null : codeOf(reply);
  const isAsExpected = code === null ? expected.length === 0 : expected.includes(code);
  if (!isAsExpected) {
    const opinion = expected.length === 0 ? 'a success' : expected.join(' or ');
    throw new Error(
      `${by.name}: ${method} ${path} ${JSON.stringify(body ?? null)}: expected ${opinion}, got ${code ?? 'a success'} ${JSON.stringify(reply)}`,
    );
  }
  await compareTrail(company, made, response);
  if (code !== null) {
    played.refused.set(code, (played.refused.get(code) ?? 0) + 1);
    return;
  }
  played.granted += 1;
  const operation = (path.split('?')[0] ?? path).replaceAll(/[\da-f-]{36}/g, ':id');
  played.grantedTo.set(operation, (played.grantedTo.get(operation) ?? 0) + 1);
  await made.done(reply as never, response);
  if (!random.chance(0.1) || !isKeyed(made)) return;
  played.repeated += 1;
  await repeat(company, made, { key, reply });
}
