import { Moment } from '../parts/section.tsx';
import type { DashboardState } from '../state/types.ts';
import { timeOfDay } from '../state/words.ts';

export type Connection = 'live' | 'lost';

/** The top: the place, its time, and whether the page is connected. */
export const Masthead = ({
  state,
  connection,
}: {
  readonly state: Pick<DashboardState, 'now' | 'source' | 'clusterName' | 'region' | 'accountId'> | undefined;
  readonly connection: Connection;
}) => (
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
    <p class="connection" data-connection={state ? connection : 'lost'} role="status">
      {connectionWords(state !== undefined, connection)}
    </p>
  </header>
);

/** A real cluster has a name of its own. */
export const nameOf = ({ source, clusterName }: Pick<DashboardState, 'source' | 'clusterName'>): string =>
  source === 'sandbox' ? source : (clusterName ?? '');

const placeOf = ({ region, accountId }: Pick<DashboardState, 'region' | 'accountId'>): string =>
  [region, accountId].filter((part) => part !== undefined).join(' · ');

function connectionWords(hasState: boolean, connection: Connection): string {
  if (connection === 'lost') return 'Connection lost, trying again';
  return hasState ? 'Live' : 'Connecting';
}
