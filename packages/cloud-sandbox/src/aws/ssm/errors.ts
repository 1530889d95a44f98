import { AwsError } from '../service.ts';

export const parameterNotFound = (name = ''): AwsError =>
  new AwsError({ code: 'ParameterNotFound', message: name === '' ? '' : `Parameter ${name} not found.` });

export const validation = (message: string): AwsError =>
  new AwsError({ code: 'ValidationException', message });

export const throttling = (): AwsError =>
  new AwsError({ code: 'ThrottlingException', message: 'Rate exceeded' });

export const versionNotFound = (name: string, selector: string): AwsError =>
  new AwsError({
    code: 'ParameterVersionNotFound',
    message: `Systems Manager could not find version ${selector} of ${name}. Verify the version and try again.`,
  });

/** Throws as AWS's own validation of a list or a number does. */
export function checkCount(
  member: string,
  value: number | undefined,
  [minimum, maximum]: readonly [number, number],
): void {
  if (value === undefined || (value >= minimum && value <= maximum)) return;
  const bound = value < minimum ? `greater than or equal to ${minimum}` : `less than or equal to ${maximum}`;
  throw validation(
    `1 validation error detected: Value '${value}' at '${member}' failed to satisfy constraint: Member must have value or length ${bound}`,
  );
}
