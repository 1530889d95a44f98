import type { AwsRequestHandler } from '../aws/front/request-handler.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import type { FunctionHost } from './function-host.ts';

/** The life of one execution environment in process. */
export interface Life {
  ended: boolean;
  traceHeader: string | undefined;
}

/** Nothing that a dead function awaits is ever answered: so its code stops where it stood, as if its machine had gone. */
const never = <Value>(): Promise<Value> => new Promise<Value>(() => {});

async function whileAlive<Value>(life: Life, call: () => Promise<Value>): Promise<Value> {
  if (life.ended) return never();
  try {
    const answer = await call();
    return life.ended ? await never() : answer;
  } catch (error) {
    if (life.ended) return never();
    throw error;
  }
}

function mortalHandler(handler: AwsRequestHandler, life: Life): AwsRequestHandler {
  return {
    ...handler,
    handle: (request, options) => {
      // After signing, as a header on the way: so it need not be among those that the signature covers.
      const headers = {
        ...request.headers,
        ...(life.traceHeader && { 'x-amzn-trace-id': life.traceHeader }),
      };
      return whileAlive(life, () => handler.handle({ ...request, headers }, options));
    },
  };
}

const mortalClock = (clock: SimulationClock, life: Life): SimulationClock => ({
  now: () => clock.now(),
  after: (milliseconds, task) =>
    clock.after(milliseconds, () => {
      if (!life.ended) task();
    }),
});

/** The host as a function sees it that can be killed at any of its calls. */
export function mortalHost(host: FunctionHost, life: Life): FunctionHost {
  return {
    ...host,
    clock: mortalClock(host.clock, life),
    awsRequestHandler: mortalHandler(host.awsRequestHandler, life),
    sendHttp: (request) => whileAlive(life, () => host.sendHttp(request)),
    writeLine: (line) => {
      if (!life.ended) host.writeLine(line);
    },
  };
}
