import { Printer } from 'lucide-react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

/** Prints the dialog around it, which has the class `receipt` inside. */
export function PrintReceipt() {
  return (
    <Button onPress={() => window.print()}>
      <Icon of={Printer} size={16} />
      Print receipt
    </Button>
  );
}
