import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import {
  Button,
  ComboBox as AriaComboBox,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components';
import { describedBy, FieldNotes, OptionalMark, RequiredMark, type FieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

export interface ComboBoxItem {
  /** Unique in the list. `value` holds it. */
  id: string;
  label: string;
  /** Text on the right of the option, not searched: "Engineering". */
  detail?: string | undefined;
}

interface ComboBoxProps extends FieldProps {
  /** Id of the chosen item, or '' if none. */
  value: string;
  onChange: (id: string) => void;
  items: readonly ComboBoxItem[];
  placeholder?: string | undefined;
  /** Text if nothing matches. */
  emptyMessage?: string | undefined;
}

/** Choice from a long list, found by typing a part of its label. */
export function ComboBox({
  value,
  onChange,
  items,
  placeholder,
  emptyMessage = 'No matches',
  ...field
}: ComboBoxProps) {
  const id = useId();
  const { label, name, error, hint, isRequired, optional, isDisabled, onBlur } = field;
  return (
    <AriaComboBox
      className="field"
      id={id}
      menuTrigger="focus"
      allowsEmptyCollection
      selectedKey={value === '' ? null : value}
      onSelectionChange={(key) => onChange(key === null ? '' : String(key))}
      defaultItems={items}
      isRequired={isRequired === true}
      isInvalid={error !== undefined}
      isDisabled={isDisabled === true}
      validationBehavior="aria"
    >
      <span className="field__top">
        <Label className="field__label">
          {label}
          {isRequired === true && <RequiredMark />}
        </Label>
        {optional === true && <OptionalMark />}
      </span>
      <div className="affix">
        <Input
          className="input"
          name={name}
          {...(placeholder === undefined ? {} : { placeholder })}
          {...(onBlur === undefined ? {} : { onBlur })}
          aria-describedby={describedBy(id, field)}
        />
        <span className="affix__post affix__post--icon">
          <Button className="btn btn--quiet btn--icon btn--sm">
            <Icon of={ChevronDown} size={16} />
          </Button>
        </span>
      </div>
      <FieldNotes id={id} hint={hint} error={error} />
      <Popover className="popover" offset={4}>
        <ListBox<ComboBoxItem>
          className="menu"
          renderEmptyState={() => <p className="menu__empty">{emptyMessage}</p>}
        >
          {(item) => (
            <ListBoxItem className="menu__item" id={item.id} textValue={item.label}>
              {item.label}
              {item.detail !== undefined && <span className="menu__detail">{item.detail}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
