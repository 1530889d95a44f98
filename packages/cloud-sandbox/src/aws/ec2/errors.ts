import { AwsError } from '../service.ts';

const error = (code: string, message: string): AwsError => new AwsError({ code, message });

/** Wording as EC2 sends it; the codes are in https://docs.aws.amazon.com/AWSEC2/latest/APIReference/errors-overview.html */
export const ec2Errors = {
  malformedInstanceId: (id: string) => error('InvalidInstanceID.Malformed', `Invalid id: "${id}"`),
  instancesNotFound: (ids: readonly string[]) =>
    error(
      'InvalidInstanceID.NotFound',
      ids.length === 1
        ? `The instance ID '${ids[0]}' does not exist`
        : `The instance IDs '${ids.join(', ')}' do not exist`,
    ),
  interfaceNotFound: (id: string) =>
    error('InvalidNetworkInterfaceID.NotFound', `The networkInterface ID '${id}' does not exist`),
  incorrectInstanceState: (id: string, wanted: string) =>
    error('IncorrectInstanceState', `The instance '${id}' is not in a state from which it can be ${wanted}.`),
  notSpot: (id: string) =>
    error('InvalidParameterValue', `The instance '${id}' is not a Spot Instance and cannot be interrupted.`),
  notReserved: (id: string) =>
    error(
      'InvalidParameterValue',
      `The instance '${id}' is not in a capacity block or an interruptible capacity reservation.`,
    ),
  launchTemplateIdNotFound: (id: string) =>
    error(
      'InvalidLaunchTemplateId.NotFound',
      `The specified launch template, with template ID ${id}, does not exist.`,
    ),
  malformedLaunchTemplateId: (id: string) =>
    error('InvalidLaunchTemplateId.Malformed', `Invalid id: "${id}" (expecting "lt-...")`),
  launchTemplateNameNotFound: (name: string) =>
    error(
      'InvalidLaunchTemplateName.NotFoundException',
      `The specified launch template, with template name ${name}, does not exist.`,
    ),
  launchTemplateVersionNotFound: (version: string) =>
    error(
      'InvalidLaunchTemplateId.VersionNotFound',
      `Could not find the specified version ${version} for the launch template.`,
    ),
  launchTemplateNameMalformed: (name: string) =>
    error(
      'InvalidLaunchTemplateName.MalformedException',
      `Launch template name '${name}' is not valid: 3 to 128 characters of letters, digits and ( ) . / _ -`,
    ),
  launchTemplateNameTaken: (name: string) =>
    error('InvalidLaunchTemplateName.AlreadyExistsException', `Launch template name already in use: ${name}`),
  vpcNotFound: (id: string) => error('InvalidVpcID.NotFound', `The vpc ID '${id}' does not exist`),
  subnetNotFound: (id: string) => error('InvalidSubnetID.NotFound', `The subnet ID '${id}' does not exist`),
  hasDependencies: (kind: string, id: string) =>
    error('DependencyViolation', `The ${kind} '${id}' has dependencies and cannot be deleted.`),
  invalidVpcRange: (block: string) => error('InvalidVpc.Range', `The CIDR '${block}' is invalid.`),
  invalidSubnetRange: (block: string) => error('InvalidSubnet.Range', `The CIDR '${block}' is invalid.`),
  subnetConflict: (block: string) =>
    error('InvalidSubnet.Conflict', `The CIDR '${block}' conflicts with another subnet`),
  invalidInstanceType: (type: string) =>
    error('InvalidInstanceType', `The following supplied instance types do not exist: [${type}]`),
  insufficientCapacity: (type: string, zone: string) =>
    new AwsError({
      code: 'InsufficientInstanceCapacity',
      message: `We currently do not have sufficient ${type} capacity in the Availability Zone you requested (${zone}). Our system will be working on provisioning additional capacity.`,
      statusCode: 500,
    }),
  dryRun: () =>
    new AwsError({
      code: 'DryRunOperation',
      message: 'Request would have succeeded, but DryRun flag is set.',
      statusCode: 412,
    }),
  idempotentParameterMismatch: () =>
    error(
      'IdempotentParameterMismatch',
      'Arguments on this idempotent request are inconsistent with arguments used in previous request(s).',
    ),
  missingParameter: (name: string) =>
    error('MissingParameter', `The request must contain the parameter ${name}`),
  invalidFilter: (name: string) => error('InvalidParameterValue', `The filter '${name}' is invalid`),
  invalidNextToken: () => error('InvalidNextToken', 'The token is invalid.'),
  invalidParameter: (message: string) => error('InvalidParameterValue', message),
  invalidCombination: (message: string) => error('InvalidParameterCombination', message),
  tagLimitExceeded: (id: string) =>
    error('TagLimitExceeded', `The maximum number of Tags (50) has been reached for resource '${id}'.`),
  resourceNotFound: (id: string) => error('InvalidID', `The ID '${id}' is not valid`),
};
