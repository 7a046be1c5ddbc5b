/**
 * Every time-out and limit of the running server, in one place. What the product promises a person
 * (password length, page sizes) is in contract/limits.ts instead.
 */
export const LIMITS = {
  http: {
    /** Longest wait for the whole of a request's headers, and for the whole request: 5 MB from a phone. */
    headersTimeoutMs: 15_000,
    requestTimeoutMs: 60_000,
    timeoutCheckMs: 1_000,
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
    /**
     * After a cut in the network PostgreSQL keeps the locks of what was open for this long. Nothing
     * slow is waited for inside a transaction, so ours are never idle for more than some moments.
     */
    idleInTransactionMs: 5_000,
    requestConnections: 12,
    /** Jobs, relay and sealer; their statements may take long (a payroll chunk). */
    backgroundConnections: 8,
    /** One for the lock of the run, one for its questions. */
    verificationConnections: 3,
    /** The queue's own: one job taken or given back for each worker, its clock, and one to listen. */
    queueConnections: 5,
    /** Longest wait for a connection, be it a new one or one of the pool that others use. */
    connectTimeoutMs: 5_000,
    /** An idle connection is asked for a sign of life by the system after this long. */
    keepAliveMs: 10_000,
    /** A connection is asked this often whether the database answers, and waited for this long. */
    probeEveryMs: 1_000,
    probeAnswerMs: 3_000,
    /** While it does not, it is asked again this often: all callers wait for this. */
    probeRetryMs: 200,
    /**
     * A statement without an answer for longer than this is given up and its connection closed. For
     * requests PostgreSQL itself ends it before; the others may take their time.
     */
    requestAnswerMs: 18_000,
    /** After the time that a transaction allows for its statements, PostgreSQL has this long to say so. */
    answerAfterTimeoutMs: 3_000,
    backgroundAnswerMs: 600_000,
    queueAnswerMs: 60_000,
    /** A probe that waits longer than this says that the database cannot be reached. */
    probeTimeoutMs: 2_000,
  },
  /** The postmaster that Purser starts itself. */
  embedded: {
    lookEveryMs: 250,
    /** After an orderly stop by another program, that program has this long to start it. */
    restartGraceMs: 1_000,
    /** After more deaths than this within that time the process ends. */
    mostDeaths: 5,
    deathsPerMs: 300_000,
    /** So it does when the database does not start for this long. */
    startWithinMs: 60_000,
  },
  /** Parts that work beside the requests: how soon a failed turn is tried again. */
  supervision: {
    firstRetryMs: 100,
    mostRetryMs: 500,
    /** The same failure again and again is logged this often. */
    repeatLogMs: 60_000,
  },
  live: {
    heartbeatMs: 25_000,
    /** How often an open stream's sign-in is looked at again. */
    recheckMs: 60_000,
    streamsPerUser: 10,
    streamsPerProcess: 5_000,
    /** A client that reads nothing while this many messages wait is let go. */
    maxWaitingMessages: 100,
    /** What the browser waits before it opens a closed stream again. */
    clientRetryMs: 3_000,
  },
  relay: {
    pollMs: 200,
    /** Rows taken in one transaction; a full batch is followed by the next at once. */
    batchRows: 1_000,
    /** PostgreSQL refuses a NOTIFY payload of 8000 bytes or more. */
    maxNotifyBytes: 7_800,
    /** Before each further attempt at a row that cannot be delivered; after the last it is set aside. */
    failedWaitsMs: [5_000, 60_000, 600_000],
  },
  jobs: {
    concurrency: 3,
    pollMs: 2_000,
    /** How long a job that has ended may wait for others, so that one statement writes how. */
    completeDelayMs: 50,
    /** After this long a stopping server asks the jobs in progress to stop at their next safe point. */
    abortAfterMs: 3_000,
    /** A stopping server waits for them no longer than this; they are done again later. */
    stopWithinMs: 20_000,
    stopPollMs: 50,
    /** How often a process renews the locks of its jobs, and when one that nobody renews is void. */
    renewEveryMs: 3_000,
    lockLifeMs: 12_000,
    /** Attempts before a job is left failed; the wait between them grows as e^attempt seconds. */
    maxAttempts: 12,
  },
  webhooks: {
    /** From resolving the name to the status of the answer. */
    answerWithinMs: 10_000,
    /** An address that is typed is taken unseen when its name has not resolved by then. */
    resolveWithinMs: 2_000,
    /** Then an attempt of which nothing was heard counts as lost: longer than one can last. */
    lostAfterMs: 60_000,
    /** A job sends to one address for so long, then lets others have their turn. */
    roundMs: 20_000,
    /** An address that has just failed is left alone for this long. */
    restMs: 30_000,
    /** Before each further attempt: about four days in all; after the last it is given up. */
    waitsMs: [
      ...[30_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000],
      ...[72_000_000, 86_400_000, 86_400_000],
    ],
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
    /** A stopping server waits this long for another that seals, and looks this often. */
    restWithinMs: 5_000,
    restRetryMs: 100,
  },
  verify: {
    /** The server verifies the newest part this often, and everything in the company's night. */
    newestEveryMinutes: 5,
    nightHours: { from: 1, before: 5 },
    /** At least this long between two of everything, and at most, whatever the hour. */
    wholeEveryMs: 20 * 3_600_000,
    wholeAtLeastEveryMs: 48 * 3_600_000,
    /** Longest wait for a statement of a verification. */
    statementTimeoutMs: 3_600_000,
    /** What an admin asks for looks this often whether a run of the newest part has ended. */
    retryMs: 1000,
    /** Findings that are kept of a run. */
    keptProblems: 200,
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
    /** How long a job that a person waits for may stand in the queue. */
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
  /** Pages whose first view the server draws. */
  firstView: {
    /** Nobody waits longer for a drawing than for the app: then the page comes without. */
    withinMs: 1_000,
    /** Then the thread is taken for hung, and replaced. */
    hungMs: 30_000,
    /** Further pages come without. */
    atOnce: 4,
    /** Share of the last second that the process was busy, from which on nothing is drawn. */
    busyFrom: 0.7,
    /** How long the thread waits for the next page. */
    idleMs: 600_000,
    /** Of the thread. The young part is what drawings leave behind between two collections. */
    memoryMb: 128,
    youngMemoryMb: 16,
  },
  /** Payslips, statements and receipts as PDF. */
  drawing: {
    /** Threads of a process that draw at once; the others wait this long at most. */
    atOnce: 2,
    waitMs: 30_000,
    /** The longest statement takes some 10 s on a busy machine; what takes this long is broken. */
    drawMs: 90_000,
    /** Between one document and the next, while a thread is kept. */
    idleMs: 60_000,
    /** The longest statement takes some 300, by estimate from shorter ones. */
    memoryMb: 768,
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
     * 150 MB while it lasts, measured with the worst that pass (docs/decisions/004).
     */
    decoding: 2,
    heldWholeBytes: 80_000_000,
    decodeTimeoutS: 20,
  },
  imports: {
    /** A file whose last chunk is longer ago is not being read: its process was killed, say. */
    readingTimeoutMs: 120_000,
  },
  retention: { chunkRows: 5_000 },
  notifications: {
    /** For so long a person can undo that they deleted a notification. */
    undoMs: 24 * 3_600_000,
    /** A person is asked for the same again after this long at the earliest. */
    askAgainMs: 24 * 3_600_000,
    /** So many people's digests are made in one transaction. */
    digestChunk: 500,
  },
} as const;
