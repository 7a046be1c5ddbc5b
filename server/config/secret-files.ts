import { readFileSync, statSync } from 'node:fs';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { SECRET_NAMES } from './names.ts';
import type { Problems } from './problems.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_BYTES = 64 * 1024;
const OTHERS_WRITE = 0o002;
const OTHERS_READ = 0o004;

/**
 * The environment with the content of each secret's file under the secret's own name. A file that cannot be read, that is
 * no text, or that everybody may change is a problem of the setting.
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
        if (isProduction && access.isWritable) throw new StartError(access.sentence);
        warn(`Warning: ${access.sentence}`);
      }
      return readSecretFile(named, path);
    });
    return text === null ? [] : [[name, text]];
  });
  return { ...environment, ...Object.fromEntries(read) };
}

/**
 * A sentence about a file that everybody on the machine may read or change; null for any other. Kubernetes (0644) and other
 * container engines (0444) hand secrets over as files that everybody reads, so Purser starts with these.
 */
function accessProblem(
  named: string,
  path: string,
): { sentence: string; isWritable: boolean } | null {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  const isWritable = (mode & OTHERS_WRITE) !== 0;
  if (isWritable) {
    return { sentence: `${named} everybody may change; chmod it to 0400.`, isWritable };
  }
  if ((mode & OTHERS_READ) === 0) return null;
  return {
    sentence: `${named} every user of this machine may read; chmod it to 0400, or to 0440 for a group.`,
    isWritable,
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
    throw new StartError(
      `${named} cannot be read (${errorCode(error)}); name a file that the user of the server may read.`,
      { cause: error },
    );
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
