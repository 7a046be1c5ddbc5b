import type { UsualPayImport } from '#contract/api.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import type { UploadBody } from '#server/http/handlers.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { confirmUsualPayFile } from '#server/modules/usual-pay/confirm-file.ts';
import { uploadUsualPayFile } from '#server/modules/usual-pay/upload-file.ts';
import type { Services } from '#server/services.ts';

type Clocked = Pick<Services, 'clock'>;

/** A body of a request that has this text. */
export function bodyOf(text: string): UploadBody {
  return {
    stream: async function* stream() {
      yield Buffer.from(text);
    },
  } as unknown as UploadBody;
}

/** Uploads lines as a file of usual pay, with or without errors. */
export function uploadPayLines(
  db: Db,
  services: Clocked,
  by: CommandContext,
  lines: readonly string[],
) {
  const body = bodyOf(lines.join('\r\n'));
  return uploadUsualPayFile(db, services, by, { fileName: 'pay.csv', body });
}

/** Uploads a file of usual pay that has no errors. */
export async function checkedPayFile(...given: Parameters<typeof uploadPayLines>) {
  const { problems, import: one } = await uploadPayLines(...given);
  if (one === null) throw new Error(`the file has errors: ${JSON.stringify(problems)}`);
  return one;
}

/** Confirms a file of usual pay as it was seen. */
export function confirmPayFile(
  db: Db,
  services: Clocked,
  by: CommandContext,
  { id, hash }: Pick<UsualPayImport, 'id' | 'hash'>,
): Promise<UsualPayImport> {
  return withTx(db, (tx) => confirmUsualPayFile(tx, services, by, { id, hash }));
}
