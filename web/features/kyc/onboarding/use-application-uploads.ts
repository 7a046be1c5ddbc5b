import type { ApplicationDocumentType } from '#contract/kyc.ts';
import { useUpload, type Upload } from '#web/features/kyc/use-upload.ts';
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
  const front = useUpload('id_front', HANDLERS);
  const back = useUpload('id_back', HANDLERS);
  return { id_front: front, id_back: back };
}
