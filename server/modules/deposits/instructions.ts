import type { DepositInstructions } from '#contract/api.ts';
import type { DepositMethodId } from '#contract/deposits.ts';
import type { Reader, Tx } from '#server/db/tx.ts';
import { rowHash } from '#server/db/row-hash.ts';
import { unlessDestroyed } from '#server/vault/vault.ts';
import type { Place, Vault } from '#server/vault/vault.ts';
import { legalNameOf, offersMethod } from '#server/modules/settings/index.ts';
import type { CompanySettings } from '#server/modules/settings/index.ts';

/** Data of which instructions are made, as it is when the person asks. */
export interface InstructionFacts {
  settings: CompanySettings;
  /** Name of the person who deposits. */
  personName: string;
  /** Telephone number of the person who deposits; null where it is not known. */
  phone: string | null;
}

/**
 * The steps that the person takes to send the money, with the company's note. Null where the company
 * has the method switched off, has not said where its money goes, or cannot call the person: the
 * method is then not offered.
 */
export function instructionsFor(
  method: DepositMethodId,
  facts: InstructionFacts,
): DepositInstructions | null {
  const { settings } = facts;
  if (!offersMethod(settings, method)) return null;
  const instructions = stepsFor(method, facts);
  if (instructions === null || settings.depositNote === null) return instructions;
  return { ...instructions, note: settings.depositNote };
}

function stepsFor(
  method: DepositMethodId,
  { settings, personName, phone }: InstructionFacts,
): DepositInstructions | null {
  const { companyName, receivingBank, receivingAccount, mailingAddress, cardPaymentPage } =
    settings;
  const legalName = legalNameOf(settings);
  const payTo = `${legalName}, for ${personName}`;
  switch (method) {
    case 'ach':
      return receivingAccount && { method, payTo, receivingAccount };
    case 'wire':
      if (receivingBank === null || receivingAccount === null) return null;
      return {
        method,
        payTo,
        bankName: receivingBank.name,
        bankAddress: receivingBank.address,
        receivingAccount,
      };
    case 'card':
      if (cardPaymentPage === null) return null;
      return { method, chargedBy: companyName, paymentPage: cardPaymentPage };
    case 'mobile_check':
      return { method, payTo };
    case 'physical_check':
      if (mailingAddress === null) return null;
      return { method, payTo, mailTo: `${legalName}\nAttn: Payroll deposits\n${mailingAddress}` };
    case 'secure_transfer':
      return phone === null ? null : { method, phone };
  }
}

function instructionsPlace(depositId: string): Place {
  return { table: 'deposit', column: 'instructions_encrypted', rowId: depositId };
}

/** Encrypts instructions under the person's key: they may have a phone number in them. */
export function sealInstructions(
  tx: Tx,
  vault: Vault,
  { id, userId }: { id: string; userId: string },
  instructions: DepositInstructions,
): Promise<Buffer> {
  return vault.seal(tx, userId, instructionsPlace(id), JSON.stringify(instructions));
}

/**
 * The instructions as they were given; null for deposits made before they were kept, and once the
 * person's key is destroyed.
 */
export async function openInstructions(
  reader: Reader,
  vault: Vault,
  row: { id: string; userId: string; instructionsEncrypted: Buffer | null },
): Promise<DepositInstructions | null> {
  if (row.instructionsEncrypted === null) return null;
  const place = instructionsPlace(row.id);
  const opening = vault.open(reader, row.userId, place, row.instructionsEncrypted);
  const plain = await unlessDestroyed(opening);
  if (plain === null) return null;
  const instructions = JSON.parse(plain.toString('utf8')) as DepositInstructions;
  const { method } = instructions;
  if (method !== 'ach' && method !== 'wire') return instructions;
  // Instructions from before companies entered their account have no such field.
  return { ...instructions, receivingAccount: instructions.receivingAccount ?? null };
}

/** SQL of the hash over whose instructions they are and what they say, for a table of that name. */
export function instructionsHash(table: string) {
  return rowHash(table, { values: ['id', 'user_id'], bytes: ['instructions_encrypted'] });
}
