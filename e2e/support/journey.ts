import type { Page } from '@playwright/test';
import { readDocsTable } from '#test/docs-table.ts';
import { expect, test } from './test.ts';

type StepKind = 'click' | 'field' | 'key';

declare global {
  interface Window {
    /** Called by the page at each step of the person; `field` is the same for one field of one load. */
    countJourneyStep?: (kind: StepKind, field: string) => Promise<void>;
  }
}

/** Costs of a journey: presses of the pointer, filled fields, and keys pressed outside of fields. */
interface Steps {
  clicks: number;
  fields: number;
  keys: number;
  seconds: number;
}

export interface Journeys {
  /**
   * Walks a journey, and compares its steps with its row in docs/journeys.md: clicks, fields and keys
   * exactly. The seconds are the browser's and the server's, without a person's reading; they depend on the
   * machine and are only reported, as an annotation of the test.
   *
   * @param heading of the table in docs/journeys.md, with its marks: `## Employees`
   * @param walk begins where the journey begins and ends when its result is on the screen
   */
  expect(heading: string, name: string, walk: () => Promise<void>): Promise<void>;
}

/** Counts what a person does in a page, as the browser sees it. To be called before the page is opened. */
export async function watchJourneys(page: Page): Promise<Journeys> {
  const filled = new Set<string>();
  const counts: Record<StepKind, number> = { click: 0, field: 0, key: 0 };
  await page.exposeFunction('countJourneyStep', (kind: StepKind, field: string) => {
    if (kind === 'field' && filled.has(field)) return;
    filled.add(field);
    counts[kind] += 1;
  });
  await page.addInitScript(listen);

  async function walked(walk: () => Promise<void>): Promise<Steps> {
    filled.clear();
    Object.assign(counts, { click: 0, field: 0, key: 0 });
    const beganMs = performance.now();
    await walk();
    const seconds = (performance.now() - beganMs) / 1000;
    return { clicks: counts.click, fields: counts.field, keys: counts.key, seconds };
  }

  return {
    async expect(heading, name, walk) {
      const { clicks, fields, keys, seconds } = await walked(walk);
      const taken = [clicks, fields, keys].map(String);
      const description = `| ${[name, ...taken, seconds.toFixed(1)].join(' | ')} |`;
      test.info().annotations.push({ type: 'journey', description });
      const row = readDocsTable(heading, 'journeys.md').find(([stated]) => stated === name);
      expect(row?.slice(0, 4), 'the row of docs/journeys.md').toEqual([name, ...taken]);
    },
  };
}

/** Runs in the page, before its own scripts. */
function listen(): void {
  const numbers = new WeakMap<EventTarget, number>();
  let last = 0;
  const step = (kind: StepKind, field = '') => void window.countJourneyStep?.(kind, field);

  // Not `click`: that of a label comes twice, and that of a key is one too.
  const onPress = (event: Event) => {
    if (event.isTrusted) step('click');
  };
  const onInput = ({ target }: Event) => {
    const isTyped =
      target instanceof HTMLTextAreaElement ||
      target instanceof HTMLSelectElement ||
      (target instanceof HTMLInputElement && !['radio', 'checkbox'].includes(target.type));
    if (!isTyped) return;
    const number = numbers.get(target) ?? (last += 1);
    numbers.set(target, number);
    step('field', `${performance.timeOrigin}/${number}`);
  };
  // The document and not the window, where Playwright withholds a press whose target has just moved, and repeats it.
  document.addEventListener('pointerdown', onPress, { capture: true });
  addEventListener('keydown', () => step('key'), { capture: true });
  addEventListener('input', onInput, { capture: true });
}
