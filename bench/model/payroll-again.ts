import { anAdmin, attempt, pickMostly } from './attempt.ts';
import type { Attempt, Move } from './attempt.ts';
import type { Company } from './company.ts';
import { readLineIds } from './payroll-lines.ts';
import type { ModelBatch, ModelLine } from './things.ts';

const BATCHES = '/api/admin/payroll/batches';

function failedOf({ lines }: ModelBatch): ModelLine[] {
  return lines.filter(({ isFailed }) => isFailed);
}

function isDecided({ status }: ModelBatch): boolean {
  return status === 'completed' || status === 'failed';
}

/** Tries the failed lines of a payroll again, or one of them. The job of the queue pays who is here again. */
async function retry(company: Company): Promise<Attempt | null> {
  const { oracle, random } = company;
  const canRetry = (one: ModelBatch) => isDecided(one) && failedOf(one).length > 0;
  const batch = pickMostly(company, oracle.batches.values(), canRetry);
  if (batch === null) return null;
  if (isDecided(batch)) await readLineIds(company, batch);
  const isOne = random.chance(0.5);
  const line = isOne ? pickMostly(company, batch.lines, (one) => one.isFailed) : null;
  const isWrong = line !== null && line.id !== null && !line.isFailed;
  const again = line === null ? failedOf(batch) : [line];
  if (line?.id === null) return null;
  return attempt({
    by: anAdmin(company),
    path:
      line === null ? `${BATCHES}/${batch.id}/retry` : `/api/admin/payroll/lines/${line.id}/retry`,
    confirms: true,
    refusals: [!canRetry(batch) && 'payroll_wrong_status', isWrong && 'payroll_line_wrong_status'],
    done() {
      for (const one of again) one.isFailed = false;
      batch.status = 'processing';
    },
  });
}

export const payrollAgainMoves: readonly Move[] = [{ weight: 4, make: retry }];
