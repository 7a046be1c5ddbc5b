import { test } from './test.ts';
import { IS_FULL } from './place.ts';

type Options = Parameters<typeof test.use>[0];

export interface Look {
  /** `dark, 390 px`. */
  name: string;
  use: Options;
}

const WIDE = { viewport: { width: 1440, height: 900 } };
const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LIGHT = { colorScheme: 'light' } as const;
const DARK = { colorScheme: 'dark' } as const;

const SAMPLES: readonly (readonly Look[])[] = [
  [
    { name: 'light, 1440 px', use: { ...LIGHT, ...WIDE } },
    { name: 'dark, 390 px', use: { ...DARK, ...NARROW } },
  ],
  [
    { name: 'light, 390 px', use: { ...LIGHT, ...NARROW } },
    { name: 'dark, 1440 px', use: { ...DARK, ...WIDE } },
  ],
];

/**
 * Runs the tests of `body` in light and dark at 1440 and 390 px. A usual run takes one of each,
 * chosen by the title's length so that screens differ; a full run takes all four.
 */
export function describeLooks(title: string, body: () => void): void {
  const looks = IS_FULL ? SAMPLES.flat() : (SAMPLES[title.length % SAMPLES.length] ?? []);
  for (const { name, use } of looks) {
    test.describe(`${title}, ${name}`, () => {
      test.use(use);
      body();
    });
  }
}
