import { Printer } from 'lucide-react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Prints the dialog around it. The dialog must contain an element with the class `receipt`. */
export function PrintReceipt() {
  return (
    <Button onPress={() => window.print()}>
      <Icon of={Printer} size={16} />
      Print receipt
    </Button>
  );
}
