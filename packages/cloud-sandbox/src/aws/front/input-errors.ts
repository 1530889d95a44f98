import type { Problem } from '../codec/validate.ts';
import { AwsError } from '../service.ts';

/** Services that answer MissingParameter for a member that is not there; the others answer a validation error. */
const missingParameterServices = new Set(['ec2', 'sqs']);

const validationCodes: Readonly<Record<string, string>> = {
  autoscaling: 'ValidationError',
  elasticloadbalancing: 'ValidationError',
  route53: 'InvalidInput',
  sts: 'ValidationError',
  sns: 'InvalidParameter',
};

const lowerFirst = (path: string): string =>
  path
    .split('.')
    .map((part) => part.charAt(0).toLowerCase() + part.slice(1))
    .join('.');

/** The error that a service answers to an input that its schema does not allow; undefined when nothing is wrong. */
export function inputError(signingName: string, problems: readonly Problem[]): AwsError | undefined {
  const type = problems.find((problem) => problem.kind === 'type');
  if (type !== undefined) {
    const message = `The value at '${lowerFirst(type.path)}' is not a ${type.expected}`;
    return new AwsError({ code: 'SerializationException', message });
  }
  const [first] = problems;
  if (first === undefined) return undefined;
  if (missingParameterServices.has(signingName)) {
    const message = `The request must contain the parameter ${first.path}`;
    return new AwsError({ code: 'MissingParameter', message });
  }
  const details = problems.map(
    ({ path }) => `Value null at '${lowerFirst(path)}' failed to satisfy constraint: Member must not be null`,
  );
  const count = `${problems.length} validation error${problems.length === 1 ? '' : 's'} detected`;
  const code = validationCodes[signingName] ?? 'ValidationException';
  return new AwsError({ code, message: `${count}: ${details.join('; ')}` });
}
