import type { ApplicationDocumentType } from '#contract/kyc.ts';
import { documentTarget } from '#web/features/kyc/document-target.ts';
import { useUpload, type Upload } from '#web/kit/use-upload.ts';
import { toast } from '#web/ui/toast-queue.ts';

const HANDLERS: Parameters<typeof useUpload>[1] = {
  onUploaded: ({ name }) =>
    toast({
      title: 'Document Uploaded',
      message: `${name} has been uploaded successfully`,
      tone: 'positive',
    }),
  onFailed: () =>
    toast({ title: 'Upload Failed', message: 'Failed to upload document', tone: 'critical' }),
};

/** The uploads of the wizard; they go on while other steps are on screen. */
export function useApplicationUploads(): Record<ApplicationDocumentType, Upload> {
  const front = useUpload(documentTarget('id_front'), HANDLERS);
  const back = useUpload(documentTarget('id_back'), HANDLERS);
  return { id_front: front, id_back: back };
}
