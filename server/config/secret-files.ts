import { readFileSync, statSync } from 'node:fs';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { SECRET_NAMES } from './names.ts';
import type { Problems } from './problems.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_BYTES = 64 * 1024;
const OTHERS_WRITE = 0o002;
const OTHERS_READ = 0o004;
const ANYBODY_WRITES = 0o222;

/**
 * The environment with the content of each secret's file under the secret's own name. A file that cannot be read, that is
 * no text, or that others may read or change is a problem of the setting.
 *
 * @param warn called with a sentence for a file with which Purser starts all the same
 */
export function withSecretFiles(
  environment: Environment,
  options: { isProduction: boolean; problems: Problems; warn: (sentence: string) => void },
): Environment {
  const { isProduction, problems, warn } = options;
  const read = SECRET_NAMES.flatMap((name): [string, string][] => {
    const path = environment[`${name}_FILE`]?.trim();
    if (!path) return [];
    const text = problems.attempt(name, () => {
      if (environment[name]?.trim()) {
        throw new StartError(`${name} and ${name}_FILE are both set; leave one of them out.`);
      }
      const named = `${name}_FILE names ${path}, which`;
      const access = accessProblem(named, path);
      if (access !== null) {
        if (isProduction && !access.isUsual) throw new StartError(access.sentence);
        warn(`Warning: ${access.sentence}`);
      }
      return readSecretFile(named, path);
    });
    return text === null ? [] : [[name, text]];
  });
  return { ...environment, ...Object.fromEntries(read) };
}

/**
 * A sentence about a file that everybody on the machine may read or change, as PostgreSQL and ssh refuse one; null for any
 * other. Container engines hand secrets over as files that everybody reads and nobody writes (0444), which is usual.
 */
function accessProblem(named: string, path: string): { sentence: string; isUsual: boolean } | null {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS_WRITE) !== 0) {
    return { sentence: `${named} everybody may change; chmod it to 0400.`, isUsual: false };
  }
  if ((mode & OTHERS_READ) === 0) return null;
  return {
    sentence: `${named} every user of this machine may read; chmod it to 0400, or to 0440 for a group.`,
    isUsual: (mode & ANYBODY_WRITES) === 0,
  };
}

function readSecretFile(named: string, path: string): string {
  let content: Buffer;
  try {
    if (statSync(path).size > MAX_BYTES)
      throw new StartError(`${named} is too large for a secret.`);
    content = readFileSync(path);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${named} cannot be read (${errorCode(error)}).`, { cause: error });
  }
  const text = asText(content)?.trim();
  if (text === undefined) {
    throw new StartError(
      `${named} is not text; write the secret in base64, as docs/operating.md does.`,
    );
  }
  if (text !== '') return text;
  throw new StartError(`${named} is empty.`);
}

function asText(content: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    return undefined;
  }
}
