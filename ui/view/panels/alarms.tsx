import { memo } from '../../parts/memo.ts';
import type { AlarmView } from '../../state/types.ts';
import { timeOfDay } from '../../state/words.ts';

export const Alarms = memo(({ alarms }: { readonly alarms: readonly AlarmView[] }) => (
  <ul class="alarms" aria-label="Alarms">
    {alarms.map(({ name, description, since }) => (
      <li key={name}>
        <strong>{name}</strong>
        <span class="quiet"> since {timeOfDay(since)}</span>
        {description !== '' && <p>{description}</p>}
      </li>
    ))}
  </ul>
));
