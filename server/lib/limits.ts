/**
 * Every time-out and limit of the running server, in one place. Limits that a person sees (password
 * length, page sizes) are in contract/limits.ts instead.
 */
export const LIMITS = {
  http: {
    /** Maximum time for a request's headers, and for the whole request: 5 MB from a phone. */
    headersTimeoutMs: 15_000,
    requestTimeoutMs: 60_000,
    timeoutCheckMs: 1_000,
    /** Longer than a proxy's usual 60 s, so that the proxy closes an idle connection first. */
    keepAliveTimeoutMs: 65_000,
    maxHeaderBytes: 16 * 1024,
    /** After this time a stopping server closes the connections that are still busy. */
    drainTimeoutMs: 20_000,
  },
  database: {
    /** For people's requests: a statement or a lock that takes longer answers 503. */
    statementTimeoutMs: 15_000,
    lockTimeoutMs: 10_000,
    /**
     * After a cut in the network PostgreSQL keeps the locks of open transactions for this long. Our
     * transactions never wait for slow operations, so they are idle only for moments.
     */
    idleInTransactionMs: 5_000,
    requestConnections: 12,
    /** Jobs, relay and sealer; their statements may take long (a payroll chunk). */
    backgroundConnections: 8,
    /** One for the lock of the run, one for its queries. */
    verificationConnections: 3,
    /** The queue's own: one job taken or returned for each worker, its clock, and one to listen. */
    queueConnections: 5,
    /** Maximum wait for a connection, new or from the pool. */
    connectTimeoutMs: 5_000,
    /** Idle time after which the system sends a keepalive probe on a connection. */
    keepAliveMs: 10_000,
    /** Interval at which a connection checks that the database answers, and its time-out. */
    probeEveryMs: 1_000,
    probeAnswerMs: 3_000,
    /** Interval while it does not answer: all callers wait for this. */
    probeRetryMs: 200,
    /**
     * A statement without an answer for longer is given up and its connection closed. For requests
     * PostgreSQL itself ends it earlier; the others may take longer.
     */
    requestAnswerMs: 18_000,
    /** Time for PostgreSQL to report the end of a statement after the transaction's own limit. */
    answerAfterTimeoutMs: 3_000,
    backgroundAnswerMs: 600_000,
    queueAnswerMs: 60_000,
    /** A probe that waits longer reports that the database cannot be reached. */
    probeTimeoutMs: 2_000,
  },
  /** A replica of the database, where one is set. Each of these bounds ends with a read of the primary. */
  replica: {
    /** Changes that were committed longer ago are in every reply. */
    lateAtMostMs: 10_000,
    /** Interval at which its position and that of the primary are compared. */
    compareEveryMs: 1_000,
    /** Maximum wait for a connection, and for a statement: then the primary is read. */
    connectTimeoutMs: 1_000,
    statementTimeoutMs: 5_000,
    lockTimeoutMs: 1_000,
    answerMs: 6_000,
    connections: 12,
    /** Check that it answers at all, as of the primary. While it does not, no read waits for it. */
    probe: { probeEveryMs: 500, probeAnswerMs: 1_000, probeRetryMs: 1_000 },
  },
  /** The postmaster that Purser starts itself. */
  embedded: {
    lookEveryMs: 250,
    /** After a normal stop by another program, that program has this long to start it. */
    restartGraceMs: 1_000,
    /** After more deaths than this within that time the process ends. */
    mostDeaths: 5,
    deathsPerMs: 300_000,
    /** The process also ends when the database does not start for this long. */
    startWithinMs: 60_000,
  },
  /** Background parts: delay before a failed turn is retried. */
  supervision: {
    firstRetryMs: 100,
    mostRetryMs: 500,
    /** Interval at which a repeated failure is logged. */
    repeatLogMs: 60_000,
  },
  live: {
    heartbeatMs: 25_000,
    /** Interval at which the session of an open stream is checked. */
    recheckMs: 60_000,
    streamsPerUser: 10,
    streamsPerProcess: 5_000,
    /** Events kept for streams of pages that were read before their stream was open. */
    recentEvents: 20_000,
    /** A client that reads nothing while this many messages wait is disconnected. */
    maxWaitingMessages: 100,
    /** Delay before the browser reopens a closed stream. */
    clientRetryMs: 3_000,
  },
  relay: {
    pollMs: 200,
    /** Rows taken in one transaction; after a full batch the next follows immediately. */
    batchRows: 1_000,
    /** PostgreSQL refuses a NOTIFY payload of 8000 bytes or more. */
    maxNotifyBytes: 7_800,
    /**
     * Delays before each further attempt at a row that cannot be delivered; after the last it is
     * set aside.
     */
    failedWaitsMs: [5_000, 60_000, 600_000],
  },
  jobs: {
    concurrency: 3,
    pollMs: 2_000,
    /**
     * Time that a finished job may wait for others, so that one statement stores the ends of all.
     */
    completeDelayMs: 50,
    /**
     * After this time a stopping server asks the jobs in progress to stop at their next safe point.
     */
    abortAfterMs: 3_000,
    /** A stopping server waits for them no longer than this; they run again later. */
    stopWithinMs: 20_000,
    stopPollMs: 50,
    /**
     * Interval at which a process renews the locks of its jobs, and the age at which a lock is
     * void.
     */
    renewEveryMs: 3_000,
    lockLifeMs: 12_000,
    /**
     * Delay of a job that was interrupted in its last attempt, which does not count. It may be what ends its process.
     */
    interruptedWaitMs: 3_600_000,
    /**
     * Attempts before a job is left failed: three days in all, so that a mail server may be gone for a weekend. The delay
     * between them grows as e^attempt seconds, up to the tenth, which waits for six hours as all later ones do.
     */
    maxAttempts: 21,
  },
  webhooks: {
    /** From resolving the name to the status of the reply. */
    answerWithinMs: 10_000,
    /** A typed address is accepted unchecked if its name has not resolved by then. */
    resolveWithinMs: 2_000,
    /** Time after which an attempt without a result counts as lost: longer than one can last. */
    lostAfterMs: 60_000,
    /** Maximum time that a job sends to one address, before others have their turn. */
    roundMs: 20_000,
    /** Pause for an address after a failure. */
    restMs: 30_000,
    /**
     * Delays before each further attempt: about four days in all; after the last it is given up.
     */
    waitsMs: [
      30_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 50_400_000, 72_000_000,
      86_400_000, 86_400_000,
    ],
  },
  seal: {
    everyMs: 5_000,
    /** Maximum time that the sealer waits for a payroll that is being posted. */
    longestPauseMs: 20_000,
    /** Maximum wait for a lock; and for another sealer that holds it and appends nothing. */
    lockTimeoutMs: 10_000,
    patienceMs: 30_000,
    /**
     * Maximum wait of a row before it is a fault: for verify and System Health, and for /readyz.
     */
    waitsAtMostMs: 60_000,
    unreadyAfterMs: 300_000,
    /** Time after which System Health reports that roots could not be exported. */
    exportFailsAtMostMs: 300_000,
    /** Time that a stopping server waits for another that seals, and its check interval. */
    restWithinMs: 5_000,
    restRetryMs: 100,
  },
  verify: {
    /**
     * Interval at which the server verifies the newest part; everything is verified in the
     * company's night.
     */
    newestEveryMinutes: 5,
    /** Age of the last verification from which one of the newest part no longer waits for a payroll. */
    newestAtLeastEveryMs: 900_000,
    nightHours: { from: 1, before: 5 },
    /** Minimum and maximum time between two verifications of everything, whatever the hour. */
    wholeEveryMs: 20 * 3_600_000,
    wholeAtLeastEveryMs: 48 * 3_600_000,
    /** Maximum time for a statement of a verification. */
    statementTimeoutMs: 3_600_000,
    /** Interval at which a requested verification checks if a run of the newest part has ended. */
    retryMs: 1000,
    /** Age of the last trial of a backup from which a missing one is an open risk. */
    drillWithinMs: 92 * 86_400_000,
    /** Number of findings stored of a run. */
    keptProblems: 200,
  },
  roots: {
    /** Time for one post to an address. */
    timeoutMs: 10_000,
    /** First delay before a retry, which doubles each time, and the maximum. */
    retryMs: 5_000,
    longestRetryMs: 300_000,
  },
  health: {
    everyMs: 60_000,
    /** A check that takes longer has failed. */
    checkTimeoutMs: 5_000,
    /** Maximum age in the queue of a job that a person waits for. */
    jobWaitMs: 300_000,
    /** Age of the last check after which the state is unknown. */
    staleAfterMs: 180_000,
    uptimeDays: 30,
    /** Number of checks kept while the database is away: a day of minutes. */
    maxUnsaved: 1_440,
  },
  files: {
    connectTimeoutMs: 3_000,
    /** For one attempt, and for all of them together. */
    requestTimeoutMs: 10_000,
    attempts: 3,
    deadlineMs: 25_000,
    /** Room in the folder of files below which the storage check fails: some ten uploads. */
    minFreeBytes: 64_000_000,
  },
  backups: {
    /** Room that a backup leaves on the disk of the embedded database: eight files of PostgreSQL's log. */
    minFreeBytes: 128_000_000,
  },
  /** Pages whose first view the server draws. */
  firstView: {
    /**
     * Maximum wait for a drawing; then the page is sent without it, because the app would be as
     * quick.
     */
    withinMs: 1_000,
    /** Then the thread counts as hung and is replaced. */
    hungMs: 30_000,
    /** Further pages are sent without a drawing. */
    atOnce: 4,
    /** Share of the last second in which the process was busy, from which nothing is drawn. */
    busyFrom: 0.7,
    /** Idle time after which the thread ends. */
    idleMs: 600_000,
    /** Memory of the thread. The young part is the garbage of drawings between two collections. */
    memoryMb: 128,
    youngMemoryMb: 16,
  },
  /** Payslips, statements and receipts as PDF. */
  drawing: {
    /** Threads of a process that draw concurrently; others wait this long at most. */
    atOnce: 2,
    waitMs: 30_000,
    /**
     * The longest statement takes some 10 s on a busy machine; a drawing that takes this long has
     * failed.
     */
    drawMs: 90_000,
    /** Idle time after which a thread ends. */
    idleMs: 60_000,
    /** The longest statement takes some 300, by estimate from shorter ones. */
    memoryMb: 768,
  },
  moneyRequests: {
    /** In progress in a process, of one person or one API key; the next ones wait, in order. */
    inProgress: 3,
    /** In progress or waiting; further ones are refused. */
    most: 20,
    waitMs: 20_000,
  },
  uploads: {
    /** For one person, concurrently and over a period; after that they must wait. */
    atOncePerPerson: 4,
    perPerson: 40,
    perS: 600,
    /**
     * Uploads in memory concurrently, up to 7 MB each; later ones wait, unread, this long at most.
     */
    atOnce: 12,
    waitMs: 20_000,
    /**
     * Images decoded concurrently, and how much of one the decoder may hold: then each takes up to
     * 150 MB while it lasts, measured with the worst that pass (docs/decisions/004).
     */
    decoding: 2,
    heldWholeBytes: 80_000_000,
    decodeTimeoutS: 20,
  },
  imports: {
    /**
     * A file whose last chunk is older is no longer being read: its process was killed, for
     * example.
     */
    readingTimeoutMs: 120_000,
  },
  /** Rows of an export that are read together. */
  exports: { chunkRows: 1_000 },
  retention: { chunkRows: 5_000 },
  notifications: {
    /** Time in which a person can restore a deleted notification. */
    undoMs: 24 * 3_600_000,
    /** Minimum time before a person is asked for the same again. */
    askAgainMs: 24 * 3_600_000,
    /** Number of people whose digests are made in one transaction. */
    digestChunk: 500,
  },
} as const;
