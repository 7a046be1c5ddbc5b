/**
 * The one rule for an e-mail address: sign-up, sign-in, change, invite, import, colleagues and the company's
 * own address. Two addresses are the same if they are equal once they are cleaned.
 */
import { EMAIL_MAX_LENGTH } from './limits.ts';
import type { TextRule } from './rules.ts';
import { lineBreakerIn, removeWords, withoutEnds } from './rules.ts';

/** Pattern of the addresses that sign-in takes (zod's). A row or form with another one is refused. */
const EMAIL_PATTERN =
  /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

const EMAIL_PROBLEM = 'Enter a valid email address';

export const emailRule: TextRule = {
  clean: cleanEmail,
  maxLength: EMAIL_MAX_LENGTH,
  problem: (text) => {
    if (text.length <= EMAIL_MAX_LENGTH && EMAIL_PATTERN.test(text)) return undefined;
    return internationalProblem(text) ?? EMAIL_PROBLEM;
  },
};

/** A domain as it stands behind the @ of an address. */
export const domainRule: TextRule = {
  clean: (typed) =>
    asciiDomain(withoutEnds(typed).normalize('NFKC').toLowerCase().replace(/^@/, '')),
  maxLength: EMAIL_MAX_LENGTH,
  problem: (text) =>
    text.length <= EMAIL_MAX_LENGTH && /^[a-z\d-]+(?:\.[a-z\d-]+)+$/.test(text)
      ? undefined
      : 'Enter a domain such as example.com',
};

/** Small letters, and the domain in its ASCII form: "Maya@Bücher.test" is "maya@xn--bcher-kva.test". */
function cleanEmail(typed: string): string {
  const text = withoutEnds(typed).normalize('NFKC').toLowerCase();
  const at = text.lastIndexOf('@');
  return at === -1 ? text : text.slice(0, at + 1) + asciiDomain(text.slice(at + 1));
}

/**
 * The ASCII form of an international domain (UTS #46, as every browser and Node have it). A domain that
 * has none stays as it was typed, and its rule refuses it.
 */
function asciiDomain(domain: string): string {
  // Letters of other scripts alone: an address of a page, a port or a space make no domain.
  if (
    !/[^\p{ASCII}]/u.test(domain) ||
    !/^(?:[\p{L}\p{M}\p{N}.\u3002-]|\u200c|\u200d)+$/u.test(domain)
  ) {
    return domain;
  }
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain;
  }
}

/** Why an address with an invisible character or letters of other scripts is refused; undefined where that is not the reason. */
function internationalProblem(text: string): string | undefined {
  const breaker = lineBreakerIn(text);
  if (breaker !== undefined) return `${EMAIL_PROBLEM}. ${removeWords(breaker)}`;
  const [local = '', domain = ''] = text.split('@');
  const letter = /[^\p{ASCII}]/u.exec(local)?.[0];
  if (letter !== undefined && /\p{L}/u.test(letter)) {
    return `Mail cannot be sent to an address with \u201c${letter}\u201d before the @. Use another address.`;
  }
  if (/\.xn--[^.]*$/.test(domain)) {
    return 'Addresses whose last part is not in Latin letters, such as .com, are not supported. Use another address.';
  }
  return undefined;
}
