import {
  type EC2Client,
  paginateDescribeNetworkInterfaces,
  paginateDescribeSecurityGroups,
  type SecurityGroup,
} from '@aws-sdk/client-ec2';

/**
 * What else uses a stack's security groups (logical id -> group id), which EC2 then does not delete: rules of other groups, and network
 * interfaces that Lambda did not make.
 */
export async function referrersOf(
  ec2: EC2Client,
  securityGroups: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const found = await Promise.all(
    Object.entries(securityGroups).map(([logicalId, groupId]) =>
      usersOf(ec2, { label: `${logicalId} ${groupId}`, groupId, own: Object.values(securityGroups) }),
    ),
  );
  return found.flat();
}

interface Asked {
  readonly label: string;
  readonly groupId: string;
  readonly own: readonly string[];
}

async function usersOf(ec2: EC2Client, { label, groupId, own }: Asked): Promise<readonly string[]> {
  const [admitting, reaching, interfaces] = await Promise.all([
    groupsWith(ec2, { filter: 'ip-permission.group-id', groupId }),
    groupsWith(ec2, { filter: 'egress.ip-permission.group-id', groupId }),
    foreignInterfaces(ec2, groupId),
  ]);
  const foreign = (groups: readonly SecurityGroup[]) =>
    groups.filter(({ GroupId = '' }) => !own.includes(GroupId));
  return [
    ...foreign(admitting).map((group) => `an ingress rule of ${nameOf(group)} admits ${label}`),
    ...foreign(reaching).map((group) => `an egress rule of ${nameOf(group)} names ${label}`),
    ...interfaces.map((interfaceId) => `the network interface ${interfaceId} has ${label}`),
  ];
}

const nameOf = ({ GroupId, GroupName }: SecurityGroup): string => `${GroupId} (${GroupName})`;

async function groupsWith(
  client: EC2Client,
  { filter, groupId }: { readonly filter: string; readonly groupId: string },
): Promise<readonly SecurityGroup[]> {
  const groups: SecurityGroup[] = [];
  const input = { Filters: [{ Name: filter, Values: [groupId] }] };
  for await (const page of paginateDescribeSecurityGroups({ client }, input))
    groups.push(...(page.SecurityGroups ?? []));
  return groups;
}

/** Lambda deletes its own interfaces, and CloudFormation waits for that. */
async function foreignInterfaces(client: EC2Client, groupId: string): Promise<readonly string[]> {
  const ids: string[] = [];
  const input = { Filters: [{ Name: 'group-id', Values: [groupId] }] };
  for await (const { NetworkInterfaces = [] } of paginateDescribeNetworkInterfaces({ client }, input))
    for (const { NetworkInterfaceId = '', InterfaceType } of NetworkInterfaces)
      if (InterfaceType !== 'lambda') ids.push(NetworkInterfaceId);
  return ids;
}
