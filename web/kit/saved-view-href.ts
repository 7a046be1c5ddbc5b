import { firstView } from '#contract/list.ts';
import { VIEWED_LISTS, type ViewedList, type ViewWords } from '#contract/saved-views.ts';
import type { Screen } from '#web/lib/screens.ts';

/** The screen that shows a list under its own address; undefined where none does. */
export function screenOfList(screens: readonly Screen[], list: ViewedList): Screen | undefined {
  return screens.find(({ search }) => search.lists?.['']?.operations.rows === list);
}

/** The address of a view of a list: what differs from how the list is first seen. */
export function savedViewHref(path: string, list: ViewedList, view: ViewWords): string {
  const first: Record<string, unknown> = firstView(VIEWED_LISTS[list]);
  const words = Object.entries(view).filter(([name, value]) => value !== first[name]);
  return words.length === 0 ? path : `${path}?${new URLSearchParams(words).toString()}`;
}

/** Said where something of a view is no longer valid. */
export const PARTIAL_VIEW = {
  title: 'Part of this view no longer applies',
  message: 'The list is shown with the parts that still apply. Save it again to keep it this way.',
  tone: 'caution',
} as const;
