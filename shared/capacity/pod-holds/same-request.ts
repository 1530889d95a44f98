import { isDeepStrictEqual } from 'node:util';
import { type PodRequest, podRequestJson } from './pod-request.ts';

/** Whether two requests ask for the same pods, however they were made. */
export const isSameRequest = (one: PodRequest | undefined, other: PodRequest | undefined): boolean =>
  isDeepStrictEqual(jsonOf(one), jsonOf(other));

/** Without fields that are undefined, as after a parameter was read. */
const jsonOf = (request: PodRequest | undefined): unknown =>
  request && JSON.parse(JSON.stringify(podRequestJson(request)));
