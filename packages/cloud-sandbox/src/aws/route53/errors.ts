import { AwsError } from '../service.ts';

const error = (code: string, message: string, statusCode = 400): AwsError =>
  new AwsError({ code, message, statusCode });

/** In Route 53's own words, as its users have met them. */
export const route53Errors = {
  noSuchZone: (id: string) => error('NoSuchHostedZone', `No hosted zone found with ID: ${id}`, 404),
  noSuchChange: (id: string) =>
    error('NoSuchChange', `A change with the specified change ID ${id} does not exist.`, 404),
  invalidInput: (message: string) => error('InvalidInput', message),
  invalidDomainName: (message: string) => error('InvalidDomainName', message),
  /** One message for each thing that is wrong with a batch. */
  invalidBatch: (messages: readonly string[]) => error('InvalidChangeBatch', `[${messages.join(', ')}]`),
  priorRequest: () =>
    error(
      'PriorRequestNotComplete',
      'The request was rejected because Route 53 was still processing a prior request.',
    ),
  throttling: () => error('Throttling', 'Rate exceeded'),
  zoneExists: (callerReference: string) =>
    error(
      'HostedZoneAlreadyExists',
      `A hosted zone has already been created with the specified caller reference: ${callerReference}`,
      409,
    ),
  conflictingDomain: (name: string) =>
    error(
      'ConflictingDomainExists',
      `The VPC is already associated with another hosted zone that has the name ${name}`,
    ),
  zoneNotEmpty: () =>
    error(
      'HostedZoneNotEmpty',
      'The specified hosted zone contains non-required resource record sets  and so cannot be deleted.',
    ),
} as const;

/** As AWS's own validation of a member says it. */
export const constraint = (value: unknown, member: string, rule: string): AwsError =>
  route53Errors.invalidInput(
    `1 validation error detected: Value '${String(value)}' at '${member}' failed to satisfy constraint: Member must ${rule}`,
  );
