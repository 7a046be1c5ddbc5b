import { POSITION_COOKIE, POSITION_LIFE_S } from '#contract/identity.ts';

let newest = { position: 0, untilMs: 0 };

/**
 * Keeps the newest position that this page knows of in the cookie, which all tabs send. Replies to concurrent changes
 * may arrive in any order, and the later one may have set the cookie to the smaller position. It is forgotten after a
 * while, as the cookie is: a restored database counts its positions from a smaller one.
 *
 * @param given of a reply or of a live event; nothing that is no number counts
 */
export function keepPosition(given?: unknown): void {
  const position = Number(given ?? 0);
  const nowMs = Date.now();
  if (nowMs > newest.untilMs) newest.position = 0;
  if (Number.isSafeInteger(position) && position > newest.position) {
    newest = { position, untilMs: nowMs + POSITION_LIFE_S * 1_000 };
  }
  if (newest.position === 0 || newest.position <= keptPosition()) return;
  const secure = location.protocol === 'https:' ? '; secure' : '';
  const life = `max-age=${POSITION_LIFE_S}; path=/; samesite=lax${secure}`;
  document.cookie = `${POSITION_COOKIE}=${newest.position}; ${life}`;
}

function keptPosition(): number {
  const pairs = document.cookie.split('; ').map((pair) => pair.split('='));
  return Number(pairs.find(([name]) => name === POSITION_COOKIE)?.[1] ?? 0);
}
