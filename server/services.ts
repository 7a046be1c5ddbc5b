import type { Clock } from '#server/lib/clock.ts';
import type { FileStore } from '#server/lib/file-store.ts';
import type { Vault } from '#server/vault/vault.ts';

/**
 * Services that a command needs besides its transaction. Handed in, so that the demo company can be made at
 * past times through the same commands.
 */
export interface Services {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly files: FileStore;
}
