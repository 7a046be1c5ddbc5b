export { attachDocument } from './documents/attach-document.ts';
export { signLink } from './documents/document-link.ts';
export { approveApplication } from './review/approve-application.ts';
export { claimReview } from './review/claims.ts';
export { decideDocument } from './review/decide-document.ts';
export { downloadName } from './documents/file-name.ts';
export { ensureApplication, ensureApplications } from './application/ensure-application.ts';
export { loadOwnApplication, openApplication } from './application/load-application.ts';
export { moveToReview } from './review/move-to-review.ts';
export {
  isIdentityApproved,
  latestStatus,
  phoneNumberOf,
  verifiedAddress,
  verifiedNames,
} from './application/queries.ts';
export { prepareImage } from './documents/prepare-image.ts';
export type { PreparedImage } from './documents/prepare-image.ts';
export { findProfile, presentVerification } from './documents/profile.ts';
export { rejectApplication } from './review/reject-application.ts';
export { requestResubmission } from './review/request-resubmission.ts';
export { reviewName } from './review/review-name.ts';
export { saveApplication } from './application/save-application.ts';
export {
  destroyImages,
  fileNamePlace,
  imagePlace,
  keepFile,
  stageImage,
} from './documents/stage-image.ts';
export type { StagedImage } from './documents/stage-image.ts';
export { startNewApplication } from './application/start-new-application.ts';
export { submitApplication } from './application/submit-application.ts';
export { sweepIdentity } from './retention/sweep.ts';
export { takeImage } from './documents/take-image.ts';
export { UploadQueue } from './documents/upload-queue.ts';
