import { Eye, EyeOff } from 'lucide-react';
import { usePrivacySwitch } from '#web/lib/privacy.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';

/**
 * Hides or shows all amounts on the employee's screens. Its label names the effect of pressing it.
 */
export function PrivacySwitch() {
  const [isHidden, hide] = usePrivacySwitch();
  const label = isHidden ? 'Show amounts' : 'Hide amounts';
  return (
    <Tooltip content={label}>
      <Button kind="quiet" shape="icon" aria-label={label} onPress={() => hide(!isHidden)}>
        <Icon of={isHidden ? EyeOff : Eye} />
      </Button>
    </Tooltip>
  );
}
