import type { Look } from './text.ts';

/** A page of US Letter, in points; like `.paper` on screen, whose pixels are 96 to the inch. */
export const PAGE = {
  width: 612,
  height: 792,
  margin: 54,
  top: 48,
  bottom: 732,
  foot: 744,
} as const;
export const CONTENT_WIDTH = PAGE.width - 2 * PAGE.margin;
export const RIGHT = PAGE.width - PAGE.margin;

/** Colors of the light theme; paper has no other. */
const INK = '#16201d';
const INK_2 = '#4a554f';
export const COLORS = { ink: INK, ink2: INK_2, rule: '#dfdacd' } as const;

export const LOOKS = {
  company: { style: 'displayStrong', size: 15, color: INK },
  title: { style: 'display', size: 21, color: INK },
  lead: { style: 'display', size: 27, color: INK },
  heading: { style: 'strong', size: 10.5, color: INK },
  body: { style: 'text', size: 9.5, color: INK },
  strong: { style: 'strong', size: 9.5, color: INK },
  amount: { style: 'text', size: 9.5, color: INK, isTabular: true },
  total: { style: 'strong', size: 9.5, color: INK, isTabular: true },
  label: { style: 'text', size: 9.5, color: INK_2 },
  head: { style: 'text', size: 8.5, color: INK_2 },
  code: { style: 'text', size: 8.5, color: INK_2 },
  small: { style: 'text', size: 8.5, color: INK_2 },
} as const satisfies Record<string, Look>;

/** Height of a line of body text, and the space above and below it in a row. */
export const LINE = 13;
export const ROW_PADDING = 5;
