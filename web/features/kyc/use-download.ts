import { useMutation } from '@tanstack/react-query';
import type { KycDocument } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { saveFile } from '#web/lib/save-file.ts';
import { toast } from '#web/ui/toast-queue.ts';

/** Saves one of the person's documents to their device, by a signed link. */
export function useDownload() {
  return useMutation({
    mutationFn: async (document: KycDocument) => {
      const url = await linkTo(document);
      if (url === undefined) return;
      const image = await fetchImage(url);
      if (image !== undefined) saveFile(document.fileName ?? document.type, image);
    },
  });
}

async function linkTo({ id }: KycDocument): Promise<string | undefined> {
  try {
    const { url } = await call('createDocumentLink', { params: { id } });
    return url;
  } catch {
    toast({
      title: 'Download failed',
      message: 'Could not generate download link for the document.',
      tone: 'critical',
    });
    return undefined;
  }
}

async function fetchImage(url: string): Promise<Blob | undefined> {
  try {
    const reply = await fetch(url);
    if (reply.ok) return await reply.blob();
  } catch {
    // Reported below, as a refusal is.
  }
  toast({
    title: 'Download error',
    message: 'An error occurred while downloading the document.',
    tone: 'critical',
  });
  return undefined;
}
