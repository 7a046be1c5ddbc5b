/** After this long without a sign of the person, requests no longer count as theirs. */
const AWAY_AFTER_MS = 60_000;

let lastSeenAt = Date.now();

function see(): void {
  lastSeenAt = Date.now();
}

for (const sign of ['pointerdown', 'keydown', 'click', 'scroll'] as const) {
  globalThis.addEventListener?.(sign, see, { capture: true, passive: true });
}

/**
 * True while nobody touches the page: what it asks for then by itself must not keep an idle
 * administrator signed in.
 */
export function isPersonAway(): boolean {
  return Date.now() - lastSeenAt > AWAY_AFTER_MS;
}
