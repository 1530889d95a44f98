import type { HttpResult } from '../../shared/scale-api/http-call.ts';
import type { DroverWorld } from './drover-world.ts';
import { httpEvent } from './http-event.ts';

const callerArn = 'arn:aws:iam::123456789012:user/pipeline';

/** A request to the function as API Gateway passes it on, from a caller with the role operator. */
export async function callScaleApi(
  world: DroverWorld,
  method: string,
  target: string,
  body?: object,
): Promise<HttpResult> {
  const event = httpEvent(method, target, { callerArn, ...(body && { body: JSON.stringify(body) }) });
  const outcome = await world.lambda.invoke('scale-api', event);
  if (outcome.kind !== 'succeeded') throw new Error(`scale-api ended with ${outcome.kind}`);
  return outcome.result as HttpResult;
}
