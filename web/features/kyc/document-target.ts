import type { KycDocumentType } from '#contract/kyc.ts';
import { uploadFile } from '#web/api/upload.ts';

/** Where images of a document go, for `useUpload`. */
export function documentTarget(type: KycDocumentType) {
  return {
    topic: 'kyc' as const,
    sendImage: (image: File, onProgress: (share: number) => void) =>
      uploadFile(
        'uploadDocument',
        { params: { type }, query: { fileName: image.name } },
        image,
        onProgress,
      ),
  };
}
