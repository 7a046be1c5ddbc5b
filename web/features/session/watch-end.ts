/** A warning is given this long before the end of a session. */
const WARNING_MS = 60_000;
/**
 * When the end is asked for first. No session ends within 5 minutes of its last request, which may be noted
 * a minute early.
 */
const FIRST_LOOK_MS = 150_000;
/** How often it is asked for while the warning is shown: another tab may have extended the session. */
const NEAR_LOOK_MS = 10_000;
/** The next try where no answer came. */
const RETRY_MS = 30_000;

export interface SessionEnd {
  /** Time on the clock of this computer. */
  atMs: number;
  canBeExtended: boolean;
}

interface WatchOptions {
  /** Asks the server; `isBackground` is false where the person is there, which extends the session. */
  ask: (isBackground: boolean) => Promise<{ endsInMs: number; canBeExtended: boolean }>;
  isPersonAway: () => boolean;
  /** Called with the end of the session once it is near, and with undefined when it no longer is. */
  onNear: (end: SessionEnd | undefined) => void;
  /** Called when the session has ended by the clock of this computer. */
  onEnd: () => void;
}

/** Follows when a session ends; `look` asks again immediately, and extends it for whoever wants to stay. */
export interface SessionEndWatch {
  look: (options: { isStaying: boolean }) => Promise<void>;
  stop: () => void;
}

/** Watches the end of a session until it is stopped, asking the server only shortly before it. */
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
    // A computer that slept comes here long after the end.
    if (Date.now() >= endMs) {
      onEnd();
      return;
    }
    try {
      // Once the warning is shown it waits for its answer, whatever else the person does.
      const isBackground = !isStaying && (isNear || isPersonAway());
      const { endsInMs, canBeExtended } = await ask(isBackground);
      if (isStopped) return;
      endMs = Date.now() + endsInMs;
      isNear = endsInMs <= WARNING_MS;
      onNear(isNear ? { atMs: endMs, canBeExtended } : undefined);
      // One millisecond later: at the very moment it would still be asked for.
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
