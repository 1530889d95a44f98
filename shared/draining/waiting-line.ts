import type { WaitingPod } from './settle.ts';

/** One line for the Node's annotation and for people: `shop/web-7f9 (budget web)`. */
export const waitingLine = ({ pod, why }: WaitingPod): string => `${pod.namespace}/${pod.name} (${why})`;
