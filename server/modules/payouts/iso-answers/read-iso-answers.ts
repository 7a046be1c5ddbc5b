import type { Currency } from '#contract/money.ts';
import { isoMessageOf } from '#server/lib/iso20022.ts';
import { readXml } from '#server/lib/xml.ts';
import type { XmlElement } from '#server/lib/xml.ts';
import { IsoFault } from './answers.ts';
import type { IsoAnswers } from './answers.ts';
import { CAMT054_PATH, DebitCreditNotification } from './read-camt054.ts';
import { PAIN002_PATH, StatusReport } from './read-pain002.ts';

/** Messages that are read, with their versions: all that differ in nothing that is read here. */
const MESSAGES = {
  'pain.002': { from: 3, to: 14, reader: StatusReport },
  'camt.054': { from: 2, to: 12, reader: DebitCreditNotification },
};

/**
 * Reads what a bank answers to payments, by pain.002 or camt.054, strictly. A document type is refused, and no
 * entities but the five of XML are known, so nothing is expanded.
 *
 * @param currency the one that the company pays in
 * @throws {IsoFault} naming line and element
 */
export async function readIsoAnswers(
  text: AsyncIterable<string>,
  currency: Currency,
): Promise<IsoAnswers> {
  const records = readXml(text, {
    isAround: (path) =>
      [PAIN002_PATH, CAMT054_PATH].some(
        (around) => path.join('/') === around.slice(0, path.length).join('/'),
      ),
    refuse: (line, why) => new IsoFault({ line, element: null }, why),
  });
  let message: { root: XmlElement; reader: StatusReport | DebitCreditNotification } | undefined;
  for await (const { parents, element } of records) {
    const root = parents[0] ?? element;
    message ??= { root, reader: readerOf(root, currency) };
    message.reader.add(parents, element);
  }
  if (message === undefined) throw new IsoFault({ line: 1, element: null }, 'it has no content');
  return message.reader.end(message.root);
}

function readerOf(root: XmlElement, currency: Currency): StatusReport | DebitCreditNotification {
  const place = { line: root.line, element: null };
  const found = isoMessageOf(root);
  if (found === null) throw new IsoFault(place, 'this is no message of ISO 20022');
  const { name, version } = found;
  if (name !== 'pain.002' && name !== 'camt.054') {
    throw new IsoFault(place, `this is ${name}, not pain.002 or camt.054`);
  }
  const { from, to, reader: Reader } = MESSAGES[name];
  if (version < from || version > to) {
    const why = `this is version ${version} of ${name}; versions ${from} to ${to} can be read`;
    throw new IsoFault(place, why);
  }
  return new Reader(currency);
}
