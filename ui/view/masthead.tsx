import type { Connection } from '../connection.ts';
import { Moment } from '../parts/section.tsx';
import type { HeardState } from '../state/heard-state.ts';
import type { DashboardState } from '../state/types.ts';
import { timeOfDay } from '../state/words.ts';

interface MastheadProps {
  readonly heard: HeardState | undefined;
  readonly connection: Connection;
  readonly isReading: boolean;
}

/** The top: the place, the time of what is shown, and whether that is now. */
export function Masthead({ heard, connection, isReading }: MastheadProps) {
  const state = heard?.state;
  const isNow = connection === 'live' && heard !== undefined && heard.oldSince === undefined;
  return (
    <header class="masthead">
      <img class="logo" src="logo.svg" alt="" width={32} height={32} />
      <h1>Drover {state && <span>{nameOf(state)}</span>}</h1>
      {state && <p class="place">{placeOf(state)}</p>}
      {state && (
        <p class="clock">
          <Moment at={state.now} text={timeOfDay(state.now)} />
          <small> UTC</small>
        </p>
      )}
      <p class="connection" data-connection={isNow ? 'live' : 'lost'} role="status">
        {connectionWords({ heard, connection, isReading })}
      </p>
    </header>
  );
}

/** A real cluster has a name of its own. */
export const nameOf = ({ source, clusterName }: Pick<DashboardState, 'source' | 'clusterName'>): string =>
  source === 'sandbox' ? source : (clusterName ?? '');

const placeOf = ({ region, accountId }: Pick<DashboardState, 'region' | 'accountId'>): string =>
  [region, accountId].filter((part) => part !== undefined).join(' · ');

function connectionWords({ heard, connection, isReading }: MastheadProps): string {
  if (connection === 'lost') return 'Connection lost, trying again';
  if (connection === 'refused')
    return 'Refused by the server: open the address that was printed last, or close other pages';
  if (connection === 'resting') return 'Resting while hidden';
  if (heard) return heard.oldSince === undefined ? 'Live' : 'Old: nothing newer could be read';
  return isReading ? 'Reading for the first time' : 'Connecting';
}
