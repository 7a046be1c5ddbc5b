import type { ReactElement } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { classNames } from './class-names.ts';

export interface MenuAction {
  id: string;
  label: string;
  /** Action on press. With `href` it navigates there instead. */
  onPress?: (() => void) | undefined;
  href?: string | undefined;
  isDisabled?: boolean | undefined;
  isDangerous?: boolean | undefined;
}

interface MenuProps {
  /** A {@link Button} that opens the menu. */
  trigger: ReactElement;
  /** Accessible name of the menu. */
  label: string;
  actions: readonly MenuAction[];
}

/** Further actions behind one button. */
export function Menu({ trigger, label, actions }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="popover" placement="bottom end" offset={4}>
        <AriaMenu className="menu" aria-label={label}>
          {actions.map(({ id, label: words, onPress, href, isDisabled, isDangerous }) => (
            <MenuItem
              key={id}
              id={id}
              className={classNames('menu__item', isDangerous === true && 'menu__item--danger')}
              isDisabled={isDisabled === true}
              {...(onPress === undefined ? {} : { onAction: onPress })}
              {...(href === undefined ? {} : { href })}
            >
              {words}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
