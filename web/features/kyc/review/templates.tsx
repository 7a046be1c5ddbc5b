import { Button } from '#web/ui/button.tsx';
import { Menu } from '#web/ui/menu.tsx';

/** Frequent faults, in words for the employee: a beginning to be adapted. */
const APPLICATION_TEMPLATES = [
  'The name on the document is not the name in the application.',
  'The document has expired. Please send one that is valid.',
  'The image is too dark or blurred to be read. Please take it again in daylight.',
  'Part of the document is cut off. Please show all four corners.',
  'The address in the application does not match our records.',
] as const;

const WALLET_TEMPLATES = [
  'The image is too dark or blurred to be read. Please take it again in daylight.',
  'Part of the document is cut off. Please show all four corners.',
  'The document has expired. Please send one that is valid.',
  'The proof of address is older than 3 months. Please send a recent one.',
  'The name on the document is not the name of your account.',
] as const;

const TEMPLATES = { application: APPLICATION_TEMPLATES, documents: WALLET_TEMPLATES };

interface TemplateMenuProps {
  of: keyof typeof TEMPLATES;
  onChoose: (text: string) => void;
}

/** Reasons that are given often, to choose from. */
export function TemplateMenu({ of, onChoose }: TemplateMenuProps) {
  return (
    <Menu
      label="Templates"
      trigger={<Button shape="text">Use a template</Button>}
      actions={TEMPLATES[of].map((text) => ({
        id: text,
        label: text,
        onPress: () => onChoose(text),
      }))}
    />
  );
}

/** The template after what is there already. */
export function withTemplate(text: string, template: string): string {
  const typed = text.trimEnd();
  return typed === '' ? template : `${typed} ${template}`;
}
