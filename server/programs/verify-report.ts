import { formatMoney, money } from '#contract/money.ts';
import type { Currency } from '#contract/money.ts';
import type { BlockSetAside, Verification } from '#server/modules/ledger/index.ts';

const number = (count: bigint) => count.toLocaleString('en-US');

/** The counts, the faults and the verdict, as lines for a person. */
export function verificationLines(
  verification: Verification & { setAside: readonly BlockSetAside[] },
  place: string,
): string[] {
  const { ok, problems, setAside } = verification;
  return [
    '',
    ...countLines(verification),
    ...rootLines(verification, place),
    ...setAside.map(
      ({ setAsideAt, height, reason }) =>
        `  Set aside      ${setAsideAt.toISOString()}: block ${number(height)}, which none of our keys signed: ${reason}`,
    ),
    '',
    ...problems.map(({ check, id, what }) => `  ${check}: ${id} ${what}`),
    ...(ok
      ? ['The ledger is sound.']
      : ['', `The ledger is NOT sound: ${problems.length} found, named above.`]),
  ];
}

function countLines({ counts, sums, head, durationMs }: Verification): string[] {
  return [
    `  Transactions   ${number(counts.transactions)}, with ${number(counts.entries)} entries`,
    `  Accounts       ${number(counts.accounts)}`,
    ...sums.map(({ currency, ownedMinor, heldMinor }) => {
      const [owned, held] = [ownedMinor, heldMinor].map((minor) =>
        formatMoney(money(minor, currency as Currency)),
      );
      return `  People's money ${owned} ${currency}, ${held} of it held`;
    }),
    `  Holds          ${number(counts.holds)} placed in all`,
    `  Audit events   ${number(counts.auditEvents)}`,
    `  Seals          ${number(counts.sealed)} in ${number(counts.blocks)} blocks, ${number(counts.unsealed)} waiting`,
    ...(head === undefined
      ? []
      : [
          `  Newest block   ${number(head.height)}, sealed ${head.sealedAt.toISOString()}`,
          `  Its root       ${head.root}`,
        ]),
    `  Took           ${(durationMs / 1_000).toFixed(1)} s`,
  ];
}

function rootLines({ roots, head }: Verification, place: string): string[] {
  if (head === undefined && roots.count === 0n) return [];
  return [
    roots.count === 0n
      ? `  Roots          none is kept in ${place} yet, so nothing outside the database was compared`
      : `  Roots          ${number(roots.count)} compared, of ${place}`,
    ...(roots.cutShort === 0n
      ? []
      : [
          `  Cut short      ${number(roots.cutShort)} lines among them, while the disk was full or a process ended; the roots after them say the same`,
        ]),
    ...roots.restores.map(
      ({ acceptedAt, height, lostHeight, reason }) =>
        `  Restored       ${acceptedAt.toISOString()}: went on from block ${number(height)} without those up to ${number(lostHeight)}: ${reason}`,
    ),
  ];
}
