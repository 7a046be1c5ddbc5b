/**
 * Every time-out and limit of the running server, in one place. What the product promises a person
 * (password length, page sizes) is in contract/limits.ts instead.
 */
export const LIMITS = {
  http: {
    /** Longest wait for the whole of a request's headers, and for the whole request: 5 MB from a phone. */
    headersTimeoutMs: 15_000,
    requestTimeoutMs: 60_000,
    /** Longer than a proxy's usual 60 s, so that it is the proxy that closes an idle connection. */
    keepAliveTimeoutMs: 65_000,
    maxHeaderBytes: 16 * 1024,
    /** After this long a stopping server closes the connections that are still busy. */
    drainTimeoutMs: 20_000,
  },
  database: {
    /** For people's requests: a statement or a lock that takes longer answers 503. */
    statementTimeoutMs: 15_000,
    lockTimeoutMs: 10_000,
    requestConnections: 12,
    /** Jobs, relay and sealer; their statements may take long (a payroll chunk). */
    backgroundConnections: 8,
    /** A probe that waits longer than this says that the database cannot be reached. */
    probeTimeoutMs: 2_000,
  },
  live: {
    heartbeatMs: 25_000,
    /** How often an open stream's sign-in is looked at again. */
    recheckMs: 60_000,
    streamsPerUser: 10,
    streamsPerProcess: 5_000,
    /** A client that reads nothing while this many messages wait is let go. */
    maxWaitingMessages: 100,
    reconnectDelayMs: 1_000,
    /** What the browser waits before it opens a closed stream again. */
    clientRetryMs: 3_000,
  },
  relay: {
    pollMs: 200,
    /** Rows taken in one transaction; a full batch is followed by the next at once. */
    batchRows: 1_000,
    /** PostgreSQL refuses a NOTIFY payload of 8000 bytes or more. */
    maxNotifyBytes: 7_800,
    retryDelayMs: 2_000,
  },
  jobs: {
    concurrency: 3,
    pollMs: 2_000,
    /** How long a job that is done may wait for others, to be struck off the queue with them. */
    completeDelayMs: 50,
    /** After this long a stopping server tells the job in hand to stop at its next safe point. */
    abortAfterMs: 3_000,
    /** Attempts before a job is left failed; the wait between them grows as e^attempt seconds. */
    maxAttempts: 12,
  },
  seal: {
    everyMs: 5_000,
    /** The sealer waits for a payroll that is being posted, but no longer than this. */
    longestPauseMs: 20_000,
    /** Longest wait for a lock; and for another sealer that holds all back and appends nothing. */
    lockTimeoutMs: 10_000,
    patienceMs: 30_000,
    /** What waits for longer is a fault: for verify and System Health, and for /readyz. */
    waitsAtMostMs: 60_000,
    unreadyAfterMs: 300_000,
    /** System Health shows that roots could not be exported for this long. */
    exportFailsAtMostMs: 300_000,
  },
  roots: {
    /** For posting one to an address. */
    timeoutMs: 10_000,
    /** The first wait before it is tried again, which doubles each time, and the longest. */
    retryMs: 5_000,
    longestRetryMs: 300_000,
  },
  health: {
    everyMs: 60_000,
    /** A check that waits longer than this has failed. */
    checkTimeoutMs: 5_000,
    /** How long a job that somebody waits for may stand in the queue. */
    jobWaitMs: 300_000,
    /** After this long without a check nobody knows how things are. */
    staleAfterMs: 180_000,
    uptimeDays: 30,
    /** Checks that wait for the database to come back: a day of minutes. */
    maxUnsaved: 1_440,
  },
  files: {
    connectTimeoutMs: 3_000,
    /** For one attempt, and for all of them together. */
    requestTimeoutMs: 10_000,
    attempts: 3,
    deadlineMs: 25_000,
  },
  uploads: {
    /** Of one person, at once and over a while: past it they are asked to wait. */
    atOncePerPerson: 4,
    perPerson: 40,
    perS: 600,
    /** Uploads in memory at once, up to 7 MB each; later ones wait, unread, this long at most. */
    atOnce: 12,
    waitMs: 20_000,
    /**
     * Images decoded at once, and how much of one the decoder may hold whole: then each takes up to
     * 150 MB while it lasts, measured with the worst that pass (docs/decisions/009).
     */
    decoding: 2,
    heldWholeBytes: 80_000_000,
    decodeTimeoutS: 20,
  },
  retention: { chunkRows: 5_000 },
} as const;
