import type { DashboardState } from './types.ts';

/** Addresses in the console of AWS. */
export interface ConsoleLinks {
  readonly instance: (instanceId: string) => string;
  readonly group: (name: string) => string;
  /** Undefined if the stage of the deployment is unknown. */
  readonly log: ((functionName: string) => string) | undefined;
}

/** The names of regions: an address is never made of another text. */
const regionPattern = /^[a-z]{2}(-[a-z]+)+-\d$/;

/** Where the console shows what is on the page; undefined for the sandbox, which is in no account, and where the region is unknown. Pure. */
export function consoleLinks({
  source,
  region = '',
  stage,
}: Pick<DashboardState, 'source' | 'region' | 'stage'>): ConsoleLinks | undefined {
  if (source !== 'account' || !regionPattern.test(region)) return undefined;
  const service = (name: string, rest: string): string =>
    `https://${region}.${domainOf(region)}/${name}/home?region=${region}#${rest}`;
  return {
    instance: (instanceId) => service('ec2', `InstanceDetails:instanceId=${encodeURIComponent(instanceId)}`),
    group: (name) => service('ec2', `AutoScalingGroupDetails:id=${encodeURIComponent(name)}`),
    log:
      stage === undefined
        ? undefined
        : (functionName) =>
            service(
              'cloudwatch',
              `logsV2:log-groups/log-group/${twice(`/aws/lambda/drover-${stage}-${functionName}`)}`,
            ),
  };
}

const domainOf = (region: string): string => {
  if (region.startsWith('cn-')) return 'console.amazonaws.cn';
  return region.startsWith('us-gov-') ? 'console.amazonaws-us-gov.com' : 'console.aws.amazon.com';
};

/** The console of CloudWatch encodes names twice, with $ for the second percent sign. */
const twice = (name: string): string => encodeURIComponent(encodeURIComponent(name)).replaceAll('%', '$');
