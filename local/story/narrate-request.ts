import { shortNodeName, type Told } from './line.ts';
import type { RequestView } from './request-view.ts';

/** Requests disappear an hour after their decision, which is not worth a line. */
export function tellRequest(was: RequestView | undefined, is: RequestView | undefined): readonly Told[] {
  if (!is) return [];
  const { requester, kind, nodeName, decision } = is;
  const what = `a ${kind} certificate for ${shortNodeName(nodeName)}`;
  const asked: Told = ['request', `${requester} asks for ${what}`];
  const decided: Told = [
    'request',
    `${what} is ${decision?.type.toLowerCase()} (${requester}): ${decision?.message}`,
  ];
  return [...(was ? [] : [asked]), ...(decision && !was?.decision ? [decided] : [])];
}
