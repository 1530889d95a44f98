import type { WaitView } from '../../state/types.ts';
import { duration } from '../../state/words.ts';

/** The small bars: what is left until Auto Scaling goes on by itself. A heartbeat fills one up again. */
export const Heartbeats = ({ waits, now }: { readonly waits: readonly WaitView[]; readonly now: number }) => (
  <>
    {waits.map(({ lifecycleHookName, heartbeatTimeoutSeconds, expiresAt }) => {
      const left = Math.max(0, expiresAt - now);
      return (
        <p key={lifecycleHookName} class="heartbeat">
          <progress
            max={heartbeatTimeoutSeconds}
            value={Math.round(left / 1000)}
            aria-label={`Heartbeat of ${lifecycleHookName}`}
          />
          <span class="quiet">
            {lifecycleHookName}: {duration(left)} until a heartbeat is due
          </span>
        </p>
      );
    })}
  </>
);
