import type { ResourceDefinition } from '../resources/definition.ts';
import { invalid } from './errors.ts';
import { StatusError } from './status-error.ts';

/** What comes of a patch and cannot be read is the patch's fault: 422 where a whole object would be a 400. */
export function asPatchFault<T>({ group, kind }: ResourceDefinition, name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.code !== 400) throw error;
    const why = /strict decoding error: .*/.exec(error.message)?.[0] ?? error.message;
    const message = `Invalid value: "": ${why}`;
    throw invalid({ group, kind, name, causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] });
  }
}
