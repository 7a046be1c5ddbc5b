import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

/** Lines of a failure's message that the summary repeats; the stage's output has all of them. */
const SHOWN_LINES = 12;
const SHOWN_WIDTH = 200;
/** Failures that the summary repeats, so that all of it fits on a screen. */
const SHOWN_FAILURES = 6;

/** Counts and failures of one stage; `failures` may be fewer than `failed`. */
export interface Reported {
  passed: number;
  failed: number;
  failures: string[];
}

const VitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

const PlaywrightError = z.object({ message: z.string().default('') });

const PlaywrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  line: z.number(),
  ok: z.boolean(),
  tests: z.array(z.object({ results: z.array(z.object({ errors: z.array(PlaywrightError) })) })),
});

const PlaywrightSuite = z.object({
  specs: z.array(PlaywrightSpec),
  get suites() {
    return z.array(PlaywrightSuite).default([]);
  },
});

const PlaywrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  suites: z.array(PlaywrightSuite),
  errors: z.array(PlaywrightError).default([]),
});

/**
 * Counts of a JSON report of Vitest, and each failed test with the beginning of its message. A file that does not
 * load is a failure without a test.
 *
 * @throws z.ZodError for a report of another shape
 */
export function readVitestReport(report: unknown): Reported {
  const { numPassedTests, numFailedTests, testResults } = VitestReport.parse(report);
  const failures = testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed');
      if (failed.length === 0) return [headed(name, [message])];
      return failed.map((test) => headed(`${name} › ${test.fullName}`, test.failureMessages ?? []));
    });
  return { passed: numPassedTests, failed: numFailedTests, failures };
}

/**
 * Counts of a JSON report of Playwright, and each failed test with the beginning of its messages.
 *
 * @throws z.ZodError for a report of another shape
 */
export function readPlaywrightReport(report: unknown): Reported {
  const { stats, suites, errors } = PlaywrightReport.parse(report);
  const failed = suites.flatMap(specsOf).filter(({ ok }) => !ok);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
    failures: [
      ...errors.map(({ message }) => headed('Outside a test', [message])),
      ...failed.map(({ file, line, title, tests }) => {
        const results = tests.flatMap((test) => test.results).flatMap((result) => result.errors);
        return headed(
          `${file}:${line} › ${title}`,
          results.map(({ message }) => message),
        );
      }),
    ],
  };
}

/** Failures for the end of everything that is printed, where someone who sees only the end finds them. */
export function summarize(failures: readonly string[]): string {
  const left = failures.length - SHOWN_FAILURES;
  return [
    ...failures.slice(0, SHOWN_FAILURES),
    ...(left > 0 ? [`and ${left} more, each in the output of its stage`] : []),
  ].join('\n\n');
}

/** Last lines of what a tool printed, for a failure that no report names. */
export function endOf(output: string): string {
  return shortened(output.trimEnd().split('\n').slice(-SHOWN_LINES));
}

function specsOf(suite: z.infer<typeof PlaywrightSuite>): z.infer<typeof PlaywrightSpec>[] {
  return [...suite.specs, ...suite.suites.flatMap(specsOf)];
}

function headed(title: string, messages: readonly string[]): string {
  const lines = messages
    .flatMap((message) => message.split('\n'))
    .filter((line) => !/^\s*at .*(?:node_modules|<anonymous>)/.test(line));
  return `${title.replace(`${process.cwd()}/`, '')}\n${shortened(lines.slice(0, SHOWN_LINES))}`;
}

function shortened(lines: readonly string[]): string {
  return lines
    .map((line) => `  ${stripVTControlCharacters(line).slice(0, SHOWN_WIDTH)}`.trimEnd())
    .join('\n');
}
