import { accessSync, constants, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { errorCode, StartError } from '#server/lib/start-error.ts';
import { refuseRepeated } from '#server/programs/run-command.ts';

/** An operator's decision about the end of the chain. */
interface Decision {
  height: bigint;
  reason: string;
}

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
  restore: Decision | null;
  /** The decision to set aside the blocks from that height on, which nobody known signed. */
  setAside: Decision | null;
}

const HASH = /^[0-9a-f]{64}$/i;
const MAX_REASON_LENGTH = 500;

/** @throws {StartError} with what is wrong with them */
export function readVerifyArguments(args: readonly string[]): VerifyArguments {
  const { values, positionals } = parse(args);
  const given = [...positionals, ...(values.root ?? [])];
  const roots = given.filter((text) => HASH.test(text));
  const rootFiles = given.filter((text) => !HASH.test(text));
  rootFiles.forEach(assertRootFile);
  const { key = null } = values;
  if (key !== null && !HASH.test(key)) {
    throw new StartError('A public key is 64 hexadecimal digits, as each exported root names it.');
  }
  const { reason } = values;
  const restore = readDecision('accept-restored', values['accept-restored'], reason);
  const setAside = readDecision('set-aside', values['set-aside'], reason);
  if (reason !== undefined && (restore === null) === (setAside === null)) {
    throw new StartError('A --reason is given with either --accept-restored or --set-aside.');
  }
  return { roots, rootFiles, key, anyKey: values['any-key'], restore, setAside };
}

/** @throws {StartError} for a path that is no file, for an empty one, or for one that this user may not read */
export function assertRootFile(path: string): void {
  const code = unreadable(path);
  if (code === null) {
    if (statSync(path).size > 0) return;
    throw new StartError(
      `The file of roots "${path}" is empty. Name a file that has roots, or none: nothing would be compared.`,
    );
  }
  throw new StartError(
    code === 'ENOENT'
      ? `"${path}" is neither a root, which is 64 hexadecimal digits as printed by an earlier verify, nor a file of roots.`
      : `The file of roots "${path}" cannot be read (${code}). Name a file that this user may read.`,
  );
}

function unreadable(path: string): string | null {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isDirectory() ? 'EISDIR' : null;
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

function parse(args: readonly string[]) {
  try {
    const parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      tokens: true,
      options: {
        root: { type: 'string', multiple: true },
        key: { type: 'string' },
        'any-key': { type: 'boolean', default: false },
        'accept-restored': { type: 'string' },
        'set-aside': { type: 'string' },
        reason: { type: 'string' },
      },
    });
    refuseRepeated(parsed.tokens, { repeatable: ['root'] });
    return parsed;
  } catch (error) {
    if (errorCode(error)?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    throw new StartError(`${(error as Error).message} docs/watching.md lists what verify knows.`);
  }
}

function readDecision(
  name: 'accept-restored' | 'set-aside',
  height: string | undefined,
  reason: string | undefined,
): Decision | null {
  if (height === undefined) return null;
  if (!/^\d{1,15}$/.test(height)) {
    throw new StartError(`--${name} needs the number of a block.`);
  }
  const words = reason?.trim() ?? '';
  if (words === '' || words.length > MAX_REASON_LENGTH) {
    throw new StartError(
      `--${name} needs a --reason of at most ${MAX_REASON_LENGTH} characters: it is kept for good.`,
    );
  }
  return { height: BigInt(height), reason: words };
}
