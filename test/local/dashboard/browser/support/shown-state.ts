import { type HttpDoor, openHttpDoor } from '@drover/cloud-sandbox/wire';
import type { Action } from '../../../../../local/dashboard/action-schema.ts';
import { createAnswer } from '../../../../../local/dashboard/answer.ts';
import { createBroadcast } from '../../../../../ui/server/broadcast.ts';
import { pageFiles } from '../../../../../ui/server/page-files.ts';
import type { DashboardState } from '../../../../../ui/state/types.ts';

/** The real page and server on a state that a test gives. */
export interface ShownState {
  readonly door: HttpDoor;
  /** Sends another state to the open pages. */
  readonly show: (state: DashboardState) => void;
  readonly actions: readonly Action[];
}

export async function showState(first: DashboardState): Promise<ShownState> {
  let state = first;
  const actions: Action[] = [];
  const read = () => state;
  const onFault = (fault: unknown): void => {
    throw fault;
  };
  const broadcast = createBroadcast({ read, repeat: () => () => undefined, onFault });
  const answer = createAnswer({
    files: pageFiles(),
    read,
    broadcast,
    clusterName: 'drover',
    act: (action) => {
      actions.push(action);
      return 'It is done.';
    },
  });
  return {
    door: await openHttpDoor({ port: 0, answer, onFault }),
    show: (next) => {
      state = next;
      broadcast.look();
    },
    actions,
  };
}
