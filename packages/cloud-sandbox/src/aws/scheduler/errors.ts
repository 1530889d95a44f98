import { AwsError } from '../service.ts';

export const schedulerErrors = {
  validation: (message: string) => new AwsError({ code: 'ValidationException', message }),
  notFound: (kind: 'Schedule' | 'Schedule group', name: string) =>
    new AwsError({
      code: 'ResourceNotFoundException',
      message: `${kind} ${name} does not exist.`,
      statusCode: 404,
    }),
  conflict: (kind: 'Schedule' | 'Schedule group', name: string) =>
    new AwsError({ code: 'ConflictException', message: `${kind} ${name} already exists.`, statusCode: 409 }),
};
