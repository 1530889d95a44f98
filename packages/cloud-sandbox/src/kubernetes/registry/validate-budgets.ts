import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.d.ts';
import { invalidValue } from './causes.ts';

export function budgetCauses({ spec }: PodDisruptionBudget): readonly StatusCause[] {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (minAvailable !== undefined && maxUnavailable !== undefined)
    return [invalidValue('spec', spec, 'minAvailable and maxUnavailable cannot be both set')];
  return [
    ...amountCauses(minAvailable, 'spec.minAvailable'),
    ...amountCauses(maxUnavailable, 'spec.maxUnavailable'),
  ];
}

const percentForm =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

function amountCauses(amount: number | string | undefined, field: string): readonly StatusCause[] {
  if (typeof amount === 'number')
    return amount < 0 ? [invalidValue(field, amount, 'must be greater than or equal to 0')] : [];
  if (amount === undefined) return [];
  if (!/^\d+%$/.test(amount)) return [invalidValue(field, amount, percentForm)];
  return Number(amount.slice(0, -1)) > 100
    ? [invalidValue(field, amount, 'must not be greater than 100%')]
    : [];
}
