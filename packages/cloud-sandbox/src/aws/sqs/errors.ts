import { AwsError } from '../service.ts';

export const queueDoesNotExist = (): AwsError =>
  new AwsError({ code: 'QueueDoesNotExist', message: 'The specified queue does not exist.' });

export const missingParameter = (name: string): AwsError =>
  new AwsError({ code: 'MissingParameter', message: `The request must contain the parameter ${name}.` });

export const invalidParameter = (message: string): AwsError =>
  new AwsError({ code: 'InvalidParameterValue', message });

/** "Value 11 for parameter MaxNumberOfMessages is invalid. Reason: ..." */
export const invalidValue = (name: string, value: unknown, reason: string): AwsError =>
  invalidParameter(`Value ${String(value)} for parameter ${name} is invalid. Reason: ${reason}`);

export const invalidAttributeValue = (name: string, reason = ''): AwsError =>
  new AwsError({
    code: 'InvalidAttributeValue',
    message: `Invalid value for the parameter ${name}.${reason}`,
  });

/** Throws unless the number lies in the range; absent numbers pass. */
export function checkRange(
  name: string,
  value: number | undefined,
  [minimum, maximum]: readonly [number, number],
): void {
  if (value === undefined || (Number.isInteger(value) && value >= minimum && value <= maximum)) return;
  throw invalidValue(name, value, `Must be between ${minimum} and ${maximum}, if provided.`);
}
