import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, describe, expect, test } from 'vitest';
import type { SavedView } from '#contract/api.ts';
import { currentToasts, dismissToasts } from '#web/ui/toast-queue.ts';
import { untilHolds } from '#test/until-holds.ts';
import { savedViewHref } from './saved-view-href.ts';
import { ViewList } from './saved-views.tsx';
import { offerUndo, undoLast } from './undo.ts';

const saved: SavedView = {
  id: '019b0000-0000-7000-8000-000000000001',
  list: 'adminListDeposits',
  name: '<b>Wires</b>',
  isPartial: false,
  view: { search: '', status: 'all', method: 'wire', sort: 'queue', direction: 'desc' },
};

function markupOf(
  views: SavedView[],
  { current, isFirst = false, isFull = false }: Partial<Shown> = {},
): string {
  return renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <ViewList
        {...{ list: 'adminListDeposits', view: saved.view, isFirst, isFull, views, current }}
        onOpen={() => undefined}
        onName={() => undefined}
      />
    </QueryClientProvider>,
  );
}
interface Shown {
  current: SavedView;
  isFirst: boolean;
  isFull: boolean;
}

describe('the views of a list', () => {
  test('are named as text, each with what can be done with it', () => {
    const markup = markupOf([saved]);
    expect(markup).toContain('&lt;b&gt;Wires&lt;/b&gt;');
    expect(markup).toContain('aria-label="Rename: &lt;b&gt;');
    expect(markup).toContain('aria-label="Delete: &lt;b&gt;');
    expect(markup).not.toContain('(shown now)');
  });

  test('say which one is shown, and why nothing can be saved', () => {
    expect(markupOf([saved], { current: saved })).toMatch(
      /\(shown now\).*This view is already saved\./s,
    );
    const first = markupOf([], { isFirst: true });
    expect(first).toMatch(/No saved views.*Search, filter or sort the list first\./s);
    expect(markupOf([], { isFull: true })).toMatch(/You have 50 saved views already\./);
    expect(markupOf([])).not.toMatch(/already/);
  });

  test('have an address of what differs from the first view', () => {
    const href = savedViewHref('/admin/deposits', 'adminListDeposits', saved.view);
    expect(href).toBe('/admin/deposits?status=all&method=wire');
    const first = { ...saved.view, status: 'pending', method: 'all' };
    expect(savedViewHref('/admin/deposits', 'adminListDeposits', first)).toBe('/admin/deposits');
  });
});

describe('the last action', () => {
  afterEach(dismissToasts);
  const titles = () => currentToasts().map(({ title }) => title);

  test('is undone first, and each once', async () => {
    const undone: string[] = [];
    for (const title of ['First', 'Second']) {
      const undo = () => Promise.resolve(undone.push(title));
      offerUndo({ title, undo, failed: 'Not undone' });
    }
    expect([undoLast(), undoLast(), undoLast()]).toEqual([true, true, false]);
    await untilHolds(() => expect(titles()).toEqual(['Undone', 'Undone']));
    expect(undone).toEqual(['Second', 'First']);
  });

  test('says why it could not be undone', async () => {
    const undo = () => Promise.reject(new Error('changed in between'));
    offerUndo({ title: 'First', undo, failed: 'It was not undone' });
    undoLast();
    await untilHolds(() => expect(titles()).toEqual(['It was not undone']));
    expect(currentToasts()[0]?.tone).toBe('critical');
  });
});
