import { AwsError } from '../service.ts';

/** In EKS's words, if they are known: the issues that cite them are beside their uses. */
export const eksErrors = {
  invalid: (message: string) => new AwsError({ code: 'InvalidParameterException', message }),
  invalidRequest: (message: string) => new AwsError({ code: 'InvalidRequestException', message }),
  noAccessEntry: () =>
    new AwsError({
      code: 'ResourceNotFoundException',
      message: 'The specified principalArn could not be found.',
      statusCode: 404,
    }),
  inUse: (message: string) => new AwsError({ code: 'ResourceInUseException', message, statusCode: 409 }),
  noCluster: (name: string) =>
    new AwsError({
      code: 'ResourceNotFoundException',
      message: `No cluster found for name: ${name}.`,
      statusCode: 404,
    }),
  noUpdate: (id: string) =>
    new AwsError({
      code: 'ResourceNotFoundException',
      message: `No update found for id: ${id}.`,
      statusCode: 404,
    }),
  noNodegroup: (name: string) =>
    new AwsError({
      code: 'ResourceNotFoundException',
      message: `No node group found for name: ${name}.`,
      statusCode: 404,
    }),
};
