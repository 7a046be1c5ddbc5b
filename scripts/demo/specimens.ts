import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { KYC_DOCUMENT_LABELS, KYC_DOCUMENT_TYPES } from '#contract/kyc.ts';
import type { KycDocumentType } from '#contract/kyc.ts';
import type { Tx } from '#server/db/tx.ts';
import { attachDocument, prepareImage, stageImage } from '#server/modules/kyc/index.ts';
import type { PreparedImage } from '#server/modules/kyc/index.ts';
import type { DemoPerson, Story } from './story.ts';

export type Specimens = Readonly<Record<KycDocumentType, PreparedImage>>;

const PAPER: Readonly<Record<KycDocumentType, { width: number; height: number; tint: string }>> = {
  id_front: { width: 1000, height: 630, tint: '#dbe7f0' },
  id_back: { width: 1000, height: 630, tint: '#e6e2d3' },
  government_id: { width: 1000, height: 700, tint: '#e3dcea' },
  proof_of_address: { width: 800, height: 1100, tint: '#ffffff' },
  social_security: { width: 1000, height: 600, tint: '#dfeae0' },
};

/** One drawn image of each type, plainly marked, which all of the company hands in. */
export async function drawSpecimens(): Promise<Specimens> {
  const drawn = await Promise.all(
    KYC_DOCUMENT_TYPES.map(async (type) => {
      const picture = await sharp(Buffer.from(drawing(type)))
        .png()
        .toBuffer();
      return [type, await prepareImage(picture)] as const;
    }),
  );
  return Object.fromEntries(drawn) as unknown as Specimens;
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

/** Some people do share an image: the review desk has something to point out. */
const SHARE_AN_IMAGE = ['linh.pham@purser.test', 'colin.fraser@purser.test'];

/** The person hands in their copy; everybody's counts as another image, but for those who share one. */
export async function handIn(
  tx: Tx,
  { services, specimens }: Story,
  { by, email }: DemoPerson,
  type: KycDocumentType,
): Promise<void> {
  const owner = SHARE_AN_IMAGE.includes(email) ? 'shared' : email;
  const mark = (sha256: Buffer) => createHash('sha256').update(sha256).update(owner).digest();
  const specimen = specimens[type];
  const image = {
    ...specimen,
    originalSha256: mark(specimen.originalSha256),
    imageSha256: mark(specimen.imageSha256),
  };
  const fileName = `${type.replaceAll('_', '-')}.png`;
  const staged = await stageImage(tx, services, { userId: by.actor.id, fileName, image });
  // Nobody else waits for this transaction.
  await services.files.put(staged.id, staged.sealed);
  await attachDocument(tx, services, by, { type, staged });
}
