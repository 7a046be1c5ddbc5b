import { expect, test } from 'vitest';
import { COMMAND_NAMES } from './coverage.ts';
import { play } from './play.ts';

/** Seeds and steps of the short form. `npm run model` sets others. */
const SEEDS = (process.env['PURSER_MODEL_SEEDS'] ?? '41,12').split(',').map(Number);
const STEPS = Number(process.env['PURSER_MODEL_STEPS'] ?? 150);
const MS_PER_STEP = 1_000;

test.each(SEEDS)(
  'the application and the oracle agree after each step of seed %i',
  async (seed) => {
    const isLong = process.env['PURSER_MODEL_STEPS'] !== undefined;
    const say = isLong ? (sentence: string) => console.log(sentence) : undefined;
    const played = await play(seed, STEPS, say);
    const { granted, grantedTo, refused, repeated, comparisons, commands } = played;
    if (isLong) {
      const write = (counts: ReadonlyMap<string, number>) =>
        [...counts].map(([name, count]) => `  ${String(count).padStart(6)} ${name}`).toSorted();
      console.log(
        [
          `Seed ${seed}: ${STEPS} steps, ${granted} granted, ${repeated} of them repeated with their key, ${comparisons} comparisons of everything.`,
          'Granted:',
          ...write(grantedTo),
          'Refused:',
          ...write(refused),
          `Commands: ${commands.size} of ${COMMAND_NAMES.length}. Not sent:`,
          ...COMMAND_NAMES.filter((name) => !commands.has(name)).map((name) => `  ${name}`),
        ].join('\n'),
      );
    }
    expect(granted).toBeGreaterThan(STEPS / 8);
    expect(refused.size).toBeGreaterThan(3);
    expect(comparisons).toBeGreaterThan(0);
  },
  60_000 + STEPS * MS_PER_STEP,
);
