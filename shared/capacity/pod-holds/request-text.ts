import type { LabelSelector } from 'kubernetes-types/meta/v1.d.ts';
import { requirementsOf } from '../../draining/label-selector.ts';
import type { PodRequest } from './pod-request.ts';

/** What a request asks for: `40 pods with app=web in shop`, `headroom for 40 pods in shop`. */
export function requestText({ namespace, total, selector }: PodRequest): string {
  const pods = `${total} ${total === 1 ? 'pod' : 'pods'}`;
  return selector === undefined
    ? `headroom for ${pods} in ${namespace}`
    : `${pods} with ${selectorText(selector)} in ${namespace}`;
}

/** A selector as `kubectl get pods -l` takes it: `app=web,tier in (front,back)`. */
export const selectorText = (selector: LabelSelector): string =>
  (requirementsOf(selector) ?? [])
    .map(({ key, operator, values }) => {
      if (operator === 'Exists') return key;
      if (operator === 'DoesNotExist') return `!${key}`;
      const list = `(${values.join(',')})`;
      if (operator === 'NotIn') return `${key} notin ${list}`;
      return values.length === 1 ? `${key}=${values[0]}` : `${key} in ${list}`;
    })
    .join(',');
