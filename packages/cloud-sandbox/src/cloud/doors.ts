import type { AwsFront } from '../aws/front/front.ts';
import { requestHandlerOf } from '../aws/front/in-process.ts';
import type { AwsRequestHandler } from '../aws/front/request-handler.ts';
import type { HttpResponse, SendHttp } from '../net/http.ts';
import { carry, type Road } from './carry.ts';
import type { CallInFlight, Strike } from './strike.ts';

export interface DoorOptions extends Omit<Road, 'onKilled'> {
  readonly front: AwsFront;
  readonly sendToKubernetes: SendHttp;
  /** Whatever goes to etcd's client port. */
  readonly sendToEtcd: SendHttp;
}

/** The servers in process as one caller reaches them: without sockets, with simulated latency and with faults. */
export interface Doors {
  readonly awsRequestHandler: AwsRequestHandler;
  readonly sendHttp: SendHttp;
}

/** `onKilled` is called when a fault stops the caller for good. */
export type CreateDoors = (caller: string, onKilled?: () => void) => Doors;

export function createDoors(options: DoorOptions): CreateDoors {
  return (caller, onKilled) => {
    const door = { ...options, caller, onKilled };
    return { awsRequestHandler: awsDoor(door), sendHttp: httpDoor(door) };
  };
}

interface DoorParts extends DoorOptions, Road {
  readonly caller: string;
}

const awsDoor = ({ front, caller, ...road }: DoorParts): AwsRequestHandler =>
  requestHandlerOf((request, limits) => {
    const description = front.describe(request);
    if (description === undefined) return front.handle(request);
    const { service, operation } = description;
    const call: CallInFlight = { to: 'aws', caller, what: `${service} ${operation}` };
    const execute = () => front.handle(request, staleness(road, call));
    const answerOf = (strike: Strike) =>
      strike.kind === 'aws-error' ? front.refuse(request, strike.error) : undefined;
    return carry(road, { call, execute, answerOf, ...limits });
  });

const etcdClientPort = '2379';

const httpDoor =
  ({ sendToKubernetes, sendToEtcd, caller, ...road }: DoorParts): SendHttp =>
  (request) => {
    const { port, pathname, search } = new URL(request.url);
    const isEtcd = port === etcdClientPort;
    const call: CallInFlight = {
      to: isEtcd ? 'etcd' : 'kubernetes',
      caller,
      what: `${request.method} ${pathname}${search}`,
    };
    const execute = () =>
      isEtcd ? sendToEtcd(request) : sendToKubernetes({ ...request, ...staleness(road, call) });
    const { timeoutMilliseconds } = request;
    return carry(road, { call, execute, answerOf: httpAnswer, timeoutMilliseconds });
  };

const staleness = ({ weather }: Road, call: CallInFlight): { readonly staleSeconds?: number } =>
  weather.staleSeconds ? { staleSeconds: weather.staleSeconds(call) } : {};

const httpAnswer = (strike: Strike): HttpResponse | undefined =>
  strike.kind === 'http-answer'
    ? { status: strike.status, headers: strike.headers ?? {}, body: strike.body }
    : undefined;
