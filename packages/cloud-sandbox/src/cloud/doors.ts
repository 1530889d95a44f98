import type { AwsFront } from '../aws/front/front.ts';
import { createInProcessHandler, type Fault } from '../aws/front/in-process.ts';
import type { AwsRequestHandler } from '../aws/front/request-handler.ts';
import type { HttpResponse, SendHttp } from '../net/http.ts';
import type { SimulationClock } from '../simulation/clock.ts';
import type { Strike, Weather } from './strike.ts';

export interface DoorOptions {
  readonly front: AwsFront;
  readonly sendToKubernetes: SendHttp;
  /** Whatever goes to etcd's client port. */
  readonly sendToEtcd: SendHttp;
  readonly clock: SimulationClock;
  readonly weather: Weather;
}

/** The in-process doors as one caller sees them: no sockets, simulated latency, and whatever the weather brings. */
export interface Doors {
  readonly awsRequestHandler: AwsRequestHandler;
  readonly sendHttp: SendHttp;
}

export function createDoors(options: DoorOptions): (caller: string) => Doors {
  return (caller) => ({
    awsRequestHandler: awsDoor(options, caller),
    sendHttp: httpDoor(options, caller),
  });
}

const never = <Value>(): Promise<Value> => new Promise<Value>(() => undefined);

const brokenConnection = (): Error => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });

async function travel({ clock, weather }: DoorOptions): Promise<void> {
  const milliseconds = weather.latencyMilliseconds?.() ?? 0;
  if (milliseconds <= 0) return;
  await new Promise<void>((arrive) => {
    clock.after(milliseconds, arrive);
  });
}

function awsDoor(options: DoorOptions, caller: string): AwsRequestHandler {
  const { front, weather } = options;
  let strike: Strike | undefined;
  const handler = createInProcessHandler({
    front,
    onCall: ({ service, operation }) => {
      const call = { to: 'aws', caller, what: `${service} ${operation}` } as const;
      weather.onCall?.(call);
      strike = weather.strike?.(call);
      return toFault(strike);
    },
  });
  return {
    ...handler,
    handle: async (request, handlerOptions) => {
      await travel(options);
      strike = undefined;
      const answer = handler.handle(request, handlerOptions);
      const struck = strike as Strike | undefined;
      const response = await answer;
      return struck?.kind === 'hang-after' ? await never() : response;
    },
  };
}

function toFault(strike: Strike | undefined): Fault {
  switch (strike?.kind) {
    case 'fail-before':
    case 'fail-after':
      return strike.kind;
    case 'hang-before':
      return 'never-answer';
    case 'aws-error':
      return strike.error;
    default:
      return undefined;
  }
}

const etcdClientPort = '2379';

function httpDoor(options: DoorOptions, caller: string): SendHttp {
  const { sendToKubernetes, sendToEtcd, weather } = options;
  return async (request) => {
    await travel(options);
    const url = new URL(request.url);
    const isEtcd = url.port === etcdClientPort;
    const call = {
      to: isEtcd ? 'etcd' : 'kubernetes',
      caller,
      what: `${request.method} ${url.pathname}${url.search}`,
    } as const;
    weather.onCall?.(call);
    const strike = weather.strike?.(call);
    if (strike?.kind === 'fail-before') throw brokenConnection();
    if (strike?.kind === 'hang-before') return await never<HttpResponse>();
    if (strike?.kind === 'http-answer') return { headers: {}, ...strike };
    const response = await (isEtcd ? sendToEtcd(request) : sendToKubernetes(request));
    if (strike?.kind === 'fail-after') throw brokenConnection();
    return strike?.kind === 'hang-after' ? await never<HttpResponse>() : response;
  };
}
