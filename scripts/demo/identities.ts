import type { Tx } from '#server/db/tx.ts';
import {
  approveApplication,
  loadOwnApplication,
  moveToReview,
  rejectApplication,
  requestResubmission,
  saveApplication,
  startNewApplication,
  submitApplication,
} from '#server/modules/kyc/index.ts';
import { completeAnswers, firstAnswers } from './answers.ts';
import { anyAdmin, daysAfter, daysAgo, hoursAfter } from './story.ts';
import { handIn, handInIdentity } from './specimens.ts';
import type { DemoPerson, Story } from './story.ts';

const REJECTION = 'The name on the document is not the name in the application.';
const RESUBMISSION = {
  notes: 'The document expires before the date given, and its back cannot be read.',
  items: [
    { item: 'identification' as const, note: 'Please correct the expiry date.' },
    { item: 'id_back' as const, note: 'The photo is too dark to read.' },
  ],
};

/** Plans a person's identity check, as far as their story goes. */
export function planIdentity(story: Story, person: DemoPerson): void {
  const { joinedAt } = person;
  switch (person.identity) {
    case 'untouched':
      return;
    case 'begun':
      return planSave(story, person, hoursAfter(joinedAt, 3));
    case 'submitted':
      return planSubmission(story, person, daysAgo(story, story.random.int(1, 4), '13:40'));
    case 'in_review':
      planSubmission(story, person, daysAgo(story, 6, '10:15'));
      return planReview(story, person, daysAgo(story, 2, '11:05'), 'wait');
    case 'resubmit_required':
      planSubmission(story, person, daysAgo(story, 9, '15:20'));
      return planReview(story, person, daysAgo(story, 6, '09:50'), 'resubmit');
    case 'rejected':
      planSubmission(story, person, daysAgo(story, 21, '16:10'));
      return planReview(story, person, daysAgo(story, 18, '10:40'), 'reject');
    case 'begun_again':
      planSubmission(story, person, daysAfter(story, joinedAt, 2));
      planReview(story, person, daysAfter(story, joinedAt, 5), 'reject');
      return planNewApplication(story, person, daysAfter(story, joinedAt, 8));
    case 'second':
      planSubmission(story, person, daysAfter(story, joinedAt, 2));
      planReview(story, person, daysAfter(story, joinedAt, 4), 'reject');
      planNewApplication(story, person, daysAfter(story, joinedAt, 6));
      planSubmission(story, person, daysAfter(story, joinedAt, 7));
      return planReview(story, person, daysAfter(story, joinedAt, 9), 'approve');
    case 'approved':
      planSubmission(story, person, daysAfter(story, joinedAt, 1));
      return planReview(story, person, daysAfter(story, joinedAt, 2), 'approve');
  }
}

function planSave(story: Story, person: DemoPerson, at: Date): void {
  story.timeline.at(at, async (tx) => {
    const seen = await seenBy(tx, story, person);
    const answers = firstAnswers(story, person);
    await saveApplication(tx, story.services, person.by, { ...seen, answers });
    await handIn(tx, story, person, 'id_front');
  });
}

function planSubmission(story: Story, person: DemoPerson, at: Date): void {
  const { services, timeline } = story;
  timeline.at(at, async (tx) => {
    const answers = completeAnswers(story, person);
    const seen = await seenBy(tx, story, person);
    const saved = await saveApplication(tx, services, person.by, { ...seen, answers });
    await handInIdentity(tx, story, person, answers);
    await submitApplication(tx, services, person.by, saved);
  });
}

function planNewApplication(story: Story, person: DemoPerson, at: Date): void {
  story.timeline.at(at, async (tx) => {
    await startNewApplication(tx, story.services, person.by);
  });
}

type Outcome = 'wait' | 'approve' | 'reject' | 'resubmit';

/** An admin takes the application up, and decides half an hour later. */
function planReview(story: Story, person: DemoPerson, at: Date, outcome: Outcome): void {
  const { services, timeline } = story;
  const admin = anyAdmin(story);
  timeline.at(at, async (tx) => {
    await moveToReview(tx, services, admin, await targetOf(tx, story, person));
  });
  if (outcome === 'wait') return;
  timeline.at(hoursAfter(at, 0.5), async (tx) => {
    const target = await targetOf(tx, story, person);
    switch (outcome) {
      case 'approve':
        await approveApplication(tx, services, admin, target);
        return;
      case 'reject':
        await rejectApplication(tx, services, admin, { ...target, reason: REJECTION });
        return;
      case 'resubmit':
        await requestResubmission(tx, services, admin, { ...target, ...RESUBMISSION });
    }
  });
}

async function seenBy(tx: Tx, { services }: Story, { by }: DemoPerson) {
  const { id, version } = await loadOwnApplication(tx, services, by.actor.id);
  return { id, version };
}

async function targetOf(tx: Tx, story: Story, person: DemoPerson) {
  const { id, version } = await seenBy(tx, story, person);
  return { applicationId: id, version };
}
