import { WALLET_DOCUMENT_TYPES } from '#contract/kyc.ts';
import type { WalletDocumentType } from '#contract/kyc.ts';
import { invariant } from '#server/lib/errors.ts';
import {
  claimReview,
  decideDocument,
  findProfile,
  presentVerification,
} from '#server/modules/kyc/index.ts';
import { daysAgo } from './story.ts';
import type { DemoPerson, Story } from './story.ts';
import { handIn } from './specimens.ts';

const NOT_LEGIBLE = 'The address on the bill cannot be read. Upload a sharper image.';

type WalletStory = 'verified' | 'waiting' | 'under_review' | 'rejected' | 'partly';

/** Everybody else has not begun. */
const STORIES: Readonly<Record<string, WalletStory>> = {
  'Maya Castellanos': 'verified',
  'Diego Fuentes': 'verified',
  'Priya Raghunathan': 'waiting',
  'Marcus Whitfield': 'waiting',
  'Zoë Van der Berg': 'under_review',
  'Keiko Tanabe': 'rejected',
  'Rosa Delgado': 'partly',
};

/** Plans the wallet documents of the people who have handed some in. */
export function planWalletDocuments(story: Story, person: DemoPerson): void {
  const walletStory = STORIES[person.by.actor.name];
  switch (walletStory) {
    case undefined:
      return;
    case 'verified':
      planUpload(story, person, { days: 320, types: WALLET_DOCUMENT_TYPES });
      return planDecisions(story, person, { days: 319, rejected: null });
    case 'waiting':
      return planUpload(story, person, { days: 2, types: WALLET_DOCUMENT_TYPES });
    case 'under_review':
      planUpload(story, person, { days: 3, types: WALLET_DOCUMENT_TYPES });
      return planTakingUp(story, person, 1);
    case 'rejected':
      planUpload(story, person, { days: 8, types: WALLET_DOCUMENT_TYPES });
      return planDecisions(story, person, { days: 6, rejected: 'proof_of_address' });
    case 'partly':
      planUpload(story, person, { days: 30, types: ['government_id'] });
      return planDecisions(story, person, { days: 28, rejected: null });
  }
}

function planUpload(
  story: Story,
  person: DemoPerson,
  { days, types }: { days: number; types: readonly WalletDocumentType[] },
): void {
  story.timeline.at(daysAgo(story, days, '12:10'), async (tx) => {
    for (const type of types) await handIn(tx, story, person, type);
  });
}

function planTakingUp(story: Story, person: DemoPerson, days: number): void {
  const [, admin] = story.admins;
  story.timeline.at(daysAgo(story, days, '16:30'), async (tx) => {
    const profile = invariant(await findProfile(tx, person.by.actor.id), 'they have uploaded');
    await claimReview(tx, story.services, admin, { itemId: profile.id, takeOver: false });
  });
}

function planDecisions(
  story: Story,
  person: DemoPerson,
  { days, rejected }: { days: number; rejected: WalletDocumentType | null },
): void {
  const { services, admins } = story;
  story.timeline.at(daysAgo(story, days, '09:20'), async (tx) => {
    const { documents } = await presentVerification(tx, services.vault, person.by.actor.id);
    for (const { id, version, type } of documents) {
      const reason = type === rejected ? NOT_LEGIBLE : null;
      const action = reason === null ? 'approve' : 'reject';
      await decideDocument(tx, services, admins[0], { id, version, action, reason });
    }
  });
}
