import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import type { ResourceDefinition } from '../resources/definition.ts';
import type { KubernetesObject } from '../store/object.ts';
import { invalid } from './errors.ts';

const needed = ['reportingController', 'reportingInstance', 'action', 'reason'];
const longestNote = 1024;

/** What an event of events.k8s.io/v1 must say. Source: pkg/apis/core/validation/events.go. Throws 422 with every cause. */
export function checkNewEvent({ kind }: ResourceDefinition, event: KubernetesObject): void {
  const causes = textAt(event, 'eventTime') === '' ? [required('eventTime')] : faults(event);
  const name = event.metadata?.name ?? '';
  if (causes.length > 0) throw invalid({ group: '', kind, name, causes });
}

function faults(event: KubernetesObject): readonly StatusCause[] {
  const missing = needed.filter((field) => textAt(event, field) === '').map(required);
  return textAt(event, 'note').length > longestNote ? [...missing, tooLong] : missing;
}

const required = (field: string): StatusCause => ({
  reason: 'FieldValueRequired',
  message: 'Required value',
  field,
});

const tooLong: StatusCause = {
  reason: 'FieldValueInvalid',
  message: `Invalid value: "": can have at most ${longestNote} characters`,
  field: 'message',
};

function textAt(event: object, field: string): string {
  const value: unknown = Reflect.get(event, field);
  return typeof value === 'string' ? value : '';
}
