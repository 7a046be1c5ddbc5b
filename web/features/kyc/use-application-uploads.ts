import { KYC_DOCUMENT_LABELS, type ApplicationDocumentType } from '#contract/kyc.ts';
import { toast } from '#web/ui/toast-queue.ts';
import { useUpload, type Upload } from './use-upload.ts';

/** The uploads of the wizard; they go on while other steps are on screen. */
export function useApplicationUploads(): Record<ApplicationDocumentType, Upload> {
  const front = useUpload('id_front', handlersOf('id_front'));
  const back = useUpload('id_back', handlersOf('id_back'));
  return { id_front: front, id_back: back };
}

function handlersOf(type: ApplicationDocumentType): Parameters<typeof useUpload>[1] {
  return {
    onUploaded: ({ fileName }) =>
      toast({
        title: 'Document Uploaded',
        message: `${fileName ?? KYC_DOCUMENT_LABELS[type]} has been uploaded successfully`,
        tone: 'positive',
      }),
    onFailed: () =>
      toast({ title: 'Upload Failed', message: 'Failed to upload document', tone: 'critical' }),
  };
}
