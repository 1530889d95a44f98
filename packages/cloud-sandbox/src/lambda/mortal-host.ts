import type { AwsRequestHandler } from '../aws/front/request-handler.ts';
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

/** The host as a function sees it that can be killed at any of its calls. */
export function mortalHost(host: FunctionHost, life: Life): FunctionHost {
  return {
    ...host,
    awsRequestHandler: mortalHandler(host.awsRequestHandler, life),
    sendHttp: (request) => whileAlive(life, () => host.sendHttp(request)),
    writeLine: (line) => {
      if (!life.ended) host.writeLine(line);
    },
  };
}
