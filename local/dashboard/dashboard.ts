import { join } from 'node:path';
import type { Clock } from '../../shared/lifecycle/clock.ts';
import { openHttpDoor } from '../wire/http-door.ts';
import { act } from './actions.ts';
import { createAnswer } from './answer.ts';
import { createBroadcast } from './broadcast.ts';
import { readStaticFiles } from './http/static-files.ts';
import type { PassLog } from './pass-log.ts';
import { type Repeat, repeat as repeatForReal } from './repeat.ts';
import { dashboardState, type ShownCloud } from './state/dashboard-state.ts';

export interface DashboardOptions {
  readonly cloud: ShownCloud;
  readonly clock: Clock;
  /** 0: any that is free. */
  readonly port: number;
  /** Told of what should not happen; the page stays up. */
  readonly onFault: (error: unknown) => void;
  /** Absent: no passes are shown. */
  readonly passes?: PassLog;
  readonly repeat?: Repeat;
}

export interface Dashboard {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  close(): Promise<void>;
}

const page = join(import.meta.dirname, '../../ui');

/** Serves the page of `ui/` and what it shows, on the loopback address. Rejects as Node does where the port is taken. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { cloud, clock, port, onFault, passes, repeat = repeatForReal } = options;
  const read = () => dashboardState(cloud, { now: clock.now(), passes: passes?.latest() ?? [] });
  const broadcast = createBroadcast({ read, repeat, onFault });
  const answer = createAnswer({
    files: readStaticFiles(page),
    read,
    broadcast,
    act: (action) => act(cloud, action),
  });
  const door = await openHttpDoor({ port, answer, onFault });
  return {
    url: door.url,
    close: async () => {
      broadcast.stop();
      await door.close();
    },
  };
}
