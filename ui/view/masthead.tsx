import type { Connection } from '../connection.ts';
import { Moment } from '../parts/section.tsx';
import type { DashboardState } from '../state/types.ts';
import { timeOfDay } from '../state/words.ts';

/** What the top of a page needs of what is shown. */
export interface MastheadState
  extends Pick<DashboardState, 'now' | 'region' | 'accountId' | 'place' | 'allClusters'> {
  readonly isOld: boolean;
}

interface MastheadProps {
  /** Undefined until it is known. */
  readonly name: string | undefined;
  readonly shown: MastheadState | undefined;
  readonly connection: Connection;
  readonly isReading: boolean;
}

/** The top: the place, the time of what is shown, and whether that is now. */
export function Masthead({ name, shown, connection, isReading }: MastheadProps) {
  const isNow = connection === 'live' && shown !== undefined && !shown.isOld;
  return (
    <header class="masthead">
      <img class="logo" src="logo.svg" alt="" width={32} height={32} />
      <h1>Drover {name !== undefined && <span>{name}</span>}</h1>
      {shown && <p class="place">{placeOf(shown)}</p>}
      {shown?.allClusters !== undefined && (
        <a class="all-clusters" href={shown.allClusters}>
          All clusters
        </a>
      )}
      {shown && (
        <p class="clock">
          <Moment at={shown.now} text={timeOfDay(shown.now)} />
          <small> UTC</small>
        </p>
      )}
      <p class="connection" data-connection={isNow ? 'live' : 'lost'} role="status">
        {connectionWords({ shown, connection, isReading })}
      </p>
    </header>
  );
}

/** A real cluster has a name of its own. */
export const nameOf = ({ source, clusterName }: Pick<DashboardState, 'source' | 'clusterName'>): string =>
  source === 'sandbox' ? source : (clusterName ?? '');

/** Beside others, with its stage: two deployments may serve one cluster. */
const placeOf = ({ region, accountId, place }: MastheadState): string =>
  [place && `stage ${place.stage}`, region, accountId].filter((part) => part !== undefined).join(' · ');

function connectionWords({ shown, connection, isReading }: Omit<MastheadProps, 'name'>): string {
  if (connection === 'lost') return 'Connection lost, trying again';
  if (connection === 'refused')
    return 'Refused by the server: open the address that was printed last, or close other pages';
  if (connection === 'resting') return 'Resting while hidden';
  if (shown) return shown.isOld ? 'Old: nothing newer could be read' : 'Live';
  return isReading ? 'Reading for the first time' : 'Connecting';
}
