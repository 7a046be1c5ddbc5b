import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import { InvariantError } from '#server/lib/errors.ts';
import type { Reader } from './tx.ts';

/** Placeholder for a value while a statement is built. */
class Placeholder {
  readonly name: PropertyKey;

  constructor(name: PropertyKey) {
    this.name = name;
  }
}

/**
 * A statement that the query builder makes once, for queries of every request, because making one
 * takes longer than sending it. Each run has its own values. `build` must use each of them as a
 * value of the statement and for nothing else, because it is called once, with placeholders.
 *
 * @throws {InvariantError} at the first run, if a value was used for something else or not at all
 */
export function fixedStatement<Values extends object, Row>(
  build: (reader: Reader, values: Values) => Compilable<Row>,
): (reader: Reader, values: Values) => Promise<QueryResult<Row>> {
  let made: CompiledQuery<Row> | undefined;
  return (reader, values) => {
    made ??= checked(Object.keys(values), (placeholders) =>
      build(reader, placeholders as Values).compile(),
    );
    const parameters = made.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
    );
    return reader.executeQuery({ ...made, parameters });
  };
}

function checked<Row>(
  given: readonly string[],
  make: (placeholders: object) => CompiledQuery<Row>,
): CompiledQuery<Row> {
  const read: Placeholder[] = [];
  const made = make(
    new Proxy({}, { get: (_, name) => read[read.push(new Placeholder(name)) - 1] }),
  );
  const unused = read.find((placeholder) => !made.parameters.includes(placeholder));
  if (unused !== undefined) {
    throw new InvariantError(`${String(unused.name)} is no value of the statement: ${made.sql}`);
  }
  const left = given.find((name) => !read.some((placeholder) => placeholder.name === name));
  if (left !== undefined) throw new InvariantError(`${left} is not in the statement: ${made.sql}`);
  return made;
}
