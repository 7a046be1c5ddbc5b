import { describe, expect, it } from 'vitest';
import { endOf, readPlaywrightReport, readVitestReport, summarize } from './failed-tests.ts';

const at = (path: string) => `${process.cwd()}/${path}`;

describe('a report of Vitest', () => {
  const passed = { fullName: 'sums add', status: 'passed', failureMessages: [] };

  it('names the failed tests, and the beginning of their messages without the frames of the runner', () => {
    const message = [
      'AssertionError: expected 1 to be 2',
      `    at ${at('server/lib/sum.test.ts')}:2:6`,
      '    at new Promise (<anonymous>)',
      `    at runTest (file://${at('node_modules/vitest/dist/run.js')}:1:2)`,
    ].join('\n');
    const report = readVitestReport({
      numPassedTests: 1,
      numFailedTests: 1,
      testResults: [
        {
          name: at('server/lib/sum.test.ts'),
          status: 'failed',
          message: '',
          assertionResults: [
            passed,
            { fullName: 'sums carry', status: 'failed', failureMessages: [message] },
          ],
        },
      ],
    });
    expect(report).toEqual({
      passed: 1,
      failed: 1,
      failures: [
        [
          'server/lib/sum.test.ts › sums carry',
          '  AssertionError: expected 1 to be 2',
          `      at ${at('server/lib/sum.test.ts')}:2:6`,
        ].join('\n'),
      ],
    });
  });

  it('names a file that does not load', () => {
    const report = readVitestReport({
      numPassedTests: 0,
      numFailedTests: 0,
      testResults: [
        {
          name: at('a.test.ts'),
          status: 'failed',
          message: 'Cannot find module',
          assertionResults: [],
        },
      ],
    });
    expect(report.failures).toEqual(['a.test.ts\n  Cannot find module']);
  });

  it('names nothing where all passed', () => {
    const testResults = [{ name: at('a.test.ts'), status: 'passed', assertionResults: [passed] }];
    const report = readVitestReport({ numPassedTests: 1, numFailedTests: 0, testResults });
    expect(report).toEqual({ passed: 1, failed: 0, failures: [] });
  });
});

describe('a report of Playwright', () => {
  const spec = (title: string, errors: string[]) => ({
    title,
    file: 'people.test.ts',
    line: 7,
    ok: errors.length === 0,
    tests: [{ results: [{ errors: errors.map((message) => ({ message })) }] }],
  });

  it('names the failed tests of every depth, without colors', () => {
    const report = readPlaywrightReport({
      stats: { expected: 1, unexpected: 1, flaky: 1 },
      suites: [
        {
          specs: [spec('lists', [])],
          suites: [{ specs: [spec('adds', ['\u001B[31mExpected\u001B[39m: 2', 'Later'])] }],
        },
      ],
      errors: [{ message: 'No browser' }],
    });
    expect(report).toEqual({
      passed: 1,
      failed: 2,
      failures: ['Outside a test\n  No browser', 'people.test.ts:7 › adds\n  Expected: 2\n  Later'],
    });
  });
});

describe('the summary', () => {
  it('repeats six failures and counts the others', () => {
    const failures = Array.from({ length: 8 }, (_, number) => `failure ${number}`);
    const summary = summarize(failures);
    expect(summary).toContain('failure 5\n\nand 2 more');
    expect(summary).not.toContain('failure 6');
  });

  it('shortens what a tool printed to its last lines', () => {
    const output = Array.from({ length: 30 }, (_, number) => `line ${number}`).join('\n');
    expect(endOf(`${output}\n\n`).split('\n')).toEqual(
      Array.from({ length: 12 }, (_, number) => `  line ${number + 18}`),
    );
  });
});
