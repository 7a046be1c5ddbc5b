import { CopyValue } from '#web/kit/copy-value.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { ScrollBox } from '#web/ui/scroll-box.tsx';
import { curlOf } from './curl.ts';
import type { Operation } from './document.ts';
import { schemaRows, wordsOf, type SchemaRow } from './schema-rows.ts';

interface OperationEntryProps {
  operation: Operation;
  /** Base URL of Purser. */
  server: string;
}

/** One operation: its name, and when opened, everything needed to call it. */
export function OperationEntry({ operation, server }: OperationEntryProps) {
  return (
    <Disclosure level={3} title={operation.summary}>
      <OperationBody operation={operation} server={server} />
    </Disclosure>
  );
}

/** Parameters, body, replies and errors of an operation. */
export function OperationBody({ operation, server }: OperationEntryProps) {
  const { name, method, path, parameters, body, status, reply, refusals } = operation;
  const command = curlOf(operation, server);
  return (
    <div className="api-operation">
      <p>
        <code>{`${method} ${path}`}</code> <span className="meta">{name}</span>
      </p>
      <div className="api-operation__command">
        <ScrollBox label={`Example of ${name}`} className="api-operation__example">
          <pre>{command}</pre>
        </ScrollBox>
        <CopyValue value={command} label={`Copy example of ${name}`} words="Copy" />
      </div>
      <Fields
        title="Parameters"
        rows={parameters.map((one) => ({
          path: `${one.name} (${one.in})`,
          isRequired: one.required === true,
          ...wordsOf(one.schema),
        }))}
      />
      {body !== null && <Fields title="Body" rows={schemaRows(body)} />}
      {reply !== null && <Fields title={`Answer, ${status}`} rows={schemaRows(reply)} />}
      <h4>Refusals</h4>
      <ScrollBox label={`Refusals of ${name}`}>
        <table className="api-fields">
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">Code</th>
              <th scope="col">Sentence</th>
            </tr>
          </thead>
          <tbody>
            {refusals.map(({ status: of, code, sentence }) => (
              <tr key={code}>
                <td className="num">{of}</td>
                <td>
                  <code>{code}</code>
                </td>
                <td>{sentence}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  );
}

function Fields({ title, rows }: { title: string; rows: readonly SchemaRow[] }) {
  if (rows.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ScrollBox label={title}>
        <table className="api-fields">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">What it is</th>
              <th scope="col">Values</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ path, type, isRequired, notes }, index) => (
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <td>
                  <code>{path}</code>
                </td>
                <td>{isRequired ? type : `${type}, may be left out`}</td>
                <td>{notes}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}
