import type { Event } from 'kubernetes-types/core/v1.d.ts';
import { type KubernetesObject, type Stored, timestamp } from '../store/object.ts';

/** An event as Go writes it: missing times and names are present and empty, times of the old form lose their fractions. */
export function withEventDefaults(object: Stored<KubernetesObject>): Stored<KubernetesObject> {
  const event = object as Stored<Event>;
  const fields = {
    eventTime: null,
    source: {},
    reportingComponent: '',
    reportingInstance: '',
    ...event,
    firstTimestamp: inSeconds(event.firstTimestamp),
    lastTimestamp: inSeconds(event.lastTimestamp),
  };
  return fields;
}

function inSeconds(time: string | null | undefined): string | null {
  return time === undefined || time === null ? null : timestamp(Date.parse(time));
}
