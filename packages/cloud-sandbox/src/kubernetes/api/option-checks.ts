import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { invalid } from './errors.ts';
import type { StatusError } from './status-error.ts';

/** 422 of options of a request. Source: apimachinery, pkg/apis/meta/v1/validation. */
export const invalidOptions = (kind: string, ...causes: readonly StatusCause[]): StatusError =>
  invalid({ group: 'meta.k8s.io', kind, name: '', causes });

/** A dry run is `All` or it is refused. */
export function checkDryRun(kind: string, given: readonly string[]): void {
  if (given.every((value) => value === 'All')) return;
  const message = `Unsupported value: ${JSON.stringify(given)}: supported values: "All"`;
  throw invalidOptions(kind, { reason: 'FieldValueNotSupported', message, field: 'dryRun' });
}
