import { appCodeOf } from '#contract/identity.ts';

/** Source of a code: the authenticator app, or the recovery codes. */
export type CodeKind = 'app' | 'recovery';

/** Fault of a typed code. */
export function codeProblem(kind: CodeKind, typed: string): string | undefined {
  if (kind === 'app') {
    return appCodeOf(typed) === undefined ? 'Enter the six digits of the app' : undefined;
  }
  return typed.trim().length < 8 ? 'Enter one of your recovery codes' : undefined;
}
