import { encodeRecord, isAcceptedRestore } from '#server/lib/root-store.ts';
import type { RootRecord, RootStore } from '#server/lib/root-store.ts';
import { LIMITS } from '#server/lib/limits.ts';

export interface PostingOptions {
  /**
   * Address that each record is posted to, as JSON. It may contain a token, so it is never logged.
   */
  url: string;
  /** Store that also gets each record, and is read: nothing can be read back from the address. */
  kept: RootStore;
  /** Called for each failed attempt. The attempt is repeated. */
  onFailure: (error: unknown) => void;
}

/**
 * Stores records in `kept` and also posts them to an address. Callers do not wait for the address:
 * a failed post is retried, after longer and longer delays, until a newer root replaces it. A
 * record not posted when the process ends is covered by the next root.
 */
export function createPostedRoots({ url, kept, onFailure }: PostingOptions): RootStore {
  const { timeoutMs, retryMs, longestRetryMs } = LIMITS.roots;
  let waiting: RootRecord[] = [];
  let failures = 0;
  let posting: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function postWaiting(): Promise<void> {
    for (let record = waiting[0]; record !== undefined; record = waiting[0]) {
      await post(url, encodeRecord(record), timeoutMs);
      failures = 0;
      waiting = waiting.filter((each) => each !== record);
    }
  }

  function start(): void {
    if (posting !== null || isClosed) return;
    clearTimeout(retry);
    posting = postWaiting()
      .catch((error: unknown) => {
        failures += 1;
        onFailure(error);
        const waitMs = Math.min(retryMs * 2 ** (failures - 1), longestRetryMs);
        retry = setTimeout(start, waitMs).unref();
      })
      .finally(() => {
        posting = null;
      });
  }

  return {
    place: `${kept.place}, and ${new URL(url).host}`,
    newest: () => kept.newest(),
    records: () => kept.records(),
    async append(record) {
      await kept.append(record);
      // A newer root covers an older one; a decision is posted in any case.
      waiting = [...waiting.filter(isAcceptedRestore), record];
      if (failures === 0) start();
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await posting;
      await kept.close();
    },
  };
}

async function post(url: string, body: string, timeoutMs: number): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`It answered ${response.status}`);
}
