import { request } from 'node:http';
import type { DroverWorld } from '../../../local/world/drover-world.ts';
import type { DashboardState } from '../../../ui/state/types.ts';
import { type OperatorOptions, operatorOf } from '../operator.ts';
import type { Run } from '../support.ts';
import { apiOperatorOf } from '../through-scale-api.ts';

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Asked {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** `drover ui` while it runs. */
export interface RunningUi {
  /** What it printed. */
  readonly printed: string;
  readonly url: string;
  readonly state: () => Promise<DashboardState>;
  /** Ctrl-C. */
  readonly interrupt: () => Promise<Run>;
}

/** Starts the command for an operator of the world. Rejects if it ends by itself. */
export async function runUi(
  world: DroverWorld,
  line = 'ui',
  options: OperatorOptions = {},
): Promise<RunningUi> {
  let pressed: (() => void) | undefined;
  const { promise: printing, resolve: onOutput } = Promise.withResolvers<string>();
  const whole = {
    ...options,
    onOutput,
    onInterrupt: (listener: () => void) => {
      pressed = listener;
      return () => undefined;
    },
  };
  const drover = line.includes('--api') ? apiOperatorOf(world, whole).drover : operatorOf(world, whole);
  const running = drover(line);
  const interrupt = (): Promise<Run> => {
    pressed?.();
    return running;
  };
  const ended = running.then((run) => {
    throw new Error(`it ended with ${run.code}: ${run.err}`);
  });
  // The race below reports it while the command starts; afterwards the caller has `interrupt`.
  ended.catch(() => undefined);
  const printed = await Promise.race([printing, ended]);
  const url = printed.startsWith('{') ? (JSON.parse(printed) as { url: string }).url : printed.trim();
  return {
    printed,
    url,
    state: async () => JSON.parse((await ask(`${url}api/state`)).body) as DashboardState,
    interrupt,
  };
}

/** Not fetch, which sets Host and Origin itself. */
export const ask = (url: string, { method = 'GET', headers = {} }: AskOptions = {}): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const call = request(url, { method, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    call.on('error', reject);
    call.end();
  });
