import type { Event } from 'kubernetes-types/core/v1.d.ts';
import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { invalidValue } from './causes.ts';

/** An event is in the namespace of its object, or in `default` if the object has none. */
export function eventCauses({ metadata, involvedObject }: Event): readonly StatusCause[] {
  const given = involvedObject.namespace ?? '';
  const namespace = metadata?.namespace ?? '';
  if (given === '' ? namespace === 'default' : given === namespace) return [];
  return [invalidValue('involvedObject.namespace', given, 'does not match event.namespace')];
}
