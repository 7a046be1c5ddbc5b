/** Time before the end of a session at which the warning appears. */
const WARNING_MS = 60_000;
/**
 * Time of the first request for the end. No session ends within 5 minutes of its last request, and
 * the server may record that request a minute early.
 */
const FIRST_LOOK_MS = 150_000;
/**
 * Interval of the requests while the warning is shown. Another tab may have extended the session.
 */
const NEAR_LOOK_MS = 10_000;
/** Delay before a retry after a request without an answer. */
const RETRY_MS = 30_000;

export interface SessionEnd {
  /** Time on this computer's clock. */
  atMs: number;
  canBeExtended: boolean;
}

interface WatchOptions {
  /**
   * Asks the server. `isBackground` is false if the person is active, which extends the session.
   */
  ask: (isBackground: boolean) => Promise<{ endsInMs: number; canBeExtended: boolean }>;
  isPersonAway: () => boolean;
  /**
   * Called with the end of the session when it is near, and with undefined when it no longer is.
   */
  onNear: (end: SessionEnd | undefined) => void;
  /** Called when the session has ended by this computer's clock. */
  onEnd: () => void;
}

/** A running watch. `look` asks the server immediately, and can extend the session. */
export interface SessionEndWatch {
  look: (options: { isStaying: boolean }) => Promise<void>;
  stop: () => void;
}

/** Watches the end of a session until stopped. Asks the server only shortly before the end. */
export function watchSessionEnd({
  ask,
  isPersonAway,
  onNear,
  onEnd,
}: WatchOptions): SessionEndWatch {
  let isStopped = false;
  let isNear = false;
  let endMs = Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function wait(ms: number): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void look({ isStaying: false }), ms);
  }

  async function look({ isStaying }: { isStaying: boolean }): Promise<void> {
    clearTimeout(timer);
    // A computer that slept reaches this line long after the end.
    if (Date.now() >= endMs) {
      onEnd();
      return;
    }
    try {
      // Once shown, the warning waits for its answer, whatever else the person does.
      const isBackground = !isStaying && (isNear || isPersonAway());
      const { endsInMs, canBeExtended } = await ask(isBackground);
      if (isStopped) return;
      endMs = Date.now() + endsInMs;
      isNear = endsInMs <= WARNING_MS;
      onNear(isNear ? { atMs: endMs, canBeExtended } : undefined);
      // One millisecond after the end. At the end itself the session would still be valid.
      wait(isNear ? Math.min(NEAR_LOOK_MS, endsInMs + 1) : endsInMs - WARNING_MS + 1);
    } catch {
      wait(Math.min(RETRY_MS, Math.max(endMs - Date.now(), 1_000)));
    }
  }

  wait(FIRST_LOOK_MS);
  return {
    look,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
