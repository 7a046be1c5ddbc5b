import sax from 'sax';

/** Deepest nesting of elements. ISO 20022 messages have at most 15 levels. */
const MOST_DEPTH = 100;
/** Most attributes of one element. ISO 20022 elements have at most three. */
const MOST_ATTRIBUTES = 20;
/** Longest text of one element, in characters. The longest of ISO 20022 is 500. */
const MOST_TEXT = 10_000;

/** An element of an XML file. */
export interface XmlElement {
  /** Local name. An element of another namespace than the root has a prefix: `xs:string`, or `:name`. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text directly within it, without spaces at its ends. */
  readonly text: string;
  readonly children: readonly XmlElement[];
  /** Line of its start tag, counted from 1. */
  readonly line: number;
}

/** An element that is complete, with those around it, the root first. These have no children and no text. */
export interface XmlRecord {
  readonly parents: readonly XmlElement[];
  readonly element: XmlElement;
}

interface Rules {
  /** True for elements that contain records and are not kept themselves, by their path: `['Document', 'Stmt']`. */
  readonly isAround: (path: readonly string[]) => boolean;
  /** Name of the element that is the root, where the message may be in an envelope. Left out: the outermost one. */
  readonly root?: string;
  /** Error for a file that is refused, in words without a full stop. */
  readonly refuse: (line: number, why: string) => Error;
}

/**
 * Reads XML as it arrives: each child of the elements in `isAround` is passed on when it ends, and forgotten. Time and
 * memory grow with the file and its largest record alone. The file cannot define entities: one with a document type is
 * refused, so that only the five of XML and numbers of characters are replaced.
 *
 * @param text in slices of some thousand characters
 * @throws what `refuse` returns for a file that is not well-formed XML or passes a limit; and whatever `text` throws
 */
export async function* readXml(
  text: AsyncIterable<string>,
  rules: Rules,
): AsyncGenerator<XmlRecord> {
  const reader = new XmlReader(rules);
  for await (const slice of text) yield* reader.read(slice);
  yield* reader.end();
}

type OpenElement = { -readonly [Key in keyof XmlElement]: XmlElement[Key] } & {
  children: XmlElement[];
};

class XmlReader {
  readonly #rules: Rules;
  readonly #parser: sax.SAXParser;
  readonly #open: OpenElement[] = [];
  /** Declarations of namespaces by each open element of the envelope. */
  readonly #envelope: Record<string, string>[] = [];
  /** Number of open elements that are around records. */
  #around = 0;
  #rootPrefix = '';
  #rootNamespace: string | undefined;
  #records: XmlRecord[] = [];

  constructor(rules: Rules) {
    this.#rules = rules;
    this.#parser = tagReader({
      isStrict: true,
      refuse: (why) => this.#refused(why),
      begin: (name, attributes) => {
        this.#begin(name, attributes);
      },
      addText: (part) => {
        this.#addText(part);
      },
      finish: () => {
        this.#finish();
      },
    });
  }

  *read(slice: string): Generator<XmlRecord> {
    this.#parser.write(slice);
    yield* this.#records;
    this.#records = [];
  }

  *end(): Generator<XmlRecord> {
    this.#parser.close();
    yield* this.#records;
  }

  #begin(written: string, own: Record<string, string>): void {
    if (this.#open.length + this.#envelope.length >= MOST_DEPTH) {
      throw this.#refused('elements are nested too deeply');
    }
    const [prefix, local] = splitName(written);
    const { root = local } = this.#rules;
    if (this.#open.length === 0 && local !== root) {
      const declared = Object.entries(own).filter(([name]) => /^xmlns(?::|$)/.test(name));
      this.#envelope.push(Object.fromEntries(declared));
      return;
    }
    const attributes =
      this.#open.length === 0
        ? (Object.assign({}, ...this.#envelope, own) as Record<string, string>)
        : own;
    const declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    const namespace = Object.hasOwn(attributes, declaration) ? attributes[declaration] : undefined;
    if (this.#open.length === 0) [this.#rootPrefix, this.#rootNamespace] = [prefix, namespace];
    const isOther =
      prefix !== this.#rootPrefix ||
      // Some programs declare the root's own namespace again further in.
      (namespace !== undefined && namespace !== this.#rootNamespace);
    const name = isOther ? `${prefix}:${local}` : local;
    const line = this.#parser.line + 1;
    const isAround =
      this.#around === this.#open.length &&
      this.#rules.isAround([...this.#open.map((each) => each.name), name]);
    if (isAround) this.#around += 1;
    this.#open.push({ name, attributes, text: '', children: [], line });
  }

  #addText(part: string): void {
    const element = this.#open.at(-1);
    if (element === undefined || this.#around === this.#open.length) return;
    element.text += part;
    if (element.text.length > MOST_TEXT)
      throw this.#refused(`the text of ${element.name} is too long`);
  }

  #finish(): void {
    const element = this.#open.pop();
    if (element === undefined) {
      this.#envelope.pop();
      return;
    }
    if (this.#around > this.#open.length) {
      this.#around -= 1;
      return;
    }
    element.text = element.text.trim();
    if (this.#around === this.#open.length) {
      this.#records.push({ parents: [...this.#open], element });
    } else {
      this.#open.at(-1)?.children.push(element);
    }
  }

  #refused(why: string): Error {
    return this.#rules.refuse(this.#parser.line + 1, why);
  }
}

interface TagRules {
  /** False for SGML: end tags and quotes may be missing, and names of elements are in capitals. */
  readonly isStrict: boolean;
  /** Error for what is refused, in words without a full stop. */
  readonly refuse: (why: string) => Error;
  readonly begin: (name: string, attributes: Record<string, string>) => void;
  /** Called for each part of a text: a long one arrives in several. */
  readonly addText: (part: string) => void;
  readonly finish: () => void;
}

/**
 * The five entities of XML. Without a prototype: `sax` would take names of an object's methods, such as `&constructor;`,
 * for entities too.
 */
export const XML_ENTITIES: Readonly<Record<string, string>> = Object.assign(
  Object.create(null) as Record<string, string>,
  { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" },
);

/**
 * Parser of tags that refuses document types and many attributes, and replaces no entity but the five of XML. Bounded in
 * memory if `begin` bounds the depth and `addText` the length.
 */
export function tagReader({ isStrict, refuse, begin, addText, finish }: TagRules): sax.SAXParser {
  let attributeCount = 0;
  return Object.assign(sax.parser(isStrict, { position: true }), {
    ENTITIES: XML_ENTITIES,
    onerror: (error: Error) => {
      throw refuse(error.message.split('\n')[0] ?? 'not well-formed');
    },
    ondoctype: () => {
      throw refuse('it has a document type (DOCTYPE), which no bank file needs');
    },
    onattribute: () => {
      attributeCount += 1;
      if (attributeCount > MOST_ATTRIBUTES) throw refuse('too many attributes');
    },
    onopentag: ({ name, attributes }: sax.Tag | sax.QualifiedTag) => {
      attributeCount = 0;
      begin(name, attributes as Record<string, string>);
    },
    ontext: addText,
    oncdata: addText,
    onclosetag: finish,
  });
}

function splitName(written: string): [prefix: string, local: string] {
  const colon = written.indexOf(':');
  return colon < 0 ? ['', written] : [written.slice(0, colon), written.slice(colon + 1)];
}

/** The element at a path of names below another, the first of each name; undefined if there is none. */
export function xmlAt(element: XmlElement, ...path: readonly string[]): XmlElement | undefined {
  let current: XmlElement | undefined = element;
  for (const name of path) current = current?.children.find((child) => child.name === name);
  return current;
}

/** Text of the element at a path; null if there is none or it is empty. */
export function xmlText(element: XmlElement, ...path: readonly string[]): string | null {
  return xmlAt(element, ...path)?.text || null;
}

/** All children of a name, in order. */
export function xmlAll(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}
