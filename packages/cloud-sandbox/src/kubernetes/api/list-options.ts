import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { invalidOptions } from './option-checks.ts';
import { wholeNumber } from './query-numbers.ts';

const field = 'resourceVersionMatch';
const forbidden = (message: string, of = field): StatusCause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${message}`,
  field: of,
});
const unsupported = (value: string, supported: readonly string[]): StatusCause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: "${value}": supported values: ${supported.map((one) => `"${one}"`).join(', ')}`,
  field,
});

interface Given {
  readonly match: string;
  readonly version: string;
  readonly isContinued: boolean;
  readonly sendsInitialEvents: boolean;
}

/** ListOptions of a list or a watch. Source: pkg/apis/meta/internalversion/validation. Throws 400, 422. */
export function checkListOptions(query: URLSearchParams, isWatch: boolean): void {
  wholeNumber(query, 'limit');
  wholeNumber(query, 'timeoutSeconds');
  const given = {
    match: query.get(field) ?? '',
    version: query.get('resourceVersion') ?? '',
    isContinued: (query.get('continue') ?? '') !== '',
    sendsInitialEvents: query.has('sendInitialEvents'),
  };
  const causes = isWatch ? watchCauses(given) : listCauses(given);
  if (causes.length > 0) throw invalidOptions('ListOptions', ...causes);
}

function listCauses({ match, version, isContinued, sendsInitialEvents }: Given): readonly StatusCause[] {
  const isGiven = match !== '';
  const isKnown = match === 'Exact' || match === 'NotOlderThan';
  return [
    ...(isGiven && version === ''
      ? [forbidden(`${field} is forbidden unless resourceVersion is provided`)]
      : []),
    ...(isGiven && isContinued ? [forbidden(`${field} is forbidden when continue is provided`)] : []),
    ...(isGiven && !isKnown ? [unsupported(match, ['Exact', 'NotOlderThan', ''])] : []),
    ...(match === 'Exact' && version === '0'
      ? [forbidden(`${field} "exact" is forbidden for resourceVersion "0"`)]
      : []),
    ...(sendsInitialEvents
      ? [forbidden('sendInitialEvents is forbidden for list', 'sendInitialEvents')]
      : []),
  ];
}

function watchCauses({ match, sendsInitialEvents }: Given): readonly StatusCause[] {
  const isLoose = match === 'NotOlderThan';
  return [
    ...(sendsInitialEvents && !isLoose
      ? [forbidden(`sendInitialEvents requires setting ${field} to NotOlderThan`)]
      : []),
    ...(match !== '' && !sendsInitialEvents
      ? [forbidden(`${field} is forbidden for watch unless sendInitialEvents is provided`)]
      : []),
    ...(match !== '' && !isLoose ? [unsupported(match, ['NotOlderThan'])] : []),
  ];
}
