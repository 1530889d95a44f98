import { type ResourceDefinition, resourceKey } from '../resources/definition.ts';
import type { KubernetesObject } from '../store/object.ts';
import { badRequest } from './errors.ts';

interface Format {
  /** Undefined where the text can be read; else Go's words. */
  readonly problem: (text: string) => string | undefined;
  readonly fields: readonly string[];
}

const seconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const microseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}(Z|[+-]\d\d:\d\d)$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const time =
  (pattern: RegExp, layout: string) =>
  (text: string): string | undefined =>
    pattern.test(text)
      ? undefined
      : `parsing time "${text}" as "${layout}": cannot parse "${text}" as "2006"`;

const inSeconds = time(seconds, '2006-01-02T15:04:05Z07:00');
const inMicroseconds = time(microseconds, '2006-01-02T15:04:05.000000Z07:00');

const inBase64 = (text: string): string | undefined => {
  if (base64.test(text)) return undefined;
  const at = /[^A-Za-z0-9+/]/.exec(text)?.index ?? text.length;
  return `illegal base64 data at input byte ${at}`;
};

const formats: Readonly<Record<string, readonly Format[]>> = {
  secrets: [{ problem: inBase64, fields: ['data.*'] }],
  'certificatesigningrequests.certificates.k8s.io': [{ problem: inBase64, fields: ['spec.request'] }],
  'leases.coordination.k8s.io': [{ problem: inMicroseconds, fields: ['spec.renewTime', 'spec.acquireTime'] }],
  events: [
    { problem: inSeconds, fields: ['firstTimestamp', 'lastTimestamp'] },
    { problem: inMicroseconds, fields: ['eventTime'] },
  ],
};

/** Throws 400 for a text that is not a time, or not bytes, if its field needs one. */
export function checkTexts(definition: ResourceDefinition, object: KubernetesObject): void {
  for (const { problem, fields } of formats[resourceKey(definition)] ?? [])
    for (const text of fields.flatMap((field) => textsAt(object, field.split('.')))) {
      const words = problem(text);
      if (words !== undefined) throw cannotBeHandled(definition, words);
    }
}

const cannotBeHandled = ({ kind, version }: ResourceDefinition, words: string) =>
  badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${words}`);

function textsAt(value: unknown, [step, ...rest]: readonly string[]): readonly string[] {
  if (step === undefined) return typeof value === 'string' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  const next: readonly unknown[] = step === '*' ? Object.values(value) : [Reflect.get(value, step)];
  return next.flatMap((one) => textsAt(one, rest));
}
