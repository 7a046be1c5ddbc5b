import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { actionsColumn } from './actions.tsx';

const REFUSAL = 'Your payouts are frozen.';
const drawn = (why?: string) =>
  renderToStaticMarkup(
    actionsColumn<string>({
      narrow: 'end',
      nameOf: (row) => `the bill to ${row}`,
      actions: () => [{ label: 'Change', why, onPress: () => undefined }],
    }).cell('Harbor Fiber'),
  );

test('a refused act of a row cannot be pressed, and says why', () => {
  const markup = drawn(REFUSAL);
  const [, reasonId] = /aria-describedby="([^"]+)"/.exec(markup) ?? [];
  expect(markup).toContain('aria-disabled="true"');
  expect(markup).toContain(`<span id="${reasonId}">${REFUSAL}</span>`);
  expect(markup).toContain(`title="${REFUSAL}"`);
});

test('an act that is not refused says nothing', () => {
  const markup = drawn();
  expect(markup).not.toContain('aria-disabled');
  expect(markup).not.toContain('title');
});
