import type { ParameterStringFilter } from '@aws-sdk/client-ssm';
import { latest, type StoredParameter } from './parameter.ts';

const fits = (option: string, actual: string, wanted: string): boolean => {
  if (option === 'BeginsWith') return actual.startsWith(wanted);
  if (option === 'Contains') return actual.includes(wanted);
  return actual === wanted;
};

/**
 * Whether a parameter lies under a path: directly, or at any depth. A name without a slash lies directly under the root
 * (AWS's own answer, in getmoto/moto issue 1700).
 */
export function isUnder(name: string, path: string, recursive: boolean): boolean {
  const prefix = path.endsWith('/') ? path : `${path}/`;
  const place = name.startsWith('/') ? name : `/${name}`;
  if (!place.startsWith(prefix)) return false;
  return recursive || !place.slice(prefix.length).includes('/');
}

/** What a filter key looks at; several values of one parameter count each. */
function valuesOf(parameter: StoredParameter, key: string): readonly (string | undefined)[] {
  const version = latest(parameter);
  if (key.startsWith('tag:')) return [parameter.tags.get(key.slice('tag:'.length))];
  if (key === 'Name') return [parameter.name];
  if (key === 'Type') return [parameter.type];
  if (key === 'KeyId') return [version.keyId];
  if (key === 'Tier') return [version.tier];
  if (key === 'DataType') return [version.dataType];
  if (key === 'Label') return parameter.versions.flatMap(({ labels }) => [...labels]);
  throw new RangeError(`no parameter has a ${key}`);
}

/** Whether a parameter passes one filter, which has been checked (ParameterStringFilter). */
export function passes(parameter: StoredParameter, { Key, Option, Values }: ParameterStringFilter): boolean {
  if (Key === 'Path') {
    return (Values ?? []).some((path) => isUnder(parameter.name, path, Option === 'Recursive'));
  }
  const actual = valuesOf(parameter, Key ?? '').filter((value) => value !== undefined);
  if (Values === undefined || Values.length === 0) return actual.length > 0;
  return actual.some((value) => Values.some((wanted) => fits(Option ?? 'Equals', value, wanted)));
}
