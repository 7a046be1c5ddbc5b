import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Role } from '#contract/identity.ts';
import { NOTIFICATION_KINDS } from '#contract/notification-kinds.ts';
import { VIEWED_LIST_IDS } from '#contract/saved-views.ts';
import { screenOfList } from './kit/saved-view-href.ts';
import { defaultSearch, readSearch, type SearchDeclaration } from './lib/search.ts';
import { ACTIONS, GO_TO } from './features/command/shortcuts.ts';
import { navigationOf } from './features/shell/navigation.ts';
import { ADMIN_SCREENS, EMPLOYEE_SCREENS } from './screens.ts';

const AREAS = { employee: Object.values(EMPLOYEE_SCREENS), admin: Object.values(ADMIN_SCREENS) };

describe.each(Object.entries(AREAS))('the screens of the %s area', (area, screens) => {
  test.each(screens.map(({ path }) => path))(
    '%s lies where the server looks for its files',
    (path) => {
      expect(path.startsWith(`/${area}/`)).toBe(true);
      expect(existsSync(`${import.meta.dirname}/pages${path}.tsx`)).toBe(true);
    },
  );

  test('have unique addresses and unique headings', () => {
    const paths = screens.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    const titles = screens.flatMap(({ title }) => title ?? []);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('are all in the navigation or marked as left out', () => {
    const linked = navigationOf(screens).flatMap(({ links }) => links.map(({ to }) => to));
    const listed = screens.filter(({ navigation }) => navigation !== null);
    expect(linked.toSorted()).toEqual(listed.map(({ path }) => path).toSorted());
  });
});

test('the navigation shows its groups in order', () => {
  expect(navigationOf(AREAS.admin).map(({ label, links }) => [label, links.length])).toEqual([
    [null, 1],
    ['People', 4],
    ['Money', 7],
    ['Company', 5],
  ]);
  const [, people] = navigationOf(AREAS.admin);
  expect(people?.links[1]).toMatchObject({ to: '/admin/kyc-review', waiting: 'kyc' });
});

test('keyboard shortcuts of the back office open existing screens', () => {
  const paths: string[] = AREAS.admin.map(({ path }) => path);
  for (const path of [...Object.values(GO_TO), ...ACTIONS.map(({ href }) => href)]) {
    expect(paths).toContain(path.split('?')[0]);
  }
});

describe('an address', () => {
  const { search } = ADMIN_SCREENS.payroll;

  test('keeps the lists of one screen separate', () => {
    const read = readSearch(search, {
      status: 'completed',
      page: '2',
      linesStatus: 'failed',
      linesPage: '3',
      batch: 'a',
    });
    expect(read).toEqual({
      search: '',
      status: 'completed',
      department: 'all',
      page: 2,
      linesSearch: '',
      linesStatus: 'failed',
      linesPage: 3,
      paidSearch: '',
      paidDepartment: 'all',
      paidFrom: '',
      paidTo: '',
      paidPage: 1,
      draftsPage: 1,
      batch: 'a',
    });
  });

  test('drops unknown parameters and invalid values', () => {
    const read = readSearch(search, { status: 'gone', page: 'x', surprise: 'y', tab: ['a'] });
    expect(read).toEqual(defaultSearch(search));
  });
});

test('every kind of notification links to an existing screen with parameters that it knows', () => {
  for (const [kind, { place }] of Object.entries(NOTIFICATION_KINDS)) {
    for (const [area, address] of Object.entries(place)) {
      const [path = '', words = ''] = address.replace(/[^/?=]*\{id\}(?=$|\?)/, '$id').split('?');
      const screen = AREAS[area as Role].find((one) => one.path.replace(/\$\w+$/, '$id') === path);
      expect(screen, `${kind} leads to ${address}`).toBeDefined();
      const { texts = [] }: SearchDeclaration = screen?.search ?? {};
      expect(texts, kind).toEqual(expect.arrayContaining([...new URLSearchParams(words).keys()]));
    }
  }
});

test('each saved view has a screen, and each filterable list of a screen has views', () => {
  const screens = AREAS.admin;
  for (const list of VIEWED_LIST_IDS) expect(screenOfList(screens, list), list).toBeDefined();
  const filtered = screens.flatMap(({ path, search }) => {
    const list = (search as SearchDeclaration).lists?.[''];
    const isOwn = list !== undefined && Object.keys(list.filters).length > 0;
    // Rows of one import are excluded: they are deleted with the file after a month.
    return isOwn && path !== '/admin/employees/import' ? [list.operations.rows] : [];
  });
  expect(filtered.toSorted()).toEqual(VIEWED_LIST_IDS.toSorted());
});
