import { randomBytes } from 'node:crypto';
import type { Clock } from '#server/lib/clock.ts';
import { createVault } from '#server/lib/vault-store.ts';
import type { Services } from '#server/services.ts';

export interface TestServices extends Services {
  clock: Clock & { set(at: string): void };
}

/** Services with a vault under a fresh key, and a clock that stands where the test sets it. */
export function createTestServices(at = '2026-12-08T15:00:00.000Z'): TestServices {
  let now = new Date(at);
  const clock = {
    now: () => new Date(now),
    set: (next: string) => {
      now = new Date(next);
    },
  };
  const vault = createVault({ masterKeys: [{ id: 'test', key: randomBytes(32) }] });
  return { clock, vault };
}
