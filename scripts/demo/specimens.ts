import { createHash } from 'node:crypto';
import sharp from 'sharp';
import {
  APPLICATION_DOCUMENT_TYPES,
  KYC_DOCUMENT_LABELS,
  KYC_DOCUMENT_TYPES,
} from '#contract/kyc.ts';
import type { CheckSide } from '#contract/deposits.ts';
import type { KycDocumentType } from '#contract/kyc.ts';
import { addDays } from '#contract/calendar.ts';
import { CHECK_SIDES } from '#contract/statuses.ts';
import type { KycAnswers } from '#contract/routes/kyc-answers.ts';
import type { Tx } from '#server/db/tx.ts';
import type { CommandContext } from '#server/lib/actor.ts';
import { attachCheckImage } from '#server/modules/deposits/index.ts';
import { attachDocument, prepareImage, stageImage } from '#server/modules/kyc/index.ts';
import type { PreparedImage } from '#server/modules/kyc/index.ts';
import { DEMO_SIGN_INS } from './company.ts';
import { drawIdentityCard } from './identity-card.ts';
import type { IdentityStory } from './roster.ts';
import type { DemoPerson, Story, Specimens } from './story.ts';

const PAPER: Readonly<Record<KycDocumentType, { width: number; height: number; tint: string }>> = {
  id_front: { width: 1000, height: 630, tint: '#dbe7f0' },
  id_back: { width: 1000, height: 630, tint: '#e6e2d3' },
  government_id: { width: 1000, height: 700, tint: '#e3dcea' },
  proof_of_address: { width: 800, height: 1100, tint: '#ffffff' },
  social_security: { width: 1000, height: 600, tint: '#dfeae0' },
};

/** One drawn image of each type, plainly marked, which nearly all of the company hands in. */
export async function drawSpecimens(): Promise<Specimens> {
  const drawn = await Promise.all(
    KYC_DOCUMENT_TYPES.map(async (type) => {
      return [type, await render(drawing(type))] as const;
    }),
  );
  return Object.fromEntries(drawn) as unknown as Specimens;
}

async function render(svg: string): Promise<PreparedImage> {
  return prepareImage(await sharp(Buffer.from(svg)).png().toBuffer());
}

function drawing(type: KycDocumentType): string {
  const { width, height, tint } = PAPER[type];
  const lines = Array.from({ length: 6 }, (_, index) => {
    const y = 200 + index * 52;
    return `<rect x="${width * 0.38}" y="${y}" width="${width * (0.5 - 0.05 * (index % 3))}" height="18" rx="4" fill="#33414e" opacity="0.35"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#6f7780"/>
    <rect x="24" y="24" width="${width - 48}" height="${height - 48}" rx="26" fill="${tint}"/>
    <text x="64" y="120" font-family="sans-serif" font-size="46" fill="#22303c">${KYC_DOCUMENT_LABELS[type]}</text>
    <rect x="64" y="190" width="${width * 0.25}" height="${width * 0.31}" rx="10" fill="#9aa6b1"/>
    ${lines.join('\n    ')}
    <text x="50%" y="62%" text-anchor="middle" font-family="sans-serif" font-size="130" font-weight="700"
      fill="#b3261e" opacity="0.5" transform="rotate(-18 ${width / 2} ${height / 2})">SPECIMEN</text>
  </svg>`;
}

const LOOKED_AT: readonly IdentityStory[] = ['submitted', 'in_review', 'resubmit_required'];

/** Some people do share an image: the review desk has something to point out. */
const SHARE_AN_IMAGE = ['linh.pham@purser.test', 'colin.fraser@purser.test'];

/** The person hands in their copy; everybody's counts as another image, but for those who share one. */
export async function handIn(
  tx: Tx,
  story: Story,
  { by, email }: DemoPerson,
  type: KycDocumentType,
): Promise<void> {
  const owner = SHARE_AN_IMAGE.includes(email) ? 'shared' : email;
  const mark = (sha256: Buffer) => createHash('sha256').update(sha256).update(owner).digest();
  const specimen = story.specimens[type];
  await attach(tx, story, by, type, {
    ...specimen,
    originalSha256: mark(specimen.originalSha256),
    imageSha256: mark(specimen.imageSha256),
  });
}

/**
 * The person hands in both sides of an identity card with their own name and number on it. Drawing
 * takes time, so this is for those whose card a person will look at; the others hand in a specimen.
 */
export async function handInIdentity(
  tx: Tx,
  story: Story,
  person: DemoPerson,
  answers: KycAnswers,
): Promise<void> {
  if (!isLookedAt(person)) {
    for (const type of APPLICATION_DOCUMENT_TYPES) await handIn(tx, story, person, type);
    return;
  }
  const front = await render(drawIdentityCard('front', answers));
  const back = await render(drawIdentityCard('back', answers));
  await attach(tx, story, person.by, 'id_front', front);
  await attach(tx, story, person.by, 'id_back', back);
}

/** True for people who wait for review, and for the demo's own employee. */
function isLookedAt({ identity, email }: DemoPerson): boolean {
  if (SHARE_AN_IMAGE.includes(email)) return false;
  return LOOKED_AT.includes(identity) || email === DEMO_SIGN_INS[1].email;
}

/** The person hands in both sides of the check that they deposit by their phone. */
export async function photographCheck(
  tx: Tx,
  { services }: Story,
  { by, email }: DemoPerson,
  depositId: string,
): Promise<void> {
  for (const side of CHECK_SIDES) {
    const staged = await stageImage(tx, services, {
      userId: by.actor.id,
      table: 'deposit_image',
      fileName: `check-${side}.jpg`,
      image: await render(drawCheck(side, email)),
    });
    // Nobody else waits for this transaction.
    await services.files.put(staged.id, staged.sealed);
    await attachCheckImage(tx, services, by, { depositId, side, staged });
  }
}

function drawCheck(side: CheckSide, endorsed: string): string {
  const content =
    side === 'front'
      ? `<text x="60" y="90" font-size="30">Pay to Tallis &amp; Reed, Inc., for ${endorsed}</text>` +
        '<rect x="700" y="150" width="230" height="60" fill="none" stroke="#33414e" stroke-width="3"/>' +
        '<path d="M60 200H640M60 280H920M60 380H420M560 380H920" stroke="#33414e" stroke-width="3"/>'
      : `<text x="60" y="90" font-size="30">Endorsed: ${endorsed}</text>` +
        '<path d="M60 110H480M60 160H480M60 210H480" stroke="#33414e" stroke-width="3"/>';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="460" font-family="sans-serif" fill="#22303c">
    <rect width="100%" height="100%" fill="#6f7780"/>
    <rect x="20" y="20" width="960" height="420" rx="10" fill="#e8f0e6"/>${content}
    <text x="50%" y="65%" text-anchor="middle" font-size="110" font-weight="700" fill="#b3261e"
      opacity="0.5">SPECIMEN</text>
  </svg>`;
}

async function attach(
  tx: Tx,
  { services }: Story,
  by: CommandContext,
  type: KycDocumentType,
  image: PreparedImage,
): Promise<void> {
  const fileName = `${type.replaceAll('_', '-')}.png`;
  const staged = await stageImage(tx, services, { userId: by.actor.id, fileName, image });
  // Nobody else waits for this transaction.
  await services.files.put(staged.id, staged.sealed);
  // A bill of two weeks before.
  const issuedOn =
    type === 'proof_of_address'
      ? addDays(services.clock.now().toISOString().slice(0, 10), -14)
      : undefined;
  await attachDocument(tx, services, by, { type, issuedOn, staged });
}
