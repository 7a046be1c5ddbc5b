import { mkdir, readdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { assertWritable } from '#server/lib/assert-writable.ts';
import { newId } from '#server/lib/ids.ts';
import type { Mailer } from '#server/lib/mailer.ts';
import { errorCode } from '#server/lib/start-error.ts';
import { mailHeaders } from './mail-headers.ts';

export interface LocalOptions {
  /** Folder of the mails, one `.eml` file each; created if missing. */
  dir: string;
  from: string;
  /** Called, with one sentence, for each mail with a link to open. */
  log: (sentence: string) => void;
}

/** Maximum number of mails kept, the newest; a demo company writes many. */
const KEPT_MAILS = 200;

/** Sends nothing: stores mail where a developer can read it. Only for the demo and development. */
export function createLocalMailer({ dir, from, log }: LocalOptions): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  /** Names of all mails in the folder, oldest first. The folder exists once they are known. */
  let listing: Promise<string[]> | undefined;
  return {
    async send({ to, subject, text, html, link, unsubscribeUrl }) {
      const headers = mailHeaders(unsubscribeUrl);
      const { message } = await transport.sendMail({ from, to, subject, text, html, headers });
      // Ids begin with the time, so that names sort by age.
      const name = `${newId()}.eml`;
      const file = join(dir, name);
      try {
        const kept = await (listing ??= openFolder(dir));
        await writeFile(file, message, { mode: 0o600 });
        kept.push(name);
        await deleteOldest(dir, kept);
      } catch (error) {
        // The job sends it again; a person may have deleted the folder.
        listing = undefined;
        throw error;
      }
      if (link !== undefined)
        log(`No mail server is set; "${subject}" is kept in ${file}: ${link}`);
      return 'sent';
    },
    verify: () => assertWritable(dir),
    close: () => transport.close(),
  };
}

async function openFolder(dir: string): Promise<string[]> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  return (await readdir(dir)).filter((name) => name.endsWith('.eml')).toSorted();
}

async function deleteOldest(dir: string, kept: string[]): Promise<void> {
  for (const name of kept.splice(0, Math.max(kept.length - KEPT_MAILS, 0))) {
    await unlink(join(dir, name)).catch((error: unknown) => {
      // A person may have deleted it already.
      if (errorCode(error) !== 'ENOENT') throw error;
    });
  }
}
