import { appCodeOf } from '#contract/identity.ts';

/** Where a code comes from: the authenticator app, or the recovery codes. */
export type CodeKind = 'app' | 'recovery';

/** What is wrong with a code as it was typed. */
export function codeProblem(kind: CodeKind, typed: string): string | undefined {
  if (kind === 'app') {
    return appCodeOf(typed) === undefined ? 'Enter the six digits of the app' : undefined;
  }
  return typed.trim().length < 8 ? 'Enter one of your recovery codes' : undefined;
}
