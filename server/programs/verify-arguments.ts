import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { errorCode, StartError } from '#server/lib/start-error.ts';

export interface VerifyArguments {
  /** Roots that were kept elsewhere, as hex. */
  roots: readonly string[];
  /** Files of them. */
  rootFiles: readonly string[];
  /** The public key that must have signed, as hex; null: the server's own. */
  key: string | null;
  /** True if anybody's signature is accepted. */
  anyKey: boolean;
  /** The decision to go on with a restored backup, which ends with the block of that height. */
  restore: { height: bigint; reason: string } | null;
}

const HASH = /^[0-9a-f]{64}$/i;
const MAX_REASON_LENGTH = 500;

/** @throws {StartError} with what is wrong with them */
export function readVerifyArguments(args: readonly string[]): VerifyArguments {
  const { values, positionals } = parse(args);
  const given = [...positionals, ...(values.root ?? [])];
  const roots = given.filter((text) => HASH.test(text));
  const rootFiles = given.filter((text) => !HASH.test(text));
  const missing = rootFiles.find((path) => !existsSync(path));
  if (missing !== undefined) {
    throw new StartError(
      `"${missing}" is neither a root, which is 64 hexadecimal digits as printed by an earlier verify, nor a file of roots.`,
    );
  }
  const { key = null } = values;
  if (key !== null && !HASH.test(key)) {
    throw new StartError('A public key is 64 hexadecimal digits, as each exported root names it.');
  }
  return { roots, rootFiles, key, anyKey: values['any-key'], restore: readRestore(values) };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        root: { type: 'string', multiple: true },
        key: { type: 'string' },
        'any-key': { type: 'boolean', default: false },
        'accept-restored': { type: 'string' },
        reason: { type: 'string' },
      },
    });
  } catch (error) {
    if (errorCode(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    throw new StartError(`${(error as Error).message} docs/operating.md lists what verify knows.`);
  }
}

function readRestore(values: {
  'accept-restored'?: string;
  reason?: string;
}): VerifyArguments['restore'] {
  const { 'accept-restored': height, reason } = values;
  if (height === undefined && reason === undefined) return null;
  if (height === undefined || !/^\d{1,15}$/.test(height)) {
    throw new StartError('--accept-restored needs the number of the block the database ends with.');
  }
  const words = reason?.trim() ?? '';
  if (words === '' || words.length > MAX_REASON_LENGTH) {
    throw new StartError(
      `--accept-restored needs a --reason of at most ${MAX_REASON_LENGTH} characters: it is kept with the roots for good.`,
    );
  }
  return { height: BigInt(height), reason: words };
}
