const MAX_LENGTH = 160;
const HIDDEN = '…';

/** Values that a message may quote, widest pattern first. */
const VALUES = [
  /https?:\/\/\S+/gi,
  /[^\s<>"']+@[^\s<>"',;]+/g,
  /"[^"]*"/g,
  /'[^']*'/g,
  /\([^()]*\)=\([^()]*\)/g,
  // Tokens, hashes, ids: long and not only letters.
  /(?=[\w+/=.-]*\d)[\w+/=.-]{16,}/g,
  // Numbers of accounts and people.
  /\d{6,}/g,
];

/**
 * Short first line of an error, for people who may not see its data: addresses, quoted values,
 * tokens and long numbers are replaced by an ellipsis.
 */
export function shortError(message: string): string {
  const [line = ''] = message.trim().split('\n');
  const hidden = VALUES.reduce((text, value) => text.replaceAll(value, HIDDEN), line);
  return hidden.length > MAX_LENGTH
    ? `${hidden.slice(0, MAX_LENGTH).toWellFormed()}${HIDDEN}`
    : hidden;
}
