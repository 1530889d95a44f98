import type { DroverWorld } from '../../local/world/drover-world.ts';
import { httpEvent } from '../../local/world/http-event.ts';
import type { SendHttp } from '../../shared/net/http.ts';
import { type OperatorOptions, operatorOf } from './operator.ts';

export const scaleApiUrl = 'https://sandbox.execute-api.eu-west-1.amazonaws.com';

/** HTTP that ends in the deployed scale API of a world, which sees the caller as the operator that its table lists. */
export const sendToScaleApi =
  ({ lambda }: DroverWorld): SendHttp =>
  async ({ method, url, headers, body }) => {
    if (!headers.authorization?.startsWith('AWS4-HMAC-SHA256')) throw new Error('the request is not signed');
    const event = httpEvent(method, url.slice(scaleApiUrl.length), {
      callerArn: 'arn:aws:iam::123456789012:user/pipeline',
      ...(body !== undefined && { body }),
    });
    const outcome = await lambda.invoke('scale-api', event);
    if (outcome.kind !== 'succeeded') return { status: 502, headers: {}, body: '{"message":"Bad Gateway"}' };
    const result = outcome.result as { readonly statusCode: number; readonly body: string };
    return { status: result.statusCode, headers: {}, body: result.body };
  };

/** An operator whose AWS credentials may do nothing but call the API. `machine.sendHttp` may be replaced by what tests need. */
export function apiOperatorOf(
  world: DroverWorld,
  options: Pick<OperatorOptions, 'onInterrupt' | 'onOutput' | 'sendHttp' | 'files'> = {},
) {
  const machine = { sendHttp: options.sendHttp ?? sendToScaleApi(world) };
  const drover = operatorOf(world, {
    ...options,
    actions: ['execute-api:Invoke'],
    hasKubeconfig: false,
    environment: { DROVER_API_URL: scaleApiUrl, DROVER_CLUSTER: undefined },
    sendHttp: (request) => machine.sendHttp(request),
  });
  return { drover, machine };
}

/** Words with the caller of the API called as the operator, so that those of both ways compare. */
export const neutral = (text: string): string =>
  text.replaceAll('user/pipeline', 'user/ana').replaceAll(/ {2,}/g, '  ');
