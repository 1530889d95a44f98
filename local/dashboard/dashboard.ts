import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../shared/base/clock.ts';
import { lazily } from '../../shared/base/lazily.ts';
import { createBroadcast, type Repeat } from '../../ui/server/broadcast.ts';
import { pageFiles } from '../../ui/server/page-files.ts';
import { clusterName } from '../names.ts';
import { act } from './actions.ts';
import { createAnswer } from './answer.ts';
import { repeat as repeatForReal } from './repeat.ts';
import { dashboardState, type Recent, type ShownCloud } from './state/dashboard-state.ts';

export interface DashboardOptions {
  readonly cloud: ShownCloud;
  readonly clock: Clock;
  /** Called with unexpected errors; the page keeps running. */
  readonly onFault: (error: unknown) => void;
  readonly recent: () => Recent;
  readonly repeat?: Repeat;
}

/** Answers the requests that come to the dashboard's port. Rejects with faults of its own, never with a caller's. */
export type Dashboard = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Bundled once for all dashboards of the process. */
const files = lazily(pageFiles);

/** The page of `ui/`, what it shows, and what its buttons do. It ends with the connections to it. */
export function createDashboard(options: DashboardOptions): Dashboard {
  const { cloud, clock, onFault, recent, repeat = repeatForReal } = options;
  const read = () => dashboardState(cloud, { now: clock.now(), ...recent() });
  return createAnswer({
    files: files(),
    read,
    clusterName,
    broadcast: createBroadcast({ read, repeat, onFault }),
    act: (action) => act(cloud, action),
  });
}
