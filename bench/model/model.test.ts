import { afterAll, expect, test } from 'vitest';
import { PLAYED } from './commands.ts';
import { Coverage } from './coverage.ts';
import { play } from './play.ts';

/** Seeds and steps of the short form. `npm run model` sets others. */
const SEEDS = (process.env['PURSER_MODEL_SEEDS'] ?? '10,5').split(',').map(Number);
const STEPS = Number(process.env['PURSER_MODEL_STEPS'] ?? 200);
const MS_PER_STEP = 1_000;
const IS_LONG = process.env['PURSER_MODEL_STEPS'] !== undefined;
/** Commands of all seeds. */
const total = new Coverage();

afterAll(() => {
  if (IS_LONG) console.log(total.report(PLAYED).join('\n'));
});

test.each(SEEDS)(
  'the application and the oracle agree after each step of seed %i',
  async (seed) => {
    const say = IS_LONG ? (sentence: string) => console.log(sentence) : undefined;
    const played = await play(seed, STEPS, say);
    total.add(played.coverage);
    const { granted, grantedTo, refused, repeated, comparisons, coverage } = played;
    if (IS_LONG) {
      const write = (counts: ReadonlyMap<string, number>) =>
        [...counts].map(([name, count]) => `  ${String(count).padStart(6)} ${name}`).toSorted();
      console.log(
        [
          `Seed ${seed}: ${STEPS} steps, ${granted} granted of ${coverage.accepted.size} commands, ${repeated} of them repeated with their key, ${comparisons} comparisons of everything.`,
          'Granted:',
          ...write(grantedTo),
          'Refused:',
          ...write(refused),
        ].join('\n'),
      );
    }
    expect(granted).toBeGreaterThan(STEPS / 8);
    expect(refused.size).toBeGreaterThan(3);
    expect(comparisons).toBeGreaterThan(0);
  },
  60_000 + STEPS * MS_PER_STEP,
);
