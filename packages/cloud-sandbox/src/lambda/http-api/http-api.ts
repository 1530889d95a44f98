import type { Wiring } from '../../cloud/wiring.ts';
import type { SimulationClock } from '../../simulation/clock.ts';
import type { Random } from '../../simulation/random.ts';
import type { InvocationOutcome } from '../invocation.ts';
import type { SimulatedLambda } from '../lambda.ts';
import { gatewayAnswer, httpAnswer } from './answer.ts';
import { httpEvent } from './event.ts';
import type { HttpApiRequest, HttpApiResponse, IamCaller } from './http.ts';
import { findRoute, type RouteMatch } from './route.ts';

export interface HttpApiOptions {
  readonly wiring: Pick<Wiring, 'routes' | 'accountId' | 'region'>;
  readonly lambda: Pick<SimulatedLambda, 'invoke'>;
  readonly clock: SimulationClock;
  readonly random: Random;
  /**
   * The IAM authorizer: the signer of the request (for `execute-api`) if it may do `execute-api:Invoke` on this ARN
   * (`arn:aws:execute-api:REGION:ACCOUNT:API/$default/METHOD/PATH`), else undefined.
   */
  readonly authorize: (request: HttpApiRequest, resourceArn: string) => IamCaller | undefined;
  readonly apiId?: string;
}

export interface HttpApi {
  readonly apiId: string;
  /** Whatever happens is a response. */
  handle(request: HttpApiRequest): Promise<HttpApiResponse>;
}

/** The HTTP API in front of the functions: routes, the IAM authorizer and payload format 2.0. */
export function createHttpApi(options: HttpApiOptions): HttpApi {
  const { wiring, lambda, clock, random, apiId = 'sandbox' } = options;

  const resourceArn = ({ method, path }: HttpApiRequest): string =>
    `arn:aws:execute-api:${wiring.region}:${wiring.accountId}:${apiId}/$default/${method}${path}`;

  const answerInTime = (match: RouteMatch, event: object): Promise<InvocationOutcome | undefined> =>
    new Promise((settle, reject) => {
      const timer = clock.after(match.route.timeoutMilliseconds, () => settle(undefined));
      lambda
        .invoke(match.route.functionArn, event)
        .then(settle, reject)
        .finally(() => timer.cancel());
    });

  const invoke = async (request: HttpApiRequest, match: RouteMatch, caller?: IamCaller) => {
    const event = httpEvent({
      request,
      match,
      caller,
      apiId,
      accountId: wiring.accountId,
      requestId: random.uuid(),
      now: clock.now(),
    });
    const outcome = await answerInTime(match, event);
    if (outcome === undefined) return gatewayAnswer(503, 'Service Unavailable');
    return outcome.kind === 'succeeded'
      ? httpAnswer(outcome.result)
      : gatewayAnswer(outcome.kind === 'throttled' ? 503 : 500, messageOf(outcome));
  };

  return {
    apiId,
    handle: async (request) => {
      const match = findRoute(wiring.routes, request.method, request.path);
      if (!match) return gatewayAnswer(404, 'Not Found');
      if (match.route.authorizationType === 'NONE') return invoke(request, match);
      const caller = options.authorize(request, resourceArn(request));
      return caller ? invoke(request, match, caller) : gatewayAnswer(403, 'Forbidden');
    },
  };
}

const messageOf = ({ kind }: InvocationOutcome): string =>
  kind === 'throttled' ? 'Service Unavailable' : 'Internal Server Error';
