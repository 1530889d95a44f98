import type { AwsRequestHandler } from '../aws/front/request-handler.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import type { FunctionHost } from './function-host.ts';
import type { Life } from './life.ts';

/** Neither sends a call nor gives its answer before the environment is awake. */
async function whileAlive<Value>(life: Life, call: () => Promise<Value>): Promise<Value> {
  if (!life.isAwake()) await life.awake();
  try {
    return await call();
  } finally {
    if (!life.isAwake()) await life.awake();
  }
}

function mortalHandler(handler: AwsRequestHandler, life: Life): AwsRequestHandler {
  return {
    ...handler,
    handle: (request, options) =>
      whileAlive(life, () => {
        // After signing, as a header on the way: so it need not be among those that the signature covers.
        const traceHeader = life.traceHeader();
        const headers = { ...request.headers, ...(traceHeader && { 'x-amzn-trace-id': traceHeader }) };
        return handler.handle({ ...request, headers }, options);
      }),
  };
}

const mortalClock = (clock: SimulationClock, life: Life): SimulationClock => ({
  now: () => clock.now(),
  after: (milliseconds, task) =>
    clock.after(milliseconds, () => {
      if (life.isAwake()) task();
      else void life.awake().then(task);
    }),
});

/** The host as a function sees it that can be frozen and killed at any of its calls and timers. */
export function mortalHost(host: FunctionHost, life: Life): FunctionHost {
  return {
    ...host,
    clock: mortalClock(host.clock, life),
    awsRequestHandler: mortalHandler(host.awsRequestHandler, life),
    sendHttp: (request) => whileAlive(life, () => host.sendHttp(request)),
    streamHttp: (request) => whileAlive(life, () => host.streamHttp(request)),
    writeLine: (line) => {
      if (!life.hasEnded()) host.writeLine(line);
    },
  };
}
