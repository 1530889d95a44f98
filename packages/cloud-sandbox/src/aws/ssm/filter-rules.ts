import type { ParameterStringFilter } from '@aws-sdk/client-ssm';
import { AwsError } from '../service.ts';
import { validation } from './errors.ts';

/** Keys that are filters somewhere (ParameterStringFilter, Key). */
const keyPattern = /^(tag:.+|Name|Type|KeyId|Path|Label|Tier|DataType)$/;

/** "For GetParametersByPath, the following patterns listed for Key aren't valid: tag, DataType, Name, Path, and Tier." */
const keysByPath = ['Type', 'KeyId', 'Label'];
/** "For DescribeParameters, all of the listed patterns are valid except Label." */
const keysOfDescription = ['Path', 'Name', 'Type', 'KeyId', 'Tier', 'DataType'];

/** Throws for filters that GetParametersByPath does not take. */
export function checkFiltersByPath(filters: readonly ParameterStringFilter[] | undefined): void {
  for (const filter of checkedKeys(filters)) {
    if (!keysByPath.includes(filter.Key ?? '')) throw invalidKey(filter, keysByPath);
    checkOption(filter, filter.Key === 'Label' ? ['Equals'] : ['Equals', 'BeginsWith']);
  }
}

/** Throws for filters that DescribeParameters does not take. */
export function checkFiltersOfDescription(filters: readonly ParameterStringFilter[] | undefined): void {
  for (const filter of checkedKeys(filters)) {
    const { Key = '' } = filter;
    if (!Key.startsWith('tag:') && !keysOfDescription.includes(Key))
      throw invalidKey(filter, keysOfDescription);
    checkOption(filter, optionsOf(Key));
  }
}

function optionsOf(key: string): readonly string[] {
  if (key === 'Path') return ['Recursive', 'OneLevel'];
  return key === 'Name' ? ['Equals', 'BeginsWith', 'Contains'] : ['Equals', 'BeginsWith'];
}

function checkedKeys(filters: readonly ParameterStringFilter[] = []): readonly ParameterStringFilter[] {
  for (const [index, { Key = '' }] of filters.entries())
    if (!keyPattern.test(Key)) {
      throw validation(
        `1 validation error detected: Value '${Key}' at 'parameterFilters.${index + 1}.member.key' failed to satisfy constraint: Member must satisfy regular expression pattern: tag:.+|Name|Type|KeyId|Path|Label|Tier|DataType`,
      );
    }
  return filters;
}

function invalidKey({ Key }: ParameterStringFilter, valid: readonly string[]): AwsError {
  const message = `The following filter key is not valid: ${Key}. Valid filter keys include: [${valid.join(', ')}].`;
  return new AwsError({ code: 'InvalidFilterKey', message });
}

function checkOption({ Option }: ParameterStringFilter, valid: readonly string[]): void {
  if (Option === undefined || valid.includes(Option)) return;
  const message = `The following filter option is not valid: ${Option}. Valid options include: [${valid.join(', ')}].`;
  throw new AwsError({ code: 'InvalidFilterOption', message });
}
