import type * as z from 'zod/mini';
import {
  type PodRequest,
  podRequestJson,
  type strictPodRequestSchema,
} from '../../shared/capacity/pod-holds/pod-request.ts';
import type { heldPods } from '../../shared/scale-api/schemas/answers/pods.ts';

/** A request for pods in the body of a request to the scale API. */
export const podRequestBody = (pods: PodRequest): z.infer<ReturnType<typeof strictPodRequestSchema>> =>
  podRequestJson(pods) as z.infer<ReturnType<typeof strictPodRequestSchema>>;

/** A request for pods as the scale API answers with it. Its template is shown and never planned here. */
export function podsOf(answered: z.infer<typeof heldPods>): PodRequest {
  const { headroom: _headroom, ...pods } = answered;
  return pods as unknown as PodRequest;
}
