/**
 * `npm run model`: plays a company against the oracle (`bench/model/oracle.ts`) and exits with 1 at the first difference,
 * which names the seed and the step. It is the test `model.test.ts` with more steps.
 *
 *     npm run model -- --seed 7 --steps 5000     the same steps as in that run
 *     npm run model -- --runs 20                 several seeds, one after the other
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    steps: { type: 'string', default: '3000' },
    runs: { type: 'string', default: '1' },
  },
});
const first = values.seed === undefined ? randomInt(1_000_000) : Number(values.seed);
const seeds = Array.from({ length: Number(values.runs) }, (_, index) => first + index);
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'bench/model/model.test.ts', '--reporter', 'verbose'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      PURSER_MODEL_SEEDS: seeds.join(','),
      PURSER_MODEL_STEPS: values.steps,
    },
  },
);
process.exitCode = status ?? 1;
