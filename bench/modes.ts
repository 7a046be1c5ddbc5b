/** A part of `npm run bench` that runs alone. */
interface Mode {
  /** Its option, with a value where it takes one. */
  option: string;
  what: string;
}

/** All parts, by the names of their options. docs/PERFORMANCE.md has the figures of each. */
export const MODES = {
  lists: { option: '--lists', what: 'how lists of the back office grow' },
  import: { option: '--import', what: 'employees, and what they are paid, from CSV files' },
  checks: { option: '--checks', what: 'the books compared with the business' },
  employee: { option: '--employee', what: 'a person with 100,000 entries and one with 100' },
  streams: { option: '--streams', what: 'the cost of 200 open live streams' },
  mails: {
    option: '--mails',
    what: 'the mails of a payroll, and those that others wait for behind them',
  },
  grid: { option: '--grid', what: 'amounts of a payroll typed in a browser' },
  own: {
    option: '--own',
    what: 'a payroll of own amounts, its documents, and a verification of its books',
  },
  statements: { option: '--statements', what: 'statements of the company’s bank, of 50,000 lines' },
  payouts: { option: '--payouts', what: 'a payout file of 100,000 payments' },
  files: { option: '--files', what: 'files that run for one withdrawal request' },
  soak: { option: '--soak', what: 'a steady mixed load with 200 open live streams' },
  server: { option: '--server URL', what: 'postings on your own server and on the embedded one' },
} as const satisfies Readonly<Record<string, Mode>>;

export type ModeName = keyof typeof MODES;
