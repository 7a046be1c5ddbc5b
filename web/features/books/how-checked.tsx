import { Disclosure } from '#web/ui/disclosure.tsx';

/** The tests behind the three promises, in words for everyone. */
export function HowChecked() {
  return (
    <section className="how-checked">
      <Disclosure title="How it is checked">
        <ol>
          <li>
            <strong>Two sides.</strong> Every few minutes a program adds up the entries that are
            new, and each night all of them. Each posting must sum to nothing, and the entries of
            each account to the balance that its owner sees.
          </li>
          <li>
            <strong>Unchanged.</strong> Each seal is computed from the entries and from the seal
            before it. The program computes them all again, and compares them with copies that are
            kept outside of the database.
          </li>
          <li>
            <strong>At the bank.</strong> A statement of the bank must begin with the balance with
            which the last one ended. Each of its lines is matched with a deposit, a payout or a
            named entry of the company. What has no match is the difference above.
          </li>
        </ol>
        <p>
          What a check finds is shown on this page until it is explained, and every administrator is
          notified of it.
        </p>
      </Disclosure>
    </section>
  );
}
