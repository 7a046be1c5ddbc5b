/** Versions of the message that banks take (ISO 20022, Customer Credit Transfer Initiation). */
export type PainVersion = '03' | '09';

/** Namespace of a message in each version. */
export function painNamespace(version: PainVersion): string {
  return `urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}`;
}

/** Name of the element with a bank's BIC, which version 9 changed. */
export const BIC_ELEMENT = { '03': 'BIC', '09': 'BICFI' } as const;

/** Purposes of a batch (ISO 20022 external category purpose codes): wages, and payments to suppliers. */
export const PURPOSES = { people: 'SALA', businesses: 'SUPP' } as const;

/** Clearing systems of routing numbers and of sort codes (ISO 20022 external clearing system identification codes). */
export const CLEARING_SYSTEMS = { aba: 'USABA', sort_code: 'GBDSC' } as const;

/** Types of account (ISO 20022 external cash account type codes). */
export const ACCOUNT_TYPES = { checking: 'CACC', savings: 'SVGS' } as const;
