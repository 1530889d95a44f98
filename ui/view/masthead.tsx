import { Moment } from '../parts/section.tsx';
import type { DashboardState } from '../state/types.ts';
import { timeOfDay } from '../state/words.ts';

export type Connection = 'live' | 'lost';

/** The top: the place, its time, and whether the page is connected. */
export const Masthead = ({
  state,
  connection,
}: {
  readonly state: Pick<DashboardState, 'now' | 'region' | 'accountId'> | undefined;
  readonly connection: Connection;
}) => (
  <header class="masthead">
    <img class="logo" src="logo.svg" alt="" width={32} height={32} />
    <h1>
      Drover <span>sandbox</span>
    </h1>
    {state && <p class="place">{`${state.region} · ${state.accountId}`}</p>}
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

function connectionWords(hasState: boolean, connection: Connection): string {
  if (connection === 'lost') return 'Connection lost, trying again';
  return hasState ? 'Live' : 'Connecting';
}
