import { Eye, EyeOff } from 'lucide-react';
import { usePrivacySwitch } from '#web/lib/privacy.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Tooltip } from '#web/ui/tooltip.tsx';

/**
 * Hides or shows all amounts on the employee's screens. Its label names the effect of pressing it.
 */
export function PrivacySwitch() {
  const [isHidden, hide] = usePrivacySwitch();
  const label = isHidden ? 'Show amounts' : 'Hide amounts';
  return (
    <Tooltip content={label}>
      <IconButton icon={isHidden ? EyeOff : Eye} label={label} onPress={() => hide(!isHidden)} />
    </Tooltip>
  );
}
